// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

extension AudienceFacts {
    /// - Parameters:
    ///   - isTestDevice: by the configuration.
    ///   - levels: of the configuration.
    ///   - compared: the values that are needed; nil: all.
    init(
        _ install: Install, isTestDevice: Bool = false, levels: [AccessLevel], only compared: ComparedValues? = .all, nowMs: Int64
    ) {
        let purchases = compared?.readsPurchases == false ? PurchaseFacts() : PurchaseFacts(install.access, levels, nowMs: nowMs)
        let facts = InstallFacts(
            id: install.id, installedAtMs: install.firstOpenAtMs, lastSeenAtMs: install.lastSeenAtMs,
            sources: install.appliedSources, isTestDevice: isTestDevice, purchases: purchases)
        self.init(
            attribution: install.attribution(nowMs: nowMs), link: install.latestLink(nowMs: nowMs), device: install.device,
            attributes: install.attributes, install: facts, only: compared, nowMs: nowMs)
    }
}

extension Snapshot {
    /// What audiences can read of an install.
    /// - Parameter compared: ``comparedValues`` is enough for decisions by this version alone; nil: everything.
    package func facts(of install: Install, only compared: ComparedValues? = .all, nowMs: Int64) -> AudienceFacts {
        AudienceFacts(
            install, isTestDevice: testDevices.device(install) != nil, levels: configuration.purchases.accessLevels, only: compared,
            nowMs: nowMs)
    }
}

extension TestDevices {
    package func device(_ install: Install) -> TestDevice? { device(install.id, first: install.firstInstallID) }
}

extension Snapshot {
    /// What an install sees now, in the variation that its experiment gives.
    package func decide(placement: PlacementID, locale: LocaleCode?, facts: AudienceFacts, install: Install) -> Decision? {
        var decision = placements[placement]?.decide(locale: locale, facts: facts, pending: .nothing)
        if let experiment = decision?.experiment {
            let isTestDevice = testDevices.device(install) != nil
            decision?.take(outcome(of: experiment, for: install, isTestDevice: isTestDevice).assigned, locale: locale)
        }
        return decision
    }
}

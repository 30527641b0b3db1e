// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// The file that an app bundles for a first open without a network, as the SDK reads it.
package struct FallbackExport: Hashable, Sendable, Codable {
    struct Entry: Hashable, Sendable, Codable {
        let audience: AudienceID
        let paywall: WirePaywall
        /// Remote config for other locales than the paywall's own.
        let locales: [String: JSONValue]
    }

    /// Of this file's form.
    let format: Int
    /// The version that it is made from: the SDK logs it when the server has a newer one.
    let revision: Int64
    let paywalls: [String: Entry]

    /// - Parameters:
    ///   - locales: of the remote config; empty for all that a paywall has.
    ///   - audiences: each placement shows the first of them that it uses; else what everyone sees.
    package init(_ snapshot: Snapshot, locales: [LocaleCode] = [], audiences: [AudienceID] = []) {
        format = 1
        revision = snapshot.revision
        paywalls = Dictionary(
            snapshot.configuration.placements.compactMap { placement in
                let offer = audiences.lazy.compactMap { audience in placement.offers.first { $0.audience.id == audience } }.first
                // For an experiment, the control without its assignment. A placement that shows nothing has no entry.
                guard let paywall = (offer?.showing ?? placement.everyone).paywall else { return nil }
                return (placement.id.rawValue, Entry(paywall, locales, for: offer?.audience.id ?? .everyone))
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension FallbackExport.Entry {
    fileprivate init(_ paywall: Paywall, _ wanted: [LocaleCode], for audience: AudienceID) {
        self.audience = audience
        self.paywall = paywall.rendered(for: nil)
        let own = self.paywall.remoteConfig?.locale
        let configs = (wanted.isEmpty ? paywall.locales : wanted).compactMap { locale in
            // A locale that the paywall lacks has the value that the server would answer with.
            paywall.rendered(for: locale).remoteConfig.map { (locale.rawValue, $0) }
        }
        locales = Dictionary(
            configs.filter { $0.0 != own && $0.1.locale != own }.map { ($0.0, $0.1.value) }, uniquingKeysWith: { first, _ in first })
    }
}

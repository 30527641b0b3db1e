// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer

/// Reads first opens, and what was bought since the first of them.
struct CohortReader: Sendable {
    /// Chains whose bringer stays in memory: renewals of a chain come again.
    private static let mostKnown = 200_000

    let source: ChargeSource

    /// - Throws: ``ReportError``; the errors of the store.
    func read(
        _ request: RevenueRequest, _ snapshot: Snapshot, nowMs: Int64
    ) async throws -> (cohorts: RevenueCohorts, verified: RevenueDocument.Verified?) {
        let known = ReportKnowledge(request.days, snapshot.retention, nowMs: nowMs)
        var cohorts = try RevenueCohorts(
            request, snapshot.configuration.purchases.money, knowsInstalls: known.installs, nowMs: nowMs)
        let by = request.by.filter { $0 != .day }, filter = RevenueFilter(request.filters), database = source.reader.database
        try await InstallReader(database: database, app: source.reader.app).forEach(openedMs: request.days.milliseconds) { install in
            // As in the report of campaigns: neither phones of the team nor reinstalls are first opens.
            guard snapshot.testDevices.device(install.id, first: install.firstInstall) == nil, !install.isReinstall else { return }
            let origin = ChainOrigin(install.origin, firstOpenedAtMs: install.firstOpenAtMs)
            guard filter.has(origin.revenue) else { return }
            try cohorts.open(install.key, openedAtMs: install.firstOpenAtMs, key: origin.key(by))
        }
        let chains = RevenueOrigins(database, source.reader.app, for: [])
        // What was bought before the first open of who brought it is of no cohort.
        let days = request.days.days.lowerBound...max(request.days.days.lowerBound, ReportZone.utc.day(ofMs: nowMs) + 1)
        var bringers: [String: RevenueCohorts.Bringer?] = [:]
        let verified = try await source.forEachPage(purchased: days) { page in
            let paid = page.filter { $0.charge.terms.kind != .trial }
            if bringers.count > Self.mostKnown { bringers = [:] }
            for chain in try await chains.chains(Set(paid.map(\.chain).filter { bringers[$0] == nil })) {
                bringers[chain.id] = .some(Self.bringer(of: chain, by, filter, cohorts))
            }
            for dated in paid {
                guard let bringer = bringers[dated.chain] ?? nil else { continue }
                cohorts.add(dated.charge.terms, purchasedAtMs: dated.purchasedAtMs, by: bringer)
            }
        }
        return (cohorts, verified)
    }

    /// Nil for a chain of no cohort.
    private static func bringer(
        of chain: RevenueOrigins.Chain, _ by: [RevenueDimension], _ filter: RevenueFilter, _ cohorts: RevenueCohorts
    ) -> RevenueCohorts.Bringer? {
        if let origin = chain.origin {
            guard chain.beganAtMs ?? .max >= origin.firstOpenedAtMs, filter.has(origin.revenue) else { return nil }
            return .expired(chain: chain.id, openedAtMs: origin.firstOpenedAtMs, key: origin.key(by))
        }
        guard let install = chain.broughtBy.flatMap({ InstallKey($0) }), let openedAtMs = cohorts.openedAtMs(install),
            chain.beganAtMs ?? .max >= openedAtMs
        else { return nil }
        return .install(install)
    }
}

extension ChainOrigin {
    fileprivate func key(_ by: [RevenueDimension]) -> ReportSheet.Key {
        guard !by.isEmpty else { return [] }
        let origin = revenue
        return by.map { origin[$0] }
    }

    /// Of what is bought after the first open.
    fileprivate var revenue: RevenueOrigin {
        var origin = RevenueOrigin()
        origin.setBrought(by: self, beganAtMs: nil)
        return origin
    }
}

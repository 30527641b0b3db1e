// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Counts the first opens of a report that have paid since. It reads the charges since the first day, and who brought their chains.
struct FunnelPurchasers: Sendable {
    /// Installs that are read at a time.
    private static let lot = 5_000
    /// Chains that are remembered: renewals of a chain come again.
    private static let mostKnown = 200_000

    let database: any StoreReading
    let snapshot: Snapshot
    let report: CampaignReport

    /// - Parameter completeToMs: installs that came later are in no row yet.
    /// - Returns: by the keys of the report's rows.
    /// - Throws: ``ReportError/tooManyInstalls``; the errors of the store.
    func counts(before completeToMs: Int64, nowMs: Int64) async throws -> [ReportSheet.Key: Int64] {
        let bringers = try await self.bringers(nowMs: nowMs), ids = bringers.keys.map(\.rawValue).sorted()
        let installs = InstallReader(database: database, app: snapshot.app.id), days = report.days
        var counts: [ReportSheet.Key: Int64] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.lot) {
            for install in try await installs.read(ids[start...].prefix(Self.lot)) {
                // As the report counts first opens.
                guard snapshot.testDevices.device(install.id, first: install.firstInstall) == nil, !install.isReinstall,
                    days.milliseconds.contains(install.firstOpenAtMs), install.firstCallAtMs < completeToMs,
                    bringers[install.id] ?? .min >= install.firstOpenAtMs
                else { continue }
                counts[report.by.map { $0.value(of: install, in: days.zone).map { Array($0.utf8) } }, default: 0] += 1
            }
        }
        return counts
    }

    /// Who brought a chain that was paid since the first day, and when the newest of these chains began, in Unix milliseconds.
    private func bringers(nowMs: Int64) async throws -> [InstallID: Int64] {
        let first = ReportZone.utc.day(ofMs: report.days.milliseconds.lowerBound)
        // A period is signed up to a day before it begins.
        let days = first...max(first, ReportZone.utc.day(ofMs: nowMs) + 1)
        let chains = RevenueOrigins(database, snapshot.app.id, for: [])
        var known: Set<String> = [], bringers: [InstallID: Int64] = [:]
        try await RevenueReader(database: database, app: snapshot.app.id).forEachPage(purchased: days) { page in
            let paid = Set(page.filter { $0.charge.terms.kind == .purchase }.map(\.chain)).subtracting(known)
            if known.count > Self.mostKnown { known = [] }
            known.formUnion(paid)
            for chain in try await chains.chains(paid) {
                guard let install = chain.broughtBy else { continue }
                bringers[install] = max(bringers[install] ?? .min, chain.beganAtMs ?? .max)
            }
            guard bringers.count <= ReportCohort.mostMembers else { throw ReportError.tooManyInstalls }
        }
        return bringers
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallStore
import LandfallWire

/// What a page's rows have in other tables, found by their keys.
extension ExportReader {
    /// With the source that brought each install.
    func brought(_ rows: [Row]) async throws -> [ExportedInstall] {
        let ids = try ids(of: rows)
        let reported = try await InstallReader(database: database, app: app).read(ids[...])
        let found = Dictionary(reported.map { ($0.id.rawValue, $0) }) { first, _ in first }
        return zip(rows, ids).map { ExportedInstall(row: $0, reported: found[$1]) }
    }

    /// With what each install is now.
    func present(_ rows: [Row]) async throws -> [ExportedInstall] {
        let ids = try ids(of: rows), profile = ExportedInstall.columns[.profile_id]
        let seen = Dictionary(
            try await listed(StoredTexts.lastSeen, ids).map { (try $0.text(0), try $0.integer(1)) }, uniquingKeysWith: max)
        let profiles = Set(rows.compactMap { $0.optionalText(profile) }).sorted()
        let customers = Dictionary(
            try await listed(StoredTexts.customers, profiles).compactMap { row in
                try row.optionalText(1).map { (try row.text(0), (id: $0, isVerified: try row.flag(2))) }
            }
        ) { first, _ in first }
        return zip(rows, ids).map { row, id in
            ExportedInstall(row: row, lastSeenAtMs: seen[id], customer: row.optionalText(profile).flatMap { customers[$0] })
        }
    }

    /// - Parameter withOrigin: who brought a chain, and what sold it, is read too.
    func charges(_ rows: [Row], withOrigin: Bool) async throws -> [ExportedCharge] {
        let ids = Set(try rows.map { try $0.text(RevenueReader.stored[.chain_id]) })
        var origins = RevenueOrigins(database, app, for: withOrigin ? RevenueOrigin.acquisition + RevenueOrigin.sale : [])
        if withOrigin { try await origins.learn(ids) }
        let chains = Dictionary(try await origins.chains(ids).map { ($0.id, $0) }) { first, _ in first }
        return try rows.map { row in
            let id = try row.text(RevenueReader.stored[.chain_id])
            return ExportedCharge(row: row, chain: chains[id], origin: origins[id])
        }
    }

    private func ids(of rows: [Row]) throws -> [String] { try rows.map { try $0.text(ExportedInstall.columns[.install_id]) } }

    private func listed(_ text: String, _ ids: [String]) async throws -> [Row] {
        try await ids.readInParts(of: ListedIDs.most) { [database, app] part in try await database.rows(text, of: Array(part), in: app) }
    }
}

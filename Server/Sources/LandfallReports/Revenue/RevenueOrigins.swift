// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Finds out who brought chains and what sold them, by what is known now: attribution that came later moves the money.
struct RevenueOrigins: Sendable {
    /// Chains whose origin stays in memory: renewals of a chain come again.
    private static let mostKnown = 200_000

    private let database: any StoreReading
    private let app: AppID
    private let readsInstalls: Bool
    private let readsSales: Bool
    private let readsPayers: Bool
    /// By the chain, the place in ``origins``: many chains have the same.
    private var known: [String: Int] = [:]
    private var origins: [RevenueOrigin] = []
    private var places: [RevenueOrigin: Int] = [:]

    /// - Parameters:
    ///   - dimensions: what is to be known; nothing is read for others.
    ///   - readsPayers: who owns a chain is to be known too.
    init(_ database: any StoreReading, _ app: AppID, for dimensions: [RevenueDimension], readsPayers: Bool = false) {
        (self.database, self.app, self.readsPayers) = (database, app, readsPayers)
        readsInstalls = dimensions.contains { RevenueOrigin.acquisition.contains($0) }
        readsSales = dimensions.contains { RevenueOrigin.sale.contains($0) }
    }

    /// Of a chain that was learned with the last call.
    subscript(chain: String) -> RevenueOrigin { known[chain].map { origins[$0] } ?? .unknown }

    var areRead: Bool { readsInstalls || readsSales || readsPayers }

    /// - Parameter chains: a page of them.
    mutating func learn(_ chains: Set<String>) async throws {
        var new = chains.filter { known[$0] == nil }
        if known.count + new.count > Self.mostKnown {
            (known, origins, places, new) = ([:], [], [:], chains)
        }
        let found = try await new.sorted().readInParts(of: ListedIDs.most) { [self] part in try await read(part) }
        for (chain, origin) in found {
            let place = places[origin] ?? origins.count
            if place == origins.count {
                places[origin] = place
                origins.append(origin)
            }
            known[chain] = place
        }
    }

    struct Chain: Sendable {
        let id: String
        let beganAtMs: Int64?
        let broughtBy: InstallID?
        let owner: String?
        var origin: ChainOrigin?
        let exposure: String?
        var soldBy: SoldBy?

        init(_ row: Row) throws {
            id = try row.text(columns[.chain_id])
            beganAtMs = row.optionalInteger(columns[.began_at_ms])
            broughtBy = row.optionalText(columns[.brought_by_install]).map { InstallID($0) }
            origin = try row.optionalText(columns[.origin]).map { try ChainOrigin(text: $0) }
            owner = row.optionalText(columns[.owner_profile])
            exposure = row.optionalText(columns[.exposure_id])
            soldBy = try row.optionalText(columns[.sold_by]).map { try SoldBy(text: $0) }
        }
    }

    private func read(_ ids: ArraySlice<String>) async throws -> [(String, RevenueOrigin)] {
        var chains = try await chains(ids)
        if readsInstalls { try await findOrigins(&chains) }
        if readsSales { try await findSales(&chains) }
        return chains.map { chain in
            var origin = RevenueOrigin()
            if let brought = chain.origin { origin.setBrought(by: brought, beganAtMs: chain.beganAtMs) }
            if let sale = chain.soldBy { origin.setSold(by: sale) }
            // Who buys coins five times has five chains.
            if readsPayers { origin.payer = (chain.owner ?? chain.broughtBy?.rawValue ?? chain.id).hashValue }
            return (chain.id, origin)
        }
    }

    /// - Parameter ids: at most ``ListedIDs/most``.
    private func chains(_ ids: ArraySlice<String>) async throws -> [Chain] {
        try await database.rows(Self.chainsText, of: Array(ids), in: app).map { try Chain($0) }
    }

    /// As the chains are stored.
    func chains(_ ids: Set<String>) async throws -> [Chain] { try await ids.sorted().readInParts(of: ListedIDs.most) { try await chains($0) } }

    /// Of chains whose install is still there: what was kept of it is not its last word.
    private func findOrigins(_ chains: inout [Chain]) async throws {
        let ids = Set(chains.filter { $0.origin == nil }.compactMap { $0.broughtBy?.rawValue })
        let installs = try await InstallReader(database: database, app: app).read(ids.sorted()[...])
        let found = Dictionary(installs.map { ($0.id, $0) }) { first, _ in first }
        for place in chains.indices where chains[place].origin == nil {
            guard let id = chains[place].broughtBy, let install = found[id] else { continue }
            chains[place].origin = ChainOrigin(install.origin, firstOpenedAtMs: install.firstOpenAtMs)
        }
    }

    /// Of chains that were folded before the event of their exposure came.
    private func findSales(_ chains: inout [Chain]) async throws {
        let pending = chains.indices.filter { chains[$0].soldBy == nil && chains[$0].exposure != nil }
        guard !pending.isEmpty else { return }
        let sales = try await database.read { [chains, app] connection in
            try pending.map { place -> SoldBy? in
                guard let exposure = chains[place].exposure, let install = chains[place].broughtBy else { return nil }
                return try SoldBy.find(exposure, of: install, in: app, from: connection)
            }
        }
        for (place, sale) in zip(pending, sales) { chains[place].soldBy = sale }
    }
}

extension RevenueOrigins {
    private enum Column: Int, TableColumn { case chain_id, began_at_ms, brought_by_install, owner_profile, origin, exposure_id, sold_by }
    private static let columns = ColumnIndexes<Column>()

    private static let chainsText = """
        SELECT \(Column.names())
        FROM purchase_chain WHERE app_id = $1 AND chain_id IN (\(ListedIDs.places))
        """
}

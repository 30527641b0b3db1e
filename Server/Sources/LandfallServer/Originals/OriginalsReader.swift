// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
package import LandfallRules
package import LandfallStore

/// Reads what Apple signed, in the order of the chains and a limited number at a time, checks it again, and compares the charges that
/// follow from it with those that are stored.
package struct OriginalsReader: Sendable {
    /// Chains that were checked.
    package struct Page: Sendable {
        /// Of production and the sandboxes alike; only the former have charges.
        package let chains: [CheckedChain]
        /// Sentences about rows of no chain that is stored.
        package let differences: [String]
        /// Where the next page begins; nil after the last one.
        package let next: String?
    }

    static let page = 100
    /// After the name of every environment, in any order of letters.
    private static let end = "zz"
    private static let mostHeaders = 256

    private let database: any StoreReading
    private let app: AppID
    private let rules: PurchaseRules
    /// Nil: signatures are not checked, only their hashes.
    private let verifier: AppStoreVerifier?
    private let nowMs: Int64
    private let page: Int
    /// By their hashes. Nearly all originals have one of a few.
    private var headers: [[UInt8]: String] = [:]

    package init(
        _ database: any StoreReading, of app: App, trust: AppStoreTrust?, rules: PurchaseRules, nowMs: Int64, page: Int = page
    ) {
        (self.database, self.app, self.rules, self.nowMs, self.page) = (database, app.id, rules, nowMs, page)
        verifier = trust?.verifier(of: app)
    }

    /// One snapshot of the store: a fold that happens meanwhile is in it wholly, or not at all.
    /// - Parameter after: ``Page/next`` of the page before; empty for the first.
    package mutating func read(after: String) async throws -> Page {
        let (ids, facts, charges, counted) = try await database.read { [app, page, rules] connection in
            let ids = try connection.rows(RulesWork.chainsText, [.text(app.rawValue), .text(after), .integer(Int64(page))])
                .map { try $0.text("chain_id") }
            let last = ids.count < page ? Self.end : ids.last ?? Self.end
            let values: [SQLValue] = [.text(app.rawValue), .text(after), .text(last)]
            let answers = try connection.rows([Statement(Self.factsText, values), Statement(ChargeRow.rangeQuestion, values)])
            let counted = try CountedErasures(of: ids.compactMap { ChainID($0) }, answers[0], rules: rules, app, connection)
            return (ids, answers[0], answers[1], counted)
        }
        try await learnHeaders(of: facts)
        let factsOf = try Dictionary(grouping: facts) { try $0.text("chain_id") }
        let chargesOf = try Dictionary(grouping: charges) { try $0.text("chain_id") }
        let known = Set(ids), chains = ids.compactMap { ChainID($0) }
        let checked = try await withThrowingTaskGroup(of: (Int, CheckedChain).self) { [headers, verifier, rules, nowMs] group in
            for (place, chain) in chains.enumerated() {
                let facts = factsOf[chain.description] ?? [], charges = chargesOf[chain.description] ?? []
                group.addTask {
                    var check = OriginalsCheck(chain, headers: headers, verifier: verifier, nowMs: nowMs)
                    let folded = ChainState.fold(try await check.facts(facts), of: chain, rules: rules).charges
                    return (place, check.compared(folded.filter { !counted.has($0, of: chain) }, with: charges))
                }
            }
            return try await group.reduce(into: [Int: CheckedChain]()) { $0[$1.0] = $1.1 }
        }
        let stray = charges.filter { row in !known.contains(row.optionalText("chain_id") ?? "") }
        return Page(
            chains: chains.indices.compactMap { checked[$0] }, differences: stray.map { ChargeRow.extra($0) },
            next: ids.count < page ? nil : ids.last)
    }

    private mutating func learnHeaders(of facts: [Row]) async throws {
        if headers.count > Self.mostHeaders { headers = [:] }
        let missing = try Set(facts.filter { $0["header_hash"] != .null }.map { try $0.blob("header_hash") }).subtracting(headers.keys)
        guard !missing.isEmpty else { return }
        let asked = missing.sorted { $0.lexicographicallyPrecedes($1) }
        let statements = asked.map { Statement(Self.headerText, [.text(app.rawValue), .blob($0)]) }
        for (hash, rows) in zip(asked, try await database.rows(statements)) { headers[hash] = try rows.first?.text("header") }
    }

    private static let factsText = """
        SELECT chain_id, kind, fact_id, jws_hash, signed_at_ms, header_hash, payload, signature FROM purchase_fact
        WHERE app_id = $1 AND chain_id > $2 AND chain_id <= $3
        """
    private static let headerText = "SELECT header FROM jws_header WHERE app_id = $1 AND header_hash = $2"
}

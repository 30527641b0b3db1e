// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallPurchases
package import LandfallRules
package import LandfallStore
import LandfallWire

extension JobKind {
    /// The work that follows from a change of what products open.
    package static let purchaseRules = JobKind(rawValue: "purchase_rules")
}

/// Folds every chain again when the configuration says something else of products: who bought before has what it says now. A chain that
/// gets a fact meanwhile is folded by the new rules anyway.
package struct RulesWork: Sendable {
    /// Chains of one transaction, and transactions of one try.
    static let lot = 20, mostLots = 200
    /// How long a change may go unnoticed.
    static let pauseMs: Int64 = 60_000

    private let database: any Database
    private let configuration: LiveConfiguration
    private let tokens: PurchaseTokens
    private let time: ServerTime

    package init(_ database: any Database, _ mark: StoreMark, configuration: LiveConfiguration, time: ServerTime) {
        (self.database, self.configuration, self.time) = (database, configuration, time)
        tokens = PurchaseTokens(key: mark.purchaseKey)
    }

    package func work(of app: AppID) -> JobWork {
        JobWork(kind: .purchaseRules, standing: [JobName(app: app, kind: .purchaseRules, key: "chains")]) { job in
            for _ in 0..<Self.mostLots {
                guard try await step(in: app) else { return .again(atMs: time.nowMs() + Self.pauseMs) }
                try await time.sleep(RetentionRule.pause)
            }
            return .again(atMs: time.nowMs())
        }
    }

    /// - Returns: false if every chain is folded by the rules that are served.
    func step(in app: AppID) async throws -> Bool {
        let rules = configuration.snapshot.configuration.purchases, hash = rules.foldHash
        let (state, chains) = try await database.read { connection in
            let state = try connection.row(Progress.question, [.text(app.rawValue)]).map { try Progress($0) }
            guard state?.folded != hash else { return (state, [] as [ChainID]) }
            let after = state?.walking == hash ? state?.after ?? "" : ""
            let rows = try connection.rows(Self.chainsText, [.text(app.rawValue), .text(after), .integer(Int64(Self.lot))])
            return (state, try rows.compactMap { ChainID(try $0.text("chain_id")) })
        }
        guard state?.folded != hash else { return false }
        let nowMs = time.nowMs()
        let units = chains.map { ChainUnit($0, rules: rules, tokens: tokens, app: app, nowMs: nowMs) }
        let isDone = chains.count < Self.lot
        let next = Progress(folded: isDone ? hash : state?.folded ?? "", walking: hash, after: chains.last?.description ?? "")
        try await database.write(.bulk, locking: units.map(\.lock)) { connection in
            var changed: Set<ProfileID> = []
            for unit in units { changed.formUnion(try unit.refold(connection)) }
            try AccessUnit(app: app, nowMs: nowMs).fold(changed, connection)
            try connection.run(next.writing(app))
        }
        return !isDone
    }

    private static let chainsText = """
        SELECT chain_id FROM purchase_chain WHERE app_id = $1 AND chain_id > $2 ORDER BY chain_id LIMIT $3
        """
}

/// By which rules the chains are folded.
private struct Progress: Sendable {
    /// Every chain.
    let folded: String
    /// Those up to ``after``.
    let walking: String
    let after: String

    init(folded: String, walking: String, after: String) { (self.folded, self.walking, self.after) = (folded, walking, after) }

    static let question = "SELECT folded, walking, after_chain FROM purchase_rules WHERE app_id = $1"

    init(_ row: Row) throws {
        (folded, walking, after) = (try row.text("folded"), try row.text("walking"), try row.text("after_chain"))
    }

    func writing(_ app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO purchase_rules (app_id, folded, walking, after_chain) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app_id) DO UPDATE SET folded = excluded.folded, walking = excluded.walking, after_chain = excluded.after_chain
            """, [.text(app.rawValue), .text(folded), .text(walking), .text(after)])
    }
}

extension PurchaseRules {
    /// Grows when a release folds the same facts to something else.
    private static let foldVersion = 1

    /// Equal for rules by which every chain opens the same.
    var foldHash: String {
        var words = ["\(Self.foldVersion)", sandbox == .refuse ? "refuse" : "", "\(graceDays)"]
        for product in products {
            if case .prefix = product.name { words.append("*") }
            words += [product.name.text, product.durationMs.map { "\($0)" } ?? ""] + product.access.map(\.rawValue) + [""]
        }
        return Array(SHA256.hash(data: Data(words.joined(separator: "\n").utf8))).hexadecimal
    }
}

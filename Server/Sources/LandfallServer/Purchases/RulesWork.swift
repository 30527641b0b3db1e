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
/// gets a fact is folded by the rules of its node; where these are others than those of all chains, the walk begins anew.
package struct RulesWork: Sendable {
    enum Step: Hashable, Sendable {
        /// Every chain is folded by the rules that are served.
        case done
        /// The rules are others than before, or another node is at it. The walk goes on a little later, see ``RulesWork/settlingMs``.
        case noticed
        case more
    }

    /// Chains of one transaction, and transactions of one try.
    static let lot = 20, mostLots = 400
    /// Between two transactions: others write meanwhile. A million chains take less than an hour.
    private static let pause: Duration = .milliseconds(25)
    /// How long a change may go unnoticed.
    static let pauseMs: Int64 = 45_000
    /// Until every node serves the new rules: one that still has the old ones would only make the walk begin anew.
    static let settlingMs: Int64 = 15_000

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
                switch try await step(in: app) {
                case .done: return .again(atMs: time.nowMs() + Self.pauseMs)
                case .noticed: return .again(atMs: time.nowMs() + Self.settlingMs)
                case .more: try await time.sleep(Self.pause)
                }
            }
            return .again(atMs: time.nowMs())
        }
    }

    /// One transaction.
    func step(in app: AppID) async throws -> Step {
        let rules = configuration.snapshot.configuration.purchases, hash = rules.foldHash
        let (state, chains) = try await database.read { connection in
            let state = try Progress(of: app, connection)
            guard let state, state.folded != hash, state.walking == hash else { return (state, [] as [ChainID]) }
            let rows = try connection.rows(Self.chainsText, [.text(app.rawValue), .text(state.after), .integer(Int64(Self.lot))])
            let chains = try rows.map { row in
                guard let chain = ChainID(try row.text("chain_id")) else { throw DatabaseError.unexpectedValue(column: "chain_id") }
                return chain
            }
            return (state, chains)
        }
        if let state, state.folded == hash { return .done }
        let isBegun = state?.walking == hash, nowMs = time.nowMs()
        let units = chains.map { ChainUnit($0, rules: rules, tokens: tokens, app: app, nowMs: nowMs) }
        let isDone = isBegun && chains.count < Self.lot
        // From the first chain on the rules before are not those of every chain any more, also if the configuration returns to them.
        let next = Progress(folded: isDone ? hash : "", walking: hash, after: isBegun ? chains.last?.description ?? "" : "")
        let note = configuration.webhooks.note(of: .accessChanged, nowMs: nowMs)
        let isWritten = try await database.write(.bulk, locking: [Progress.lock(app)] + units.map(\.lock)) { connection in
            // Another node may have the job meanwhile, and other rules.
            guard try Progress(of: app, connection) == state else { return false }
            var changed: Set<ProfileID> = []
            for unit in units { changed.formUnion(try unit.refold(connection)) }
            let accesses = try AccessUnit(app: app, nowMs: nowMs).fold(changed, connection)
            for row in try note?.insertions(of: accesses, into: app, connection) ?? [] { try connection.run(row) }
            guard try connection.run(next.writing(app, over: state)) > 0 else { throw DatabaseError.retry("a chain was folded by other rules") }
            return true
        }
        guard isWritten, isBegun else { return .noticed }
        return isDone ? .done : .more
    }

    /// A chain is folded by these rules: if they are not those of all chains, the next step finds nothing to go on with.
    static func folding(by rules: PurchaseRules, in app: AppID) -> Statement {
        Statement(
            """
            UPDATE purchase_rules SET folded = '', walking = '', after_chain = ''
            WHERE app_id = $1 AND CASE WHEN folded = '' THEN walking ELSE folded END NOT IN ('', $2)
            """, [.text(app.rawValue), .text(rules.foldHash)])
    }

    static let chainsText = """
        SELECT chain_id FROM purchase_chain WHERE app_id = $1 AND chain_id > $2 ORDER BY chain_id LIMIT $3
        """
}

/// By which rules the chains are folded.
private struct Progress: Hashable, Sendable {
    /// Every chain; empty while some are folded by others.
    let folded: String
    /// Those up to ``after``.
    let walking: String
    let after: String

    init(folded: String, walking: String, after: String) { (self.folded, self.walking, self.after) = (folded, walking, after) }

    /// - Returns: nil before the first walk.
    init?(of app: AppID, _ connection: any ReadConnection) throws {
        let row = try connection.row("SELECT folded, walking, after_chain FROM purchase_rules WHERE app_id = $1", [.text(app.rawValue)])
        guard let row else { return nil }
        (folded, walking, after) = (try row.text("folded"), try row.text("walking"), try row.text("after_chain"))
    }

    static func lock(_ app: AppID) -> RowLock { RowLock("purchase_rules", ["app_id": .text(app.rawValue)]) }

    /// - Parameter before: writes nothing over another state.
    func writing(_ app: AppID, over before: Progress?) -> Statement {
        Statement(
            """
            INSERT INTO purchase_rules (app_id, folded, walking, after_chain) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app_id) DO UPDATE SET folded = excluded.folded, walking = excluded.walking, after_chain = excluded.after_chain
            WHERE purchase_rules.folded = $5 AND purchase_rules.walking = $6 AND purchase_rules.after_chain = $7
            """,
            [.text(app.rawValue)] + values + (before?.values ?? Self.none))
    }

    private var values: [SQLValue] { [.text(folded), .text(walking), .text(after)] }
    private static let none = [SQLValue](repeating: .text(""), count: 3)
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

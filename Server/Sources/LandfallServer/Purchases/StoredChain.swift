// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// What the store says of a chain besides its facts: whose it is, and where it came from.
struct StoredChain: Hashable, Sendable {
    var owners = ChainOwners()
    /// The install by which its first owner brought it. It stays when the chain changes hands. Nil also if that install is gone.
    var broughtBy: InstallID?
    /// Nil: its first owner's phone has not reported it yet.
    var broughtAtMs: Int64?
    /// The first purchase, as far as facts say it, in Unix milliseconds.
    var beganAtMs: Int64?
    /// Of the install that brought it, once that is deleted.
    var origin: ChainOrigin?
    /// The event of the paywall that sold it, as a phone named it first.
    var exposure: String?
    /// What that event says; nil until it has come.
    var soldBy: SoldBy?

    init() {}

    static let question = """
        SELECT owner_profile, users, moves, brought_by_install, brought_at_ms, began_at_ms, origin, exposure_id, sold_by
        FROM purchase_chain WHERE app_id = $1 AND chain_id = $2
        """

    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` for a row that the server has not written.
    init(_ row: Row) throws {
        guard let users = Self.list(String.self, try row.text("users")) else { throw DatabaseError.unexpectedValue(column: "users") }
        guard let moves = Self.list(Int64.self, try row.text("moves")) else { throw DatabaseError.unexpectedValue(column: "moves") }
        owners = ChainOwners(
            owner: row.optionalText("owner_profile").map { ProfileID($0) }, users: users.map { ProfileID($0) }, movedAtMs: moves)
        broughtBy = row.optionalText("brought_by_install").map { InstallID($0) }
        broughtAtMs = row.optionalInteger("brought_at_ms")
        beganAtMs = row.optionalInteger("began_at_ms")
        origin = try row.optionalText("origin").map { try ChainOrigin(text: $0) }
        exposure = row.optionalText("exposure_id")
        soldBy = try row.optionalText("sold_by").map { try SoldBy(text: $0) }
    }

    private static func list<Value: Decodable>(_ type: Value.Type, _ text: String) -> [Value]? {
        try? WireCoding.decode([Value].self, from: Data(text.utf8))
    }

    private var values: [SQLValue] {
        get throws {
            [
                .text(owners.owner?.rawValue), .text(String(decoding: try WireCoding.encode(owners.users.map(\.rawValue)), as: UTF8.self)),
                .text(String(decoding: try WireCoding.encode(owners.movedAtMs), as: UTF8.self)), .text(broughtBy?.rawValue),
                .integer(broughtAtMs), .integer(beganAtMs), .text(try origin?.text), .text(exposure), .text(try soldBy?.text),
            ]
        }
    }

    /// Whether its money counts for the same in reports.
    func hasOrigin(of other: StoredChain) -> Bool {
        broughtBy == other.broughtBy && beganAtMs == other.beganAtMs && origin == other.origin && exposure == other.exposure
            && soldBy == other.soldBy
    }

    /// - Parameters:
    ///   - facts: how many the chain has.
    ///   - newsDueAtMs: by all of them.
    ///   - isNews: one of them is new, so the chain's version grows. Otherwise what was heard of the next news stays.
    func writing(_ key: [SQLValue], facts: Int, newsDueAtMs: Int64?, isNews: Bool, nowMs: Int64) throws -> Statement {
        Statement(
            """
            INSERT INTO purchase_chain (
              app_id, chain_id, version, facts, first_seen_at_ms, changed_at_ms, owner_profile, users, moves, brought_by_install,
              brought_at_ms, began_at_ms, origin, exposure_id, sold_by, news_due_at_ms
            )
            VALUES ($1, $2, 1, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            ON CONFLICT (app_id, chain_id) DO UPDATE SET
              version = purchase_chain.version + $15, facts = excluded.facts, changed_at_ms = excluded.changed_at_ms,
              owner_profile = excluded.owner_profile, users = excluded.users, moves = excluded.moves,
              brought_by_install = excluded.brought_by_install, brought_at_ms = excluded.brought_at_ms,
              began_at_ms = excluded.began_at_ms, origin = excluded.origin, exposure_id = excluded.exposure_id, sold_by = excluded.sold_by,
              news_due_at_ms = CASE WHEN $15 = 1 THEN excluded.news_due_at_ms ELSE purchase_chain.news_due_at_ms END
            """, key + [.integer(Int64(facts)), .integer(nowMs)] + (try values) + [.integer(newsDueAtMs), .flag(isNews)])
    }

    /// The same facts, with other people.
    func rewriting(_ key: [SQLValue]) throws -> Statement {
        Statement(
            """
            UPDATE purchase_chain SET owner_profile = $3, users = $4, moves = $5, brought_by_install = $6, brought_at_ms = $7,
              began_at_ms = $8, origin = $9, exposure_id = $10, sold_by = $11
            WHERE app_id = $1 AND chain_id = $2
            """, key + (try values))
    }
}

extension RowLock {
    /// Held by every unit that adds facts to the chain, or changes whose it is. It is taken before the lock of a profile.
    static func chain(_ id: String, in app: AppID) -> RowLock {
        RowLock("purchase_chain", ["app_id": .text(app.rawValue), "chain_id": .text(id)])
    }
}

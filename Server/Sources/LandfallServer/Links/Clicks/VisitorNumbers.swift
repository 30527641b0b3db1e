// SPDX-License-Identifier: Apache-2.0
import Crypto
package import LandfallStore
import Synchronization

/// Distinguishes the visitors of one link on one day, and nothing else: 64 bits of an HMAC over the link, a prefix of the
/// address and the user agent. The key is random, belongs to one day (UTC) and is deleted after it; then the numbers cannot be
/// traced to a visitor.
package final class VisitorNumbers: Sendable {
    static let dayMs: Int64 = 86_400_000
    private let database: any Database
    private let today = Mutex<(day: Int64, code: KeyedCode)?>(nil)

    package init(_ database: any Database) { self.database = database }

    /// Reads the day's key, or creates it. Call it before ``number(link:address:userAgent:nowMs:)``.
    func prepare(nowMs: Int64) async throws {
        if !isPrepared(nowMs: nowMs) { try await readKey(day: nowMs / Self.dayMs) }
    }

    func isPrepared(nowMs: Int64) -> Bool { today.withLock { $0?.day == nowMs / Self.dayMs } }

    /// - Returns: nil without the day's key.
    func number(link: String, address: ClientAddress?, userAgent: String?, nowMs: Int64) -> Int64? {
        let day = nowMs / Self.dayMs
        guard let known = today.withLock({ $0 }), known.day == day else { return nil }
        var code = known.code
        code.add(link)
        code.add("\n")
        if let address { code.add(address.network) }
        code.add("\n")
        if let userAgent { code.add(userAgent) }
        return code.number
    }

    /// Deletes the keys of past days.
    /// - Returns: how many.
    @discardableResult
    func forget(before day: Int64) async throws -> Int {
        today.withLock { if let known = $0, known.day < day { $0 = nil } }
        return try await database.write(.bulk, locking: []) { connection in
            try connection.run("DELETE FROM visitor_key WHERE day < $1", [.integer(day)])
        }
    }

    /// The key is the same on every node.
    private func readKey(day: Int64) async throws {
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        let bytes = try await database.write { connection in
            try connection.run("DELETE FROM visitor_key WHERE day < $1", [.integer(day)])
            try connection.run(
                "INSERT INTO visitor_key (day, key) VALUES ($1, $2) ON CONFLICT DO NOTHING", [.integer(day), .blob(fresh)])
            let row = try connection.row("SELECT key FROM visitor_key WHERE day = $1", [.integer(day)])
            return try row?.blob("key") ?? fresh
        }
        today.withLock { [code = KeyedCode(key: bytes)] in $0 = (day, code) }
    }
}

extension RetentionRule {
    /// Runs at midnight, and every hour in case the store could not be written to then.
    package static func visitorKeys(_ visitors: VisitorNumbers) -> RetentionRule {
        RetentionRule(
            name: "visitor_key",
            nextMs: { nowMs in nowMs + min(VisitorNumbers.dayMs - nowMs % VisitorNumbers.dayMs, RetentionRule.intervalMs) },
            heedsClock: false,
            lot: { nowMs in RetentionLot(rows: ["visitor_key": try await visitors.forget(before: nowMs / VisitorNumbers.dayMs)]) })
    }
}

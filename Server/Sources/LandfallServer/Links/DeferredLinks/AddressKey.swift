// SPDX-License-Identifier: Apache-2.0
import Crypto
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Turns addresses into marks for ten minutes. The key is random, the same on every node, and deleted when no click of its
/// period waits any more: then the marks cannot be traced to an address.
struct AddressKey: Hashable, Sendable {
    static let lifeMs: Int64 = 600_000

    /// The number of the ten-minute period since 1970.
    let period: Int64
    private let bytes: [UInt8]

    /// HMAC-SHA256 of what browser and app have in common: the whole address and the platform. The system version is left out,
    /// because browsers do not report the true one.
    func mark(of address: ClientAddress, platform: BrowserPlatform, in app: AppID) -> [UInt8] {
        let text = Array("\(app)\n\(platform.rawValue)\n".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: text + address.bytes, using: SymmetricKey(data: bytes)))
    }
}

extension AddressKey {
    /// The first period that can contain a click that still waits.
    static func firstPeriod(nowMs: Int64, windowMs: Int64) -> Int64 { (nowMs - windowMs) / lifeMs }

    /// The keys of every period that can contain a click that still waits.
    static func live(nowMs: Int64, windowMs: Int64, from connection: any ReadConnection) throws -> [AddressKey] {
        try connection.rows(
            "SELECT period, key FROM address_key WHERE period >= $1",
            [.integer(firstPeriod(nowMs: nowMs, windowMs: windowMs))]
        ).map { AddressKey(period: try $0.integer("period"), bytes: try $0.blob("key")) }
    }

    /// Random bytes for a key. Drawn before the transaction that may store it, because that may run again.
    static func drawn() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }

    /// The key of this instant; made of the fresh bytes if there is no key yet.
    static func current(nowMs: Int64, orMadeOf fresh: [UInt8], in connection: any WriteConnection) throws -> AddressKey {
        let period = nowMs / lifeMs
        if let key = try stored(period, from: connection) { return key }
        try connection.run(
            "INSERT INTO address_key (period, key) VALUES ($1, $2) ON CONFLICT DO NOTHING", [.integer(period), .blob(fresh)])
        return try stored(period, from: connection) ?? AddressKey(period: period, bytes: fresh)
    }

    private static func stored(_ period: Int64, from connection: any ReadConnection) throws -> AddressKey? {
        try connection.row("SELECT key FROM address_key WHERE period = $1", [.integer(period)]).map {
            AddressKey(period: period, bytes: try $0.blob("key"))
        }
    }
}

/// Deletes expired address keys, and the clicks that waited under them. If addresses are not matched (any more), it deletes all
/// of them. The keys go at once; then the clicks, which cannot be traced without the keys, in batches.
package struct AddressKeyExpiry: Sendable {
    package let database: any Database
    package let app: AppID
    package let matching: AddressMatching?

    package init(database: any Database, app: AppID, matching: AddressMatching?) {
        (self.database, self.app, self.matching) = (database, app, matching)
    }

    func forgetSome(nowMs: Int64) async throws -> RetentionLot {
        let first = matching.map { AddressKey.firstPeriod(nowMs: nowMs, windowMs: $0.windowMs) } ?? .max
        let lot = Statement(Self.clicksText, [.text(app.rawValue), .integer(first), .integer(RetentionRule.mostRows)])
        return try await database.write(.bulk, locking: []) { connection in
            let keys = try connection.run("DELETE FROM address_key WHERE period < $1", [.integer(first)])
            let clicks = try connection.run(lot)
            return RetentionLot(rows: ["address_key": keys, "address_click": clicks], isMore: Int64(clicks) >= RetentionRule.mostRows)
        }
    }

    /// When a key expires; in an hour if addresses are not matched.
    func nextMs(_ nowMs: Int64) -> Int64 {
        nowMs + (matching.map { AddressKey.lifeMs - (nowMs - $0.windowMs) % AddressKey.lifeMs } ?? RetentionRule.intervalMs)
    }

    static let clicksText = """
        DELETE FROM address_click WHERE app_id = $1 AND (period, mark) IN (
          SELECT period, mark FROM address_click WHERE app_id = $1 AND period < $2 LIMIT $3
        )
        """
}

extension RetentionRule {
    /// - Parameter forgetting: called for every batch, because the window may have changed.
    package static func addresses(_ forgetting: @escaping @Sendable () -> AddressKeyExpiry) -> RetentionRule {
        RetentionRule(
            name: "address_click", nextMs: { forgetting().nextMs($0) }, heedsClock: false,
            lot: { try await forgetting().forgetSome(nowMs: $0) })
    }
}

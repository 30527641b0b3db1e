// SPDX-License-Identifier: Apache-2.0
import Crypto
package import LandfallRules
package import LandfallStore
import LandfallWire
import Synchronization

/// Turns addresses into marks for ten minutes. The key is random, the same on every node, and deleted when no click of its
/// period waits any more: then the marks cannot be traced to an address.
struct AddressKey: Hashable, Sendable {
    static let lifeMs: Int64 = 600_000

    /// The number of the ten-minute period since 1970.
    let period: Int64
    fileprivate let bytes: [UInt8]

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

    fileprivate static let insertion = "INSERT INTO address_key (period, key) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    fileprivate static let text = "SELECT key FROM address_key WHERE period = $1"
}

/// Keeps the key of the current ten minutes in memory: a click that waits by address is then an added row like any other, and waits for
/// no other click.
package final class AddressKeys: Sendable {
    fileprivate let database: any Database
    private let newest = Mutex<AddressKey?>(nil)

    package init(_ database: any Database) { self.database = database }

    /// The key of this instant; nil if it has to be read, see ``prepared(nowMs:)``.
    func known(nowMs: Int64) -> AddressKey? {
        let period = nowMs / AddressKey.lifeMs
        return newest.withLock { $0?.period == period ? $0 : nil }
    }

    /// The key of this instant, read from the store, or created there. It is the same on every node.
    func prepared(nowMs: Int64) async throws -> AddressKey {
        if let key = known(nowMs: nowMs) { return key }
        let period = nowMs / AddressKey.lifeMs
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        let key = try await database.write { connection in
            try connection.run(AddressKey.insertion, [.integer(period), .blob(fresh)])
            let row = try connection.row(AddressKey.text, [.integer(period)])
            return AddressKey(period: period, bytes: try row?.blob("key") ?? fresh)
        }
        // A slow call may come back after one of the next period.
        newest.withLock { if $0.map({ $0.period <= period }) ?? true { $0 = key } }
        return key
    }

    /// A key that was deleted is forgotten here too: the marks of its clicks cannot be traced any more.
    func hear(_ news: StoreNews) {
        switch news {
        case .changed(let changes):
            for change in changes where change.kind == .addressKeys {
                guard let period = Int64(change.subject) else { continue }
                newest.withLock { if let known = $0, known.period < period { $0 = nil } }
            }
        case .missed: newest.withLock { $0 = nil }
        }
    }
}

/// Deletes expired address keys, and the clicks that waited under them. If addresses are not matched (any more), it deletes all
/// of them. The keys go at once; then the clicks, which cannot be traced without the keys, in batches.
package struct AddressKeyExpiry: Sendable {
    let keys: AddressKeys
    let app: AppID
    let matching: AddressMatching?

    package init(keys: AddressKeys, app: AppID, matching: AddressMatching?) {
        (self.keys, self.app, self.matching) = (keys, app, matching)
    }

    func forgetSome(nowMs: Int64) async throws -> RetentionLot {
        let first = matching.map { AddressKey.firstPeriod(nowMs: nowMs, windowMs: $0.windowMs) } ?? .max
        let lot = Statement(Self.clicksText, [.text(app.rawValue), .integer(first), .integer(RetentionRule.mostRows)])
        return try await keys.database.write(.bulk, locking: []) { connection in
            let keys = try connection.run("DELETE FROM address_key WHERE period < $1", [.integer(first)])
            if keys > 0 { connection.tell(.addressKeys(before: first)) }
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

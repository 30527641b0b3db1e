// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore

/// What the store keeps of a chain whose person was erased: a keyed hash, and the source that its money counts for. So the App Store's next
/// renewal is counted without a person. If somebody brings the chain again, it is theirs; what was counted before stays counted there alone.
struct ErasedChain: Sendable {
    private let chain: String
    private let hashes: PurchaseHashes
    private let app: AppID

    init(_ chain: String, _ hashes: PurchaseHashes, in app: AppID) { (self.chain, self.hashes, self.app) = (chain, hashes, app) }

    private var key: [SQLValue] { [.text(app.rawValue), .blob(hashes.hash(ofChain: chain))] }

    /// No row: nobody who had the chain was erased. A row without a source: somebody has it again.
    var question: Statement { Statement("SELECT source FROM erased_chain WHERE app_id = $1 AND chain_hash = $2", key) }

    func keeping(_ source: String) -> Statement {
        Statement(
            """
            INSERT INTO erased_chain (app_id, chain_hash, source) VALUES ($1, $2, $3)
            ON CONFLICT (app_id, chain_hash) DO UPDATE SET source = excluded.source
            """, key + [.text(source)])
    }

    /// Somebody has the chain again.
    var returning: Statement { Statement("UPDATE erased_chain SET source = NULL WHERE app_id = $1 AND chain_hash = $2", key) }

    /// Counts charges of the chain that were not counted before.
    /// - Parameter waiting: rows of `charge` that the erasure has not come to: it counts them itself.
    func count(_ charges: [Charge], for source: String, waiting: [Row], _ connection: any WriteConnection) throws {
        let waiting = Set(try waiting.map { try ErasedCharge($0, of: chain, hashes).hash })
        let charges = charges.map { ErasedCharge($0, of: chain, hashes) }.filter { !waiting.contains($0.hash) }
        _ = try ErasedCharge.count(charges, for: source, in: app, connection)
    }

    /// The same for rows of `charge`.
    /// - Returns: how many rows it has changed.
    func count(_ rows: [Row], for source: String, _ connection: any WriteConnection) throws -> Int {
        try ErasedCharge.count(rows.map { try ErasedCharge($0, of: chain, hashes) }, for: source, in: app, connection)
    }

    /// Those that an erasure has not counted: only they are somebody's.
    func uncounted(_ charges: [Charge], _ connection: any ReadConnection) throws -> [Charge] {
        let answers = try connection.rows(
            charges.map { Statement(Self.markQuestion, [key[0], .blob(ErasedCharge($0, of: chain, hashes).hash)]) })
        return zip(charges, answers).filter(\.1.isEmpty).map(\.0)
    }

    private static let markQuestion = "SELECT 1 AS found FROM erased_charge WHERE app_id = $1 AND charge_hash = $2"
}

extension StoredChain {
    /// What its money counts for by source, in the words of reports. The origin was read before, if the install that brought it is still here.
    var source: String {
        guard let origin else { return ChainOrigin.unknown }
        return origin.isLater(than: beganAtMs) ? ChainOrigin.before : origin.source ?? ChainOrigin.unknown
    }
}

extension ChainOrigin {
    private static let quarterMs: Int64 = 900_000

    /// What stays of it if the person is erased who had the install: the source, and about when it was opened first.
    var ofErased: ChainOrigin { ChainOrigin(source: source, firstOpenedAtMs: firstOpenedAtMs / Self.quarterMs * Self.quarterMs) }

    private init(source: String?, firstOpenedAtMs: Int64) {
        (self.source, self.firstOpenedAtMs) = (source, firstOpenedAtMs)
        (channel, campaign, adGroup, keyword, link) = (nil, nil, nil, nil, nil)
    }
}

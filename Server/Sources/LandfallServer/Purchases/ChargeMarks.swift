// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

extension DirtyMark {
    /// The days of charges: who changes a charge, or what is known of who brought or sold its chain, marks them in the same transaction.
    /// Each transaction has marks of its own, so that no two wait for each other.
    package static let charges = "charge"

    /// - Parameter stamp: of the transaction, see ``drawnStamp()``.
    package static func charges(on days: some Sequence<Int64>, sinceMs: Int64, stamp: Int64) -> [DirtyMark] {
        Set(days).sorted().map { DirtyMark(report: charges, bucket: "\($0) \(stamp)", sinceMs: sinceMs, stamp: stamp) }
    }

    /// Of a mark of ``charges``.
    /// - Throws: ``DatabaseError/unexpectedValue(column:)``.
    package var chargeDay: Int64 { get throws { try Self.chargeDay(bucket) } }

    package static func chargeDay(_ bucket: String) throws -> Int64 {
        guard let day = Int64(bucket.prefix { $0 != " " }) else { throw DatabaseError.unexpectedValue(column: "bucket") }
        return day
    }
}

/// The days on which charges of chains lie: of their purchases and of their bookings.
package enum ChargeDays {
    /// With `+`, so that SQLite finds the rows by their chain and not by their days.
    private static let ofChainText = """
        SELECT DISTINCT +purchase_day AS purchase_day, booking_day FROM charge WHERE app_id = $1 AND chain_id = $2
        """
    /// Of chains that an install has brought.
    private static let chainsText = """
        SELECT chain_id FROM purchase_chain WHERE app_id = $1 AND brought_by_install = $2
          AND ($3 = 1 OR exposure_id IS NOT NULL AND sold_by IS NULL)
        """

    static func of(_ chains: [String], in app: AppID, from connection: any ReadConnection) throws -> Set<Int64> {
        let answers = try connection.rows(chains.map { Statement(ofChainText, [.text(app.rawValue), .text($0)]) })
        return try answers.joined().reduce(into: []) { days, row in
            days.insert(try row.integer("purchase_day"))
            days.insert(try row.integer("booking_day"))
        }
    }

    /// - Parameter onlyUnsold: chains of which the paywall that sold them is known are left out.
    package static func brought(
        by install: String, onlyUnsold: Bool, in app: AppID, from connection: any ReadConnection
    ) throws -> Set<Int64> {
        let chains = try connection.rows(chainsText, [.text(app.rawValue), .text(install), .flag(!onlyUnsold)])
        return chains.isEmpty ? [] : try of(chains.map { try $0.text("chain_id") }, in: app, from: connection)
    }
}

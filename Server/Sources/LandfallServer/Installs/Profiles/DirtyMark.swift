// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Says that something has to be counted again. Written in the transaction of the fact, so that no crash separates the two.
///
/// Every fact gives the mark another stamp. The computing job reads the stamp first and deletes the mark only if it still has
/// that stamp: a fact that comes meanwhile keeps its mark, whatever the order of the commits.
package struct DirtyMark: Hashable, Sendable {
    package let report: String
    package let bucket: String
    package let sinceMs: Int64
    package let stamp: Int64

    package init(report: String, bucket: String, sinceMs: Int64, stamp: Int64) {
        (self.report, self.bucket, self.sinceMs, self.stamp) = (report, bucket, sinceMs, stamp)
    }

    package static let installs = "install"
    /// The days of first opens.
    package static func days(of generation: Int64) -> String { "day \(generation)" }
    /// The days of exposures.
    package static func paywallDays(of generation: Int64) -> String { "paywall \(generation)" }

    package static func allDays(of generation: Int64) -> [String] { [days(of: generation), paywallDays(of: generation)] }

    /// A number that no other transaction has drawn. Draw it before the transaction begins.
    package static func drawnStamp() -> Int64 { Int64(DrawnNumbers.shared.next() >> 1) }

    /// Reads and changes no other row.
    package func insertion(into app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO report_dirty (app_id, report, bucket, since_ms, stamp) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app_id, report, bucket) DO UPDATE SET stamp = excluded.stamp
            """,
            [.text(app.rawValue), .text(report), .text(bucket), .integer(sinceMs), .integer(stamp)])
    }

    /// Deletes no row if a later fact has stamped the mark.
    package func deletion(from app: AppID) -> Statement {
        Statement(
            "DELETE FROM report_dirty WHERE app_id = $1 AND report = $2 AND bucket = $3 AND stamp = $4",
            [.text(app.rawValue), .text(report), .text(bucket), .integer(stamp)])
    }

    /// The count includes every fact before this time; the mark stays. Changes no row if a later count has been noted.
    package func advance(to countedToMs: Int64, in app: AppID) -> Statement {
        Statement(
            "UPDATE report_dirty SET since_ms = $4 WHERE app_id = $1 AND report = $2 AND bucket = $3 AND since_ms < $4",
            [.text(app.rawValue), .text(report), .text(bucket), .integer(countedToMs)])
    }

    static let oldestText = """
        SELECT bucket, since_ms, stamp FROM report_dirty WHERE app_id = $1 AND report = $2 ORDER BY since_ms LIMIT $3
        """

    /// The marks of a report, the oldest first.
    package static func oldest(_ report: String, of app: AppID, _ limit: Int, _ connection: any ReadConnection) throws -> [DirtyMark] {
        try connection.rows(oldestText, [.text(app.rawValue), .text(report), .integer(Int64(limit))]).map { row in
            DirtyMark(
                report: report, bucket: try row.text("bucket"), sinceMs: try row.integer("since_ms"),
                stamp: try row.integer("stamp"))
        }
    }
}

extension InstallUnit {
    /// What the install did has to be counted again.
    var reportMark: Statement {
        DirtyMark(report: DirtyMark.installs, bucket: id.rawValue, sinceMs: nowMs, stamp: reportStamp).insertion(into: app)
    }
}

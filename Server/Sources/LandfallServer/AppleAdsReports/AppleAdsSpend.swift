// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// What Apple Ads cost, as Apple says it now. A sum of one kind holds each amount once: a campaign contains its ad groups.
package struct AppleAdsSpend: Sendable {
    /// By what rows are told apart. Days always are.
    package struct Row: Hashable, Sendable {
        /// Since 1970, UTC.
        package let day: Int
        package let id: Int64
        /// Two letters; empty if Apple names none.
        package let country: String
        /// The ad account's. It is never converted here.
        package let currency: String
        package let milliunits: Int64
        package let impressions, taps: Int64
        /// As Apple counts them: `totalInstalls`.
        package let installs: Int64
    }

    private let database: any StoreReading
    private let app: AppID

    package init(_ database: any StoreReading, app: AppID) { (self.database, self.app) = (database, app) }

    /// - Parameters:
    ///   - kind: of the ids that are summed by.
    ///   - days: since 1970, UTC.
    package func rows(_ kind: AppleAdsKind, on days: ClosedRange<Int>) async throws -> [Row] {
        let range: [SQLValue] = [.text(app.rawValue), .text(kind.rawValue), .integer(Int64(days.lowerBound)), .integer(Int64(days.upperBound))]
        return try await database.rows([Statement(Self.text, range)])[0].map { row in
            Row(
                day: Int(try row.integer("day")), id: try row.integer("id"), country: try row.text("country"), currency: try row.text("currency"),
                milliunits: try row.integer("milliunits"), impressions: try row.integer("impressions"), taps: try row.integer("taps"),
                installs: try row.integer("installs"))
        }
    }

    /// The first and the last day that have any spend; nil if none was read.
    package func days() async throws -> ClosedRange<Int>? {
        let row = try await database.rows([Statement(Self.daysText, [.text(app.rawValue)])])[0].first
        guard let first = row?.optionalInteger("first"), let last = row?.optionalInteger("last") else { return nil }
        return Int(first)...Int(last)
    }

    private static let text = """
        SELECT day, id, country, currency, milliunits, impressions, taps, installs
        FROM apple_ads_spend WHERE app_id = $1 AND kind = $2 AND day >= $3 AND day <= $4
        """
    private static let daysText = """
        SELECT MIN(day) AS first, MAX(day) AS last FROM apple_ads_spend WHERE app_id = $1 AND kind = 'campaign'
        """
}

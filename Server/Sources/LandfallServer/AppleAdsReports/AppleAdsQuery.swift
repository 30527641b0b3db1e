// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The body of a question for a list or a report.
struct AppleAdsQuery: Encodable {
    struct Filter: Encodable, Hashable {
        let field: String
        let `operator`: String
        let value: [String]
    }
    struct Sorting: Encodable, Hashable {
        let field: String
        let order: String
    }
    struct Pagination: Encodable, Hashable {
        var offset: Int
        let pageSize: Int
        /// Only lists know it.
        var fetchTotalCount: Bool?
    }
    struct TimeRange: Encodable, Hashable {
        let start, end: String
        var timeZone = "UTC"
        var granularity = "DAILY"
    }

    var filters: [Filter]
    var sorting: [Sorting]?
    var pagination: Pagination
    var timeRange: TimeRange?
    var groupBy: [String]?
    var fields: [String]?

    func body() throws -> [UInt8] { try Array(JSONEncoder().encode(self)) }

    /// Apple hides deleted entities unless a filter asks for them.
    /// - Parameter campaign: nil for all of the ad account. A list of keywords needs one.
    static func entities(of campaign: Int64?, areDeleted: Bool, offset: Int, pageSize: Int) -> AppleAdsQuery {
        AppleAdsQuery(
            filters: (campaign.map { [.campaign($0)] } ?? []) + (areDeleted ? [Filter(field: "deleted", operator: "EQUALS", value: ["true"])] : []),
            sorting: [Sorting(field: "id", order: "ASC")], pagination: Pagination(offset: offset, pageSize: pageSize, fetchTotalCount: true))
    }

    /// Of all apps of the ad account without an app.
    static func productPages(of app: Int64?, offset: Int, pageSize: Int) -> AppleAdsQuery {
        AppleAdsQuery(
            filters: app.map { [Filter(field: "adamId", operator: "EQUALS", value: [String($0)])] } ?? [],
            pagination: Pagination(offset: offset, pageSize: pageSize, fetchTotalCount: true))
    }

    /// By day and country. Each report needs a campaign.
    static func spend(of campaign: Int64, _ range: TimeRange, offset: Int, pageSize: Int) -> AppleAdsQuery {
        AppleAdsQuery(
            filters: [.campaign(campaign)], sorting: [Sorting(field: "localSpend", order: "DESC")],
            pagination: Pagination(offset: offset, pageSize: pageSize), timeRange: range, groupBy: ["countryOrRegion"], fields: AppleAdsMetrics.fields)
    }
}

extension AppleAdsQuery.Filter {
    fileprivate static func campaign(_ id: Int64) -> AppleAdsQuery.Filter {
        AppleAdsQuery.Filter(field: "campaignId", operator: "EQUALS", value: [String(id)])
    }
}

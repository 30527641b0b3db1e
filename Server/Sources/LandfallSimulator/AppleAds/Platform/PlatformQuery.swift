// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The body of a question for a list or a report, read as strictly as Apple reads it.
struct PlatformQuery: Decodable {
    struct Filter: Decodable {
        let field: String
        let `operator`: String
        let value: [String]
    }
    struct Pagination: Decodable {
        var offset: Int?
        var pageSize: Int?
        var fetchTotalCount: Bool?
    }
    struct TimeRange: Decodable {
        let start, end, timeZone, granularity: String
    }

    var filters: [Filter]?
    var pagination: Pagination?
    var timeRange: TimeRange?
    var groupBy: [String]?

    /// Of campaigns; nil without such a filter.
    var campaigns: Set<Int64>? {
        filters?.first { $0.field == "campaignId" }.map { Set($0.value.compactMap { Int64($0) }) }
    }

    /// The App Store id of a filter of product pages; nil without one.
    var app: String? { filters?.first { $0.field == "adamId" }?.value.first }

    var isForDeleted: Bool { filters?.contains { $0.field == "deleted" && $0.value == ["true"] } ?? false }

    /// What Apple would refuse; nil if nothing.
    /// - Parameter isReport: reports need a campaign and a time; lists of keywords need a campaign.
    func fault(_ kind: SimulatedAdAccount.Kind, isReport: Bool, today: Int) -> String? {
        if let fault = fault(filteredBy: ["campaignId", "adGroupId", "deleted"], mostRows: isReport ? 5_000 : 1_000) { return fault }
        guard isReport else { return kind == .keywords && campaigns == nil ? "A filter of campaignId or adGroupId is needed." : nil }
        guard campaigns != nil else { return "A filter of campaignId is needed." }
        guard let timeRange, let days = Self.days(timeRange), timeRange.granularity == "DAILY", timeRange.timeZone == "UTC" else {
            return "The time range is not of days in UTC."
        }
        guard days.count > 1, days.lowerBound > today - 90, days.upperBound <= today else { return "Days are from the last 90, and more than one." }
        return (groupBy ?? []) == ["countryOrRegion"] ? nil : "Reports are grouped by countryOrRegion here."
    }

    /// What Apple would refuse of any question; nil if nothing.
    func fault(filteredBy fields: Set<String>, mostRows: Int = 1_000) -> String? {
        for filter in filters ?? [] {
            guard fields.contains(filter.field) else { return "The field \(filter.field) cannot be filtered by." }
            guard filter.operator == "EQUALS" && filter.value.count == 1 || filter.operator == "IN" else { return "The operator \(filter.operator) does not fit." }
        }
        guard (1...mostRows).contains(pagination?.pageSize ?? 100), pagination?.offset ?? 0 >= 0 else { return "The pagination is out of range." }
        return nil
    }

    static func days(_ range: TimeRange) -> ClosedRange<Int>? {
        guard let start = day(range.start), let end = day(range.end), start <= end else { return nil }
        return start...end
    }

    private static func day(_ text: String) -> Int? {
        (try? Date(text + "T00:00:00Z", strategy: .iso8601)).map { Int($0.timeIntervalSince1970 / 86_400) }
    }

    static func text(ofDay day: Int) -> String {
        Date(timeIntervalSince1970: Double(day) * 86_400).formatted(.iso8601.year().month().day())
    }
}

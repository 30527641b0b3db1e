// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// The reports that have a page.
enum ReportName: String, CaseIterable, Sendable {
    case campaigns
    case links
    case paywalls
    case funnel
    case retention

    var kind: ReportKind {
        switch self {
        case .campaigns: .campaigns
        case .links: .links
        case .paywalls: .paywalls
        case .funnel: .funnel
        case .retention: .retention
        }
    }

    /// What rows can be grouped by.
    var fields: [String] { kind.dimensions }

    /// The fields of the rows where none are asked for.
    var usual: [String] { choices[0] }

    /// What the page offers; an address can have any others.
    var choices: [[String]] {
        switch self {
        case .campaigns:
            [["source", "campaign"], ["source"], ["campaign"], ["adGroup"], ["keyword"], ["creative"], ["channel"], ["link"], ["country"], ["platform"], ["appVersion"], ["day"]]
        case .links: [["host", "path"], ["campaign"], ["adGroup"], ["creative"], ["channel"], ["country"], ["platform"], ["referrer"], ["browser"], ["language"], ["productPage"], ["day"]]
        case .paywalls: [["placement", "paywall"], ["placement"], ["paywall"], ["variation"], ["audience"], ["origin"], ["day"]]
        case .funnel: [["source"], ["campaign"], ["country"], ["day"]]
        case .retention: [["day"], ["week"], ["source"], ["campaign"]]
        }
    }

    /// The way down: from a value of one field to its parts by the next.
    var levels: [String] {
        switch self {
        case .campaigns: ["source", "campaign", "adGroup", "keyword"]
        case .funnel, .retention: ["source", "campaign"]
        case .links: ["host", "path"]
        case .paywalls: ["placement", "paywall", "audience"]
        }
    }

    /// The column whose days the page draws; nil where the page draws something else.
    var main: String? {
        switch self {
        case .campaigns: "firstOpens"
        case .links: "clicks"
        case .paywalls: "shown"
        case .funnel, .retention: nil
        }
    }

    /// Fields that name a time. Rows are filtered by them with the days of the report.
    static let times = ReportSheet.times

    /// The fields that other reports may know: a filter by one of them goes along from report to report.
    static let shared: Set<String> = Set(allCases.flatMap(\.fields)).subtracting(times)

    var section: Frame.Section {
        switch self {
        case .campaigns: .campaigns
        case .links: .linkReport
        case .paywalls: .paywallReport
        case .funnel: .funnel
        case .retention: .retention
        }
    }
}

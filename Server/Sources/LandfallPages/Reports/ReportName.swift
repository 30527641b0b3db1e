// SPDX-License-Identifier: Apache-2.0

/// The reports that have a page.
package enum ReportName: String, CaseIterable, Sendable {
    case campaigns
    case links
    case paywalls

    /// The fields by which rows are told apart, as the report calls them.
    package var fields: [String] {
        switch self {
        case .campaigns: ["day", "source", "channel", "campaign", "adGroup", "adSet", "creative", "keyword", "country", "platform"]
        case .links: ["day", "host", "path", "campaign", "adGroup", "creative", "channel", "platform", "country"]
        case .paywalls: ["day", "placement", "paywall", "variation", "audience", "origin"]
        }
    }

    /// The fields of the rows where none are asked for.
    package var usual: [String] { choices[0] }

    /// What the page offers; an address can have any others.
    var choices: [[String]] {
        switch self {
        case .campaigns:
            [["source", "campaign"], ["source"], ["campaign"], ["adGroup"], ["keyword"], ["creative"], ["channel"], ["country"], ["platform"], ["day"]]
        case .links: [["host", "path"], ["campaign"], ["adGroup"], ["creative"], ["channel"], ["country"], ["platform"], ["day"]]
        case .paywalls: [["placement", "paywall"], ["placement"], ["paywall"], ["variation"], ["audience"], ["origin"], ["day"]]
        }
    }

    /// The way down: from a value of one field to its parts by the next.
    var levels: [String] {
        switch self {
        case .campaigns: ["source", "campaign", "adGroup", "keyword"]
        case .links: ["host", "path"]
        case .paywalls: ["placement", "paywall", "audience"]
        }
    }

    /// The column that the chart shows.
    package var main: String {
        switch self {
        case .campaigns: "firstOpens"
        case .links: "clicks"
        case .paywalls: "shown"
        }
    }

    /// The fields that other reports may know: a filter by one of them goes along from report to report.
    static let shared: Set<String> = Set(allCases.flatMap(\.fields)).subtracting(["day"])

    var section: Frame.Section {
        switch self {
        case .campaigns: .campaigns
        case .links: .linkReport
        case .paywalls: .paywallReport
        }
    }
}

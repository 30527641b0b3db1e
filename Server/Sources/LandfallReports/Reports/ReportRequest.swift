// SPDX-License-Identifier: Apache-2.0

/// The reports there are, by the names that callers use.
package enum ReportKind: String, CaseIterable, Sendable {
    case campaigns, funnel, links, overview, paywalls, retention

    /// The names of everything that its rows can be grouped by.
    package var dimensions: [String] {
        switch self {
        case .campaigns: CampaignReport.Dimension.allCases.map(\.rawValue)
        case .funnel: FunnelReport.Dimension.allCases.map(\.rawValue)
        case .links: LinkReport.Dimension.allCases.map(\.rawValue)
        case .overview: OverviewReport.Dimension.allCases.map(\.rawValue)
        case .paywalls: PaywallReport.Dimension.allCases.map(\.rawValue)
        case .retention: RetentionReport.Dimension.allCases.map(\.rawValue)
        }
    }
}

/// What is asked of a report.
package struct ReportRequest: Hashable, Sendable {
    /// Which report, and what its rows are grouped by. No dimensions give one row for all.
    package enum Report: Hashable, Sendable {
        case campaigns(by: [CampaignReport.Dimension])
        case funnel(by: [FunnelReport.Dimension])
        case links(by: [LinkReport.Dimension])
        case overview(by: [OverviewReport.Dimension])
        case paywalls(by: [PaywallReport.Dimension])
        case retention(by: [RetentionReport.Dimension])
    }

    package let report: Report
    package let days: ReportDays
    /// So many of the first rows are needed, in the order of a document; nil for all. A report may answer with more.
    package let limit: Int?
    /// Only rows with these values of dimensions by name are needed, an empty value for none. The reports of campaigns and of links leave
    /// most others out, which saves their time; a caller filters what is there.
    package let only: [String: [UInt8]]

    package init(_ report: Report, _ days: ReportDays, limit: Int? = nil, only: [String: [UInt8]] = [:]) {
        (self.report, self.days, self.limit, self.only) = (report, days, limit, only)
    }

    /// - Parameter names: of dimensions; nil for the usual ones.
    /// - Throws: ``ReportError/dimensions(known:)``.
    package init(
        _ kind: ReportKind, by names: [String]?, _ days: ReportDays, limit: Int? = nil, only: [String: [UInt8]] = [:]
    ) throws(ReportError) {
        let report: Report =
            switch kind {
            case .campaigns: .campaigns(by: try names.map(CampaignReport.Dimension.named) ?? [.source, .campaign])
            case .funnel: .funnel(by: try names.map(FunnelReport.Dimension.named) ?? [.day])
            case .links: .links(by: try names.map(LinkReport.Dimension.named) ?? [.host, .path])
            case .overview: .overview(by: try names.map(OverviewReport.Dimension.named) ?? [.day])
            case .paywalls: .paywalls(by: try names.map(PaywallReport.Dimension.named) ?? [.placement, .paywall])
            case .retention: .retention(by: try names.map(RetentionReport.Dimension.named) ?? RetentionReport.usual(days))
            }
        self.init(report, days, limit: limit, only: only)
    }
}

/// What the rows of a report can be grouped by. Each report has its own dimensions.
package protocol ReportDimension: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {}

extension ReportDimension {
    /// Those of these dimensions that are of this report.
    static func only(_ values: [String: [UInt8]]) -> [Self: [UInt8]] {
        Dictionary(uniqueKeysWithValues: values.compactMap { name, value in Self(rawValue: name).map { ($0, value) } })
    }

    /// - Parameter names: an empty list gives one row for all.
    /// - Throws: ``ReportError/dimensions(known:)``.
    static func named(_ names: [String]) throws(ReportError) -> [Self] {
        let dimensions = names.compactMap { Self(rawValue: $0) }
        guard dimensions.count == names.count, Set(dimensions).count == names.count else {
            throw .dimensions(known: Self.allCases.map(\.rawValue))
        }
        return dimensions
    }
}

/// The app as a whole, day by day: first opens and what became of them, beside all clicks. It is the campaigns report without its other
/// dimensions, so the sums of both agree.
package enum OverviewReport {
    package enum Dimension: String, ReportDimension {
        case day

        var ofCampaigns: CampaignReport.Dimension {
            switch self {
            case .day: .day
            }
        }
    }
}

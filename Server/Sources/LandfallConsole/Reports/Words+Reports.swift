// SPDX-License-Identifier: Apache-2.0

/// Around the tables of reports.
extension Words {
    func name(of report: ReportName) -> String {
        switch report {
        case .campaigns: campaigns
        case .links: linkReport
        case .paywalls: paywallReport
        case .funnel: funnelReport
        case .retention: retentionReport
        }
    }

    var linkReport: String { translate("Clicks of links") }
    var paywallReport: String { translate("Paywalls shown") }
    var funnelReport: String { translate("Funnel") }
    var retentionReport: String { translate("Retention") }

    var compareBefore: String { translate("Compare with the time before") }
    var otherDays: String { translate("Other days") }
    var firstReportDay: String { translate("First day") }
    var lastReportDay: String { translate("Last day") }
    var showDays: String { translate("Show these days") }
    var splitBy: String { translate("Split by") }
    func by(_ fields: [String]) -> String {
        fields.isEmpty ? everything : translate("By \(self.fields(fields))")
    }
    func byWeek(_ column: String) -> String { translate("\(column) by week") }
    func byDay(_ column: String) -> String { translate("\(column) by day") }
    func fields(_ names: [String]) -> String { list(names.map { field($0) }) }
    /// Names of fields.
    func list(_ names: [String]) -> String { names.joined(separator: translate(", ", context: "between the fields of a report")) }
    var rowsTotal: String { translate("Total") }
    var restOfRows: String { translate("Other") }
    var removeReportFilter: String { translate("Remove the filter ") }
    var unknownFilter: String { translate("This report does not know it") }
    var noSuchRows: String { translate("No row has it") }
    var filteredTotals: String { translate("The totals are those of the filtered rows.") }
    var hiddenGroup: String {
        translate("Fewer than 10 installs, or too few others to hide them among: this group is only part of “Other”. Remove a filter.")
    }
    var mergedGroups: String {
        translate("Groups of fewer than 10 installs are together in “Other”. Days of fewer have no numbers, nor have some days beside them.")
    }
    var fewOnDays: String { translate("Days of fewer than 10 installs have no numbers, nor have some days beside them.") }
    var filesMerge: String {
        translate("In files, groups of fewer than 10 installs are together in “other”, and days of fewer have no numbers.")
    }
    var reportFiles: String { translate("Files") }
    func asFile(_ kind: String) -> String { translate("Download \(kind)") }
    var rowPages: String { translate("Pages", context: "of rows") }
    var previousRows: String { translate("Previous rows") }
    var nextRows: String { translate("Next rows") }
    func rows(_ first: Int, _ last: Int, of count: Int) -> String {
        let (first, last, count) = (language.count(Int64(first)), language.count(Int64(last)), language.count(Int64(count)))
        return translate("Rows \(first) to \(last) of \(count)")
    }
    var linksOfCampaign: String { translate("The links of this campaign") }
    var whatColumnsMean: String { translate("What the columns mean") }
    var unknownValue: String {
        translate("Cannot be known: a share of nothing, numbers that others keep to themselves, or days whose rows were deleted before they were counted.")
    }
    var tryReport: String { translate("To see how it looks, or what there is:") }
    var nothingFiltered: String { translate("No rows have these filters. Remove one.") }

    func nothingCounted(_ report: ReportName) -> String {
        switch report {
        case .campaigns, .funnel, .retention:
            translate("No app was opened for the first time on these days, and no link was clicked. Rows come with the first of both.")
        case .links:
            translate("No link was opened on these days. Rows come with the first click; test devices' own clicks count too.")
        case .paywalls: translate("No app reported a paywall on these days. Rows come when an app records paywall_shown.")
        }
    }

    func sentence(_ refusal: ReportPage.Refusal) -> String {
        switch refusal {
        case .tooManyInstalls: translate("The report is about more than a million installs. Choose fewer days.")
        case .countedApart: translate("These fields are counted apart, so that no row can have both. Remove one of them.")
        }
    }

    var wrongDay: String { translate("Write a day, such as 2026-11-01.") }
    var daysInReverse: String { translate("The first day is after the last.") }
    var tooManyDays: String { translate("A report has at most 400 days.") }
}

// SPDX-License-Identifier: Apache-2.0

/// Around the numbers of the overview.
extension Words {
    var warnings: String { translate("To look at") }
    func sentence(_ warning: OverviewPage.Warning) -> String {
        switch warning {
        case .late(let count):
            let count = language.count(count)
            return translate("Installs that saw a paywall before their source was known: \(count)")
        case .expiredClicks(let count):
            let count = language.count(count)
            return translate("Clicks on links that had expired: \(count)")
        case .behind(let minutes):
            let minutes = language.count(minutes)
            return translate("Reports, minutes behind: \(minutes)")
        case .unhealthy(let findings):
            let names = language.list(findings.map { name(of: $0) })
            return translate("Health, not in order: \(names)")
        }
    }
    var whose: String { translate("Whose paywalls") }
    var newInstalls: String { translate("New installs") }
    var everybody: String { translate("Everybody") }
    var allCampaigns: String { translate("All campaigns") }
    var allLinks: String { translate("All links") }
    var period: String { translate("Period") }
    func days(_ count: Int) -> String { translate("\(count) days") }
    var firstOpens: String { translate("First opens") }
    var attributed: String { translate("Attributed") }
    var clicks: String { translate("Clicks") }
    var uniqueClicks: String { translate("Unique") }
    var shown: String { translate("Paywall shown") }
    var campaign: String { translate("Campaign") }
    var campaigns: String { translate("Campaigns") }
    var link: String { translate("Link") }
    var unknownSource: String { translate("Not known") }
    var originsTitle: String { translate("Where shown paywalls came from") }
    var noTimeBefore: String { translate("Nothing before to compare") }
    func than(_ value: String) -> String { translate(" against \(value) before") }
    var noFirstOpens: String { translate("No first opens in these days yet.") }
    var noCampaigns: String { translate("Campaigns appear with the first opens.") }
    var noClicks: String { translate("No clicks in these days yet.") }
    func notFiltered(_ names: [String]) -> String {
        let names = language.list(names)
        return translate("Not counted by these filters, so not shown: \(names)")
    }

    func name(of part: OverviewPage.Uncounted) -> String {
        switch part {
        case .figure(let figure): name(of: figure)
        case .links: links
        case .origins: originsTitle
        }
    }

    func name(of figure: OverviewPage.Figure.Name) -> String {
        switch figure {
        case .firstOpens: firstOpens
        case .attributed: attributed
        case .clicks: clicks
        case .shown: shown
        case .converted(let metric): column("converted." + metric)
        case .timeToPaywall: timeToPaywall
        case .net: net
        }
    }

    var timeToPaywall: String { translate("Time to paywall") }
    func slowest(_ time: String) -> String { translate("95 of 100 within \(time)") }

    var whatNumbersMean: String { translate("What the numbers mean") }

    /// As the report defines the column that the number comes from.
    func definition(of figure: OverviewPage.Figure) -> String {
        let column: String
        switch figure.name {
        case .firstOpens: column = "firstOpens"
        case .attributed: column = "attributed"
        case .clicks: column = "clicks"
        case .shown: column = "shown"
        case .converted(let metric): column = "converted." + metric
        case .timeToPaywall: column = "elapsed.p50"
        case .net: return netOfDays
        }
        return definition(of: column, english: figure.definition)
    }

    func origin(_ name: String?) -> String {
        switch name {
        case "matchingAudience": translate("Matching the person")
        case "cache": translate("Kept on the phone")
        case "defaultAudience": translate("For everyone")
        case "other": restOfRows
        case "bundled": translate("Bundled with the app")
        case let name?: name
        case nil: unknownSource
        }
    }
}

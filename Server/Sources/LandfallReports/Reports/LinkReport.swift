// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// How often links were followed: clicks by day, link, campaign or platform.
package struct LinkReport: Sendable {
    package enum Dimension: String, ReportDimension {
        case day, host, path, campaign, adGroup, creative, channel, platform, country
        /// The host of the page with the link, the browser or app that opened it, its first language, and Apple's id of the store's page.
        case referrer, browser, language, productPage
    }

    static let clicks = "Stored clicks of people in browsers, on links that led somewhere."
    static let sentToStore = "Of the clicks, those that led to a store. What the store showed is unknown."

    static let columns: [ReportSheet.Column] = [
        .init(.clicks, clicks),
        .init(.uniqueClicks, "The same, each visitor of one link on one day once."),
        .init(.sentToStore, sentToStore),
        .init(.expiredClicks, "Stored clicks of people in browsers, on links that had expired."),
        .init(.machineRequests, "Stored requests of bots, previews, prefetches and HEAD."),
        .init(.appOpens, "Links that reached the app, told by installs that proved who they are, on the day when they told it."),
        .init(.unprovenAppOpens, "The same, told with the SDK key alone."),
        .init(.buttonTaps, "Buttons of links' pages that people tapped, each button of a page once, on the day of the tap."),
    ]

    /// Of reports, and of days of clicks.
    package static let layout = MetricLayout([
        .clicks, .uniqueClicks, .sentToStore, .expiredClicks, .machineRequests, .appOpens, .unprovenAppOpens, .buttonTaps,
    ])

    let days: ReportDays
    let by: [Dimension]
    /// Other rows are left out where days have the dimension.
    let only: [Dimension: [UInt8]]

    package init(days: ReportDays, by: [Dimension], only: [Dimension: [UInt8]] = [:]) {
        self.days = days
        self.by = by
        self.only = only
    }

    /// - Parameters:
    ///   - counts: grouped by ``by``, in the order of ``layout``.
    ///   - isWhole: false if clicks of these days may be deleted already.
    ///   - most: so many of the first rows are asked for; nil for all.
    func sheet(_ counts: CellTable, isWhole: Bool, most: Int? = nil, completeToMs: Int64) -> ReportSheet {
        var sheet = ReportSheet(
            kind: .links, days: days, completeToMs: completeToMs, by: by.map(\.rawValue),
            columns: Self.columns, layout: Self.layout, rows: [:],
            totals: isWhole ? counts.totals.map { $0 } : Self.layout.metrics.map { _ in nil })
        var shown = counts
        // The first of many rows are chosen before there are arrays for each of them.
        if let most, !by.contains(.day) {
            shown = counts.capped(ReportSheet.mostRows, fields: by.count)
            sheet.rowCount = shown.count
            shown = shown.first(most)
        }
        sheet.rows = shown.rows.mapValues { $0.map { $0 } }
        return sheet
    }
}

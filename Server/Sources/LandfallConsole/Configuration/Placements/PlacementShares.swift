// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallWire

/// How often each audience of a placement saw its paywall in the last days, by the counted days of the report about paywalls.
struct PlacementShares: Hashable, Sendable {
    static let days = ReportQuery.usualLength

    /// Exposures by audience. Nil is not told: it is about few people, or about few beside it.
    private let exposures: [ExactText: Int64?]
    /// Of all audiences, those of earlier versions and none too; nil where it is not told.
    private let total: Int64?
    /// An audience without a number of its own has none.
    private let isWhole: Bool
    let completeToMs: Int64

    init(exposures: [String: Int64?], total: Int64?, isWhole: Bool, completeToMs: Int64) {
        self.exposures = Dictionary(exposures.map { (ExactText($0.key), $0.value) }) { first, _ in first }
        (self.total, self.isWhole, self.completeToMs) = (total, isWhole, completeToMs)
    }

    init(_ rows: FilteredReport.Rows) {
        let sheet = rows.sheet, column = sheet.layout[.exposures], rest = Array(DayCells.other.utf8)
        var exposures: [String: Int64?] = [:]
        for (key, counts) in sheet.rows where key != [rest] {
            if let name = key.first ?? nil { exposures.updateValue(counts[column], forKey: String(decoding: name, as: UTF8.self)) }
        }
        self.init(
            exposures: exposures, total: sheet.totals[column], isWhole: !rows.isMerged && !rows.isHidden && sheet.rows[[rest]] == nil,
            completeToMs: sheet.completeToMs)
    }

    /// The report with the same numbers; nil for a name that no address can carry.
    static func report(about placement: String) -> ReportQuery? {
        let query = ReportQuery(.paywalls, ["placement": placement, "by": "audience"])
        return query.filters.isEmpty ? nil : query
    }

    /// Nil where it is not told.
    func exposures(of audience: String) -> Int64? { exposures[ExactText(audience)] ?? (isWhole ? 0 : nil) }

    func share(of audience: String) -> Double? {
        guard let total, total > 0, let own = exposures(of: audience) else { return nil }
        return Double(own) / Double(total)
    }

    /// What no audience of a list has with a number of its own; nil where nothing is left, or it is not told.
    func rest(beside audiences: [String]) -> Int64? {
        guard let total else { return nil }
        let told = audiences.reduce(Int64(0)) { $0 + (exposures(of: $1) ?? 0) }
        return total > told ? total - told : nil
    }
}

extension PlacementShares {
    /// A bar, and the numbers beside it.
    @HTMLBuilder func html(of audience: String, _ words: Words) -> HTML {
        if let share = share(of: audience) {
            Self.bar(share)
            span(.class("line")) {
                words.language.share(share)
                span(.class("quiet")) { " · " + words.language.count(exposures(of: audience) ?? 0) }
            }
        } else {
            span(.class("quiet")) { total == 0 ? words.language.share(0) : words.tooFewToTell }
        }
    }

    private static func bar(_ share: Double) -> HTML {
        // A small share is still seen.
        let thousandths = share > 0 ? min(1_000, max(5, Int((share * 1_000).rounded()))) : 0
        return svg(Attribute("viewBox", "0 0 1000 8"), Attribute("preserveAspectRatio", "none"), Attribute("aria-hidden", "true")) {
            rect(.class("track"), Attribute("width", "1000"), Attribute("height", "8")) {}
            rect(.class("now"), Attribute("width", "\(thousandths)"), Attribute("height", "8")) {}
        }
    }

    /// What the bars are, and what they leave over.
    func note(_ frame: Frame, of entries: [PlacementEntry], at placement: String) -> HTML {
        let words = frame.words
        return p(.class("note")) {
            words.sharesNote(Self.days) + " " + words.completeTo(completeToMs) + " "
            if let rest = rest(beside: entries.map(\.audience)) { words.restOfExposures(words.language.count(rest)) + " " }
            if let report = Self.report(about: placement) { a(.href(report.place)) { words.paywallReport } }
        }
    }
}

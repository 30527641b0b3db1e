// SPDX-License-Identifier: Apache-2.0

/// One number a day or a week, beside the same of the time before. Drawn on the server; the same numbers are in a table below it.
struct DayChart: Hashable, Sendable {
    struct Day: Hashable, Sendable {
        /// 2026-11-22; of a week its first day.
        let date: String
        /// Nil if it is not known: the day is a gap.
        let value: Int64?
        /// The value as many days earlier as the chart is long; nil if it is not known.
        let before: Int64?
        /// False for a day or week that is not over, or a week with fewer days: its bar is hatched.
        let isWhole: Bool
    }

    /// The most days that are drawn; of more, weeks are.
    static let most = 92
    static let width = 920, height = 200

    let name: String
    let days: [Day]
    /// The bars are weeks.
    var isByWeek = false
    /// The values are thousandths of it; nil: they are counts.
    var currency: String?
    /// Each value is a state at the end of its day or week: they have no sum.
    var isState = false
    /// Where a click on a bar leads, for each of ``days``; empty: nowhere.
    var places: [Place] = []
    /// What was published on these days.
    var versions: [Version] = []

    func html(_ words: Words) -> HTML {
        let language = words.language
        let values: [Int64] = days.flatMap { day -> [Int64] in [day.value ?? 0, day.before ?? 0] }
        let least: Int64 = currency == nil ? 0 : 5_000
        let top = Self.roundTop(of: max(least, values.max() ?? 0))
        // Refunds can be more than what was paid on a day.
        let bottom = values.min().flatMap { $0 < 0 ? -Self.roundTop(of: -max($0, -Int64.max)) : nil } ?? 0
        return figure(.class("chart")) {
            div(.class("plot")) {
                p(.class("top"), Attribute("aria-hidden", "true")) { text(top, language) }
                drawing(words, bottom...top)
                p(.class("ends"), Attribute("aria-hidden", "true")) {
                    span { words.day(days.first?.date ?? "") }
                    span { words.day(days.last?.date ?? "") }
                }
            }
            figcaption {
                span(.class("key now")) { name }
                if days.contains(where: { $0.before != nil }) { span(.class("key before")) { words.timeBefore } }
                if days.contains(where: { !$0.isWhole }) { span(.class("key open")) { isByWeek ? words.weekNotWhole : words.dayNotOver } }
                if !versions.isEmpty { span(.class("key version")) { words.versionPublished } }
                if !places.isEmpty { span { isByWeek ? words.weeksLead : words.daysLead } }
            }
            details {
                summary { words.asTable }
                rows(words)
            }
        }
    }

    private func rows(_ words: Words) -> HTML {
        let published = published, hasBefore = days.contains { $0.before != nil }
        let titles = [isByWeek ? words.weekFrom : words.day] + (published.isEmpty ? [] : [words.versionPublished])
        // A day is one short line on a phone too, and 90 cards would be long.
        return scrollingTable(name, caption: name, titles: titles, numbers: [name] + (hasBefore ? [words.timeBefore] : []), hasCards: false) {
            for (index, day) in days.enumerated() {
                tr {
                    th(Attribute("scope", "row")) { places.isEmpty ? HTML(day.date) : a(.href(places[index])) { day.date } }
                    if !published.isEmpty { td { for version in published[index] ?? [] { version.link(words) } } }
                    td(.class("number")) { text(day.value, words.language) }
                    if hasBefore { td(.class("number")) { text(day.before, words.language) } }
                }
            }
        }
    }

    /// The width of a bar with the space around it.
    var step: Double { Double(Self.width) / Double(max(1, days.count)) }

    /// What is clicked on: from the top of the picture down.
    func hit(_ index: Int, height: Int) -> HTML {
        rect(
            .class("hit"), Attribute("x", Self.coordinate(Double(index) * step)), Attribute("width", Self.coordinate(step)),
            Attribute("height", "\(height)")
        ) {}
    }

    private func drawing(_ words: Words, _ values: ClosedRange<Int64>) -> HTML {
        let extent = max(1, Double(values.upperBound) - Double(values.lowerBound))
        func y(_ value: Int64) -> Double { Double(Self.height) * (Double(values.upperBound) - Double(value)) / extent }
        let known = days.compactMap(\.value)
        // The sum of days that are all unknown is unknown too.
        let total = known.isEmpty && !days.isEmpty ? nil : isState ? known.last : Self.sum(known)
        let earlier = days.compactMap(\.before)
        let finding = words.chartFinding(
            from: words.day(days.first?.date ?? ""), to: words.day(days.last?.date ?? ""),
            total: isState ? words.chartEnd(text(total, words.language)) : text(total, words.language),
            before: earlier.isEmpty ? nil : text(Self.sum(earlier), words.language),
            most: days.filter { $0.value != nil }.max { $0.value ?? 0 < $1.value ?? 0 }.map {
                (words.day($0.date), text($0.value, words.language))
            }, versions: versions.count, isByWeek: isByWeek)
        return svg(
            Attribute("viewBox", "0 0 \(Self.width) \(Self.height)"), Attribute("preserveAspectRatio", "none"),
            // Nobody finds a link in an image.
            Attribute("role", places.isEmpty && versions.isEmpty ? "img" : "group"),
            Attribute("aria-labelledby", "chart-title chart-desc")
        ) {
            title(.id("chart-title")) { name }
            desc(.id("chart-desc")) { finding }
            Element("defs")() {
                Element("pattern")(
                    .id("hatch"), Attribute("width", "6"), Attribute("height", "6"), Attribute("patternUnits", "userSpaceOnUse"),
                    Attribute("patternTransform", "rotate(45)")
                ) { rect(.class("now"), Attribute("width", "3"), Attribute("height", "6")) {} }
            }
            for line in [0, Double(Self.height) / 2, Double(Self.height)] + (values.lowerBound < 0 ? [y(0)] : []) {
                path(.class("grid"), Attribute("d", "M0 \(Self.coordinate(line))h\(Self.width)")) {}
            }
            for (index, day) in days.enumerated() {
                let tip = "\(day.date): \(text(day.value, words.language))"
                let bar = bar(index, y, tip: tip)
                if places.isEmpty { bar } else {
                    a(.class("day"), .href(places[index]), .label(tip)) {
                        hit(index, height: Self.height)
                        bar
                    }
                }
            }
            let before = line(y)
            if !before.isEmpty { path(.class("before"), Attribute("d", before)) {} }
            marks(words)
        }
    }

    /// - Returns: nil for a day of nothing, and for one that is not known.
    private func bar(_ index: Int, _ y: (Int64) -> Double, tip: String) -> HTML? {
        guard let value = days[index].value, value != 0 else { return nil }
        return rect(
            .class(days[index].isWhole ? "now" : "open"), Attribute("x", Self.coordinate((Double(index) + 0.14) * step)),
            Attribute("y", Self.coordinate(y(max(0, value)))), Attribute("width", Self.coordinate(step * 0.72)),
            Attribute("height", Self.coordinate(y(min(0, value)) - y(max(0, value))))
        ) { title { tip } }
    }

    /// The line of the time before: one part for each run of at least two known days.
    private func line(_ y: (Int64) -> Double) -> String {
        var runs: [[String]] = [[]]
        for (index, day) in days.enumerated() {
            if let before = day.before {
                runs[runs.count - 1].append("\(Self.coordinate((Double(index) + 0.5) * step)) \(Self.coordinate(y(before)))")
            } else if runs.last?.isEmpty == false {
                runs.append([])
            }
        }
        return runs.filter { $0.count > 1 }.map { "M" + $0.joined(separator: "L") }.joined()
    }

    private func text(_ value: Int64?, _ language: Language) -> String {
        value.map { value in currency.map { language.money(value, $0) } ?? language.count(value) } ?? "–"
    }

    /// Nil if one of them is not known, or if the sum is too large to be written.
    static func sum(_ values: [Int64?]) -> Int64? {
        var sum: Int128 = 0
        for value in values {
            guard let value else { return nil }
            sum += Int128(value)
        }
        return Int64(exactly: sum)
    }

    /// At most one decimal.
    static func coordinate(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// The next round number; at least 5.
    static func roundTop(of value: Int64) -> Int64 {
        var step: Int64 = 1
        while true {
            for factor in [1, 2, 3, 4, 5, 6, 8] as [Int64] where step * factor >= max(5, value) { return step * factor }
            step *= 10
            if step > 100_000_000_000_000_000 { return value }
        }
    }
}

extension Words {
    /// What a chart shows, for readers who do not see it.
    /// - Parameters:
    ///   - total: the sum, or the state at the end.
    ///   - before: the same of the time before; nil if nothing of it is known.
    ///   - most: the largest bar and its value.
    ///   - versions: how many were published.
    func chartFinding(
        from: String, to: String, total: String, before: String?, most: (day: String, value: String)?, versions: Int, isByWeek: Bool
    ) -> String {
        var parts = ["\(from) – \(to)\(colon)\(total)"]
        if let most {
            parts.append(
                isByWeek
                    ? translate("Highest, week from \(most.day): \(most.value)")
                    : translate("Highest, \(most.day): \(most.value)"))
        }
        if let before { parts.append(timeBefore + colon + before) }
        if versions > 0 { parts.append(versionPublished + colon + language.count(Int64(versions))) }
        return parts.joined(separator: translate(". ", context: "between sentences"))
    }
    func chartEnd(_ value: String) -> String { translate("at the end \(value)") }
    var timeBefore: String { translate("The time before") }
    var dayNotOver: String { translate("Day not over") }
    var weekNotWhole: String { translate("Week not whole") }
    var day: String { translate("Day") }
    var weekFrom: String { translate("Week from", context: "chart") }
    var daysLead: String { translate("A click on a day shows it alone") }
    var weeksLead: String { translate("A click on a week shows it alone") }
    var versionPublished: String { translate("Version published") }
    /// Between a name and what it is.
    var colon: String { translate(": ") }
}

// SPDX-License-Identifier: Apache-2.0

/// What was published on the days of a chart: a mark on the bar of its day.
extension DayChart {
    /// A version of the configuration.
    struct Version: Hashable, Sendable {
        let number: Int64
        /// The day on which it was published, such as 2026-11-22.
        let date: String
        /// Why; may be empty.
        let message: String

        var place: Place { Place("/console/versions", ["\(number)"]) }

        fileprivate func text(_ words: Words) -> String { words.versions.version(number) + (message.isEmpty ? "" : words.colon + message) }

        func link(_ words: Words) -> HTML { a(.class("line"), .href(place)) { text(words) } }
    }

    /// By the index of their bar.
    var published: [Int: [Version]] {
        versions.reduce(into: [:]) { bars, version in
            if let bar = days.lastIndex(where: { $0.date <= version.date }) { bars[bar, default: []].append(version) }
        }
    }

    /// One for each bar with versions. It leads to the first of them: the newest, if they come in that order.
    func marks(_ words: Words) -> HTML {
        HTMLBuilder.buildArray(
            published.sorted { $0.key < $1.key }.map { bar, versions in
                let name = words.language.list(versions.map { words.day($0.date) + words.colon + $0.text(words) })
                let x = Self.coordinate((Double(bar) + 0.5) * step)
                // What is clicked on is the dot: below it are the bars.
                let stem = path(.class("stem"), Attribute("d", "M\(x) 0V\(Self.height)")) {}
                let dot = a(.class("version"), .href(versions[0].place), .label(name)) {
                    title { name }
                    path(.class("dot"), Attribute("d", "M\(x) 5h.01")) {}
                    hit(bar, height: 16)
                }
                return HTMLBuilder.buildBlock(stem, dot)
            })
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a page is filtered by: each filter is a link that takes it away, and so are chosen days.
struct FilterChips {
    struct Chip: Hashable, Sendable {
        let text: String
        let place: Place
        /// What is wrong with it.
        var note: String?
    }

    let words: Words
    private var chips: [Chip] = []

    init(_ words: Words) { self.words = words }

    /// - Parameters:
    ///   - place: the page without them.
    ///   - isChosen: false adds nothing: the days are the last ones.
    mutating func add(from: String, to: String, place: Place, if isChosen: Bool) {
        guard isChosen else { return }
        let text = from == to ? words.field("day") + words.language.colon + words.day(from) : words.period + words.language.colon + words.day(from) + " – " + words.day(to)
        chips.append(Chip(text: text, place: place))
    }

    /// - Parameter place: the page without it.
    mutating func add(_ filter: ReportQuery.Filter, note: String? = nil, place: Place) {
        add(words.field(filter.field), words.value(filter.value.isEmpty ? nil : filter.value, of: filter.field), note: note, place: place)
    }

    mutating func add(_ field: String, _ value: String, note: String? = nil, place: Place) {
        chips.append(Chip(text: field + words.language.colon + value, place: place, note: note))
    }

    /// Nil without a filter.
    var html: HTML? {
        guard !chips.isEmpty else { return nil }
        return ul(.class("chips")) {
            for chip in chips {
                li {
                    a(.href(chip.place)) {
                        span(.class("hidden")) { words.removeReportFilter }
                        chip.text
                        span(Attribute("aria-hidden", "true")) { " ✕" }
                    }
                    if let note = chip.note { span(.class("quiet")) { note } }
                }
            }
        }
    }
}

extension FilterChips {
    /// Those of a report.
    /// - Parameters:
    ///   - unmatched: the fields of filters whose value no row has.
    ///   - place: the page with another query.
    init(_ words: Words, _ query: ReportQuery, from: String, to: String, unmatched: Set<String>, place: (ReportQuery) -> Place) {
        self.init(words)
        add(from: from, to: to, place: place(query.with { $0.forgetDays() }), if: query.hasDays)
        for filter in query.filters {
            add(filter, note: unmatched.contains(filter.field) ? words.noSuchRows : nil, place: place(query.with { $0.remove(filter) }))
        }
        for filter in query.unknown { add(filter, note: words.unknownFilter, place: place(query.with { $0.remove(filter) })) }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Whether the matches of a page's audiences can be counted now.
enum MatchCounts: Hashable, Sendable {
    case possible
    /// Another member's count is under way.
    case busy
}

extension Frame {
    /// The button that counts, where the server can count; it keeps the part of a list that is shown.
    func counting(_ counting: MatchCounts?, _ place: Place, _ filter: NameFilter? = nil) -> HTML? {
        guard let counting else { return nil }
        return div {
            if counting == .busy { p(.class("note"), Attribute("role", "status")) { words.countBusy } }
            form(.action(place), .class("toolbar")) {
                if let filter, !filter.text.isEmpty { input(.type("hidden"), .name("q"), .value(filter.text)) }
                if let filter, filter.page > 1 { input(.type("hidden"), .name("page"), .value("\(filter.page)")) }
                button(.name("count"), .value("now")) { words.countMatches }
            }
        }
    }
}

/// Every audience.
struct AudiencesPage {
    struct Audience: Hashable, Sendable {
        let name: String
        let condition: ConditionPart
        let uses: Int
        /// Nil where nobody counted lately.
        let matches: MatchSample?
    }

    let frame: Frame
    let version: Int64?
    let audiences: [Audience]
    let filter: NameFilter
    /// Nil where this node cannot count.
    var counting: MatchCounts?

    private var words: Words { frame.words }

    var html: HTML {
        frame.listing(
            words.audiences, .audiences, at: "/console/audiences", version: version, filter, isEmpty: audiences.isEmpty, none: words.noAudiences,
            new: .audience
        ) {
            scrollingTable(words.audiences, titles: [words.audience, words.conditions], numbers: [words.used, words.matches]) {
                for audience in audiences {
                    tr {
                        th(Attribute("scope", "row")) { a(.href(Place("/console/audiences", [audience.name]))) { audience.name } }
                        td { audience.condition.html(words) }
                        td(.class("number")) { words.language.count(Int64(audience.uses)) }
                        td(.class("number")) { audience.matches.map { $0.range(words) ?? $0.text($0.count.yes, words) } ?? "–" }
                    }
                }
            }
            if let atMs = audiences.compactMap({ $0.matches?.atMs }).min() { p(.class("note")) { words.completeTo(atMs) } }
            frame.counting(counting, Place("/console/audiences"), filter)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// How many installs of a sample an audience matches.
struct MatchCount: Hashable, Sendable {
    var yes = 0
    /// An answer that is on its way decides.
    var unknown = 0
    var no = 0
}

/// The numbers of one audience beside how they were counted.
struct MatchSample: Hashable, Sendable {
    let count: MatchCount
    let sampled: Int
    /// The sample is every install of the store.
    let isEverything: Bool
    /// The ends of the share of all installs that match, with 95 % confidence.
    let interval: ClosedRange<Double>
    let atMs: Int64

    /// Fewer installs are not told apart.
    static let fewest = 10

    /// True if one of the numbers is too small to be told. Then the others are rounded, so that nobody finds it by subtraction.
    private var hidesOne: Bool {
        count.yes < Self.fewest || count.no < Self.fewest || (1..<Self.fewest).contains(count.unknown)
    }

    func text(_ value: Int, _ words: Words) -> String {
        guard value >= Self.fewest else { return words.fewerThan(Self.fewest) }
        return hidesOne ? words.about(words.language.count(Int64(value / 10 * 10))) : words.language.count(Int64(value))
    }

    func total(_ words: Words) -> String { text(sampled, words) }

    /// Nil where the number of matches is not told.
    func range(_ words: Words) -> String? {
        let language = words.language
        guard count.yes >= Self.fewest, sampled > 0 else { return nil }
        // A share of exact numbers would tell the small one.
        guard !hidesOne else { return words.about(words.language.share(Double(count.yes / 10 * 10) / Double(sampled))) }
        if isEverything { return language.share(Double(count.yes) / Double(sampled)) }
        return language.share(interval.lowerBound) + " – " + language.share(interval.upperBound)
    }
}

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

/// One audience: what it needs, whom it matches, and where it is asked.
struct AudiencePage {
    /// What is known about how many it matches.
    enum Matches: Hashable, Sendable {
        case counted(MatchSample)
        case notCounted
        /// Another member's count is under way.
        case busy
        /// This node does not serve the version.
        case notServed
    }

    let frame: Frame
    let version: Int64
    let name: String
    let condition: ConditionPart
    let matches: Matches
    let uses: [ConfigurationUse]
    let yaml: String?
    var forms: ConfigurationForms?
    /// The comparisons at the top of the rule, as the form has them.
    var rows: [Row] = []
    /// What a comparison can look at.
    var attributes: [String] = []
    /// Values that an attribute of a row can be compared with.
    var suggestions: [String: [String]] = [:]
    /// The names of those that are ids of Apple Ads.
    var ads = AppleAdsSuggestions()

    /// One comparison of the form.
    struct Row: Hashable, Sendable {
        let attribute: String
        let operation: String
        let value: String
    }

    /// A form has no more lines; the text has the others.
    static let mostRows = 50
    /// The operators of the file.
    static let operations = [
        "is", "isNot", "in", "notIn", "exists", "<", "<=", ">", ">=", "between", "startsWith", "endsWith", "contains", "anyOf", "allOf",
        "noneOf", "within", "olderThan",
    ]

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(name, .audiences, note: words.version(version)) {
            frame.draft(forms)
            section(.class("block")) {
                h2 { words.conditions }
                p(.class("note")) { words.conditionsNote }
                condition.html(words)
            }
            section(.class("block")) {
                h2 { words.matches }
                numbers
            }
            frame.uses(uses, none: words.noUsesOfAudience)
            if let forms { change(forms) }
            frame.yaml(yaml, words.inTheFile)
        }
    }

    private func change(_ forms: ConfigurationForms) -> HTML {
        section(.class("block")) {
            h2 { words.edit }
            forms.problems.summary(words)
            frame.editing(Place("/console/audiences", [name]), forms) {
                p(.class("note"), .id("rows-note")) { words.rowsNote }
                scrollingTable(words.conditions, titles: [words.attribute, words.operation, words.value]) {
                    for (index, row) in (rows + Self.empty(rows.count)).enumerated() { line(index, row, forms) }
                }
                datalist(.id("attributes")) { for name in attributes { option(.value(name)) {} } }
                for (index, row) in rows.enumerated() {
                    if let values = suggestions[row.attribute] {
                        datalist(.id("values.\(index)")) {
                            for value in values { option(.value(value)) { if let name = ads.name(of: value, row.attribute) { name } } }
                        }
                    }
                }
                div(.class("toolbar")) {
                    button(.class("primary"), .name("change"), .value("rows")) { words.take }
                    if let draft = forms.draft, draft.way != .tooLarge { button(.name("change"), .value("count")) { words.countMatches } }
                }
                if let yaml { frame.yamlField(yaml, forms) }
                button(.class("danger"), .name("change"), .value("delete")) { words.delete(name) }
            }
        }
    }

    private static func empty(_ count: Int) -> [Row] {
        Array(repeating: Row(attribute: "", operation: "is", value: ""), count: max(0, min(2, mostRows - count)))
    }

    private func line(_ index: Int, _ row: Row, _ forms: ConfigurationForms) -> HTML {
        let chosen = forms.value("operation.\(index)", row.operation)
        return tr {
            td {
                frame.control("attribute.\(index)", words.attribute(index + 1), forms, isHidden: true) {
                    frame.box("attribute.\(index)", forms.value("attribute.\(index)", row.attribute), forms, list: "attributes")
                }
            }
            td {
                frame.control("operation.\(index)", words.operation(index + 1), forms, isHidden: true) {
                    select([.id("operation.\(index)"), Attribute("name", "operation.\(index)")], HTML(markup: Self.operations.map { name in
                        option(.value(name), .flag("selected", name == chosen)) { name }.markup
                    }.joined()))
                }
            }
            td {
                frame.control("value.\(index)", words.value(index + 1), forms, isHidden: true) {
                    frame.box(
                        "value.\(index)", forms.value("value.\(index)", row.value), forms,
                        list: suggestions[row.attribute] == nil ? nil : "values.\(index)")
                }
            }
        }
    }

    /// A draft is counted by a button of its form, which takes the rows as they are typed.
    @HTMLBuilder private var countLink: HTML {
        if forms?.draft == nil {
            p { a(.class("button"), .href(Place("/console/audiences", [name], query: [("count", "now")]))) { words.countMatches } }
        }
    }

    @HTMLBuilder private var numbers: HTML {
        switch matches {
        case .notServed: p(.class("empty")) { words.notServed }
        case .busy:
            p(.class("empty"), Attribute("role", "status")) { words.countBusy }
            countLink
        case .notCounted:
            p(.class("empty")) { words.notCounted }
            countLink
        case .counted(let sample) where sample.sampled == 0: p(.class("empty")) { words.noInstalls }
        case .counted(let sample):
            dl(.class("figures")) {
                figure(words.matching, sample.count.yes, sample, share: sample.range(words))
                if sample.count.unknown > 0 { figure(words.matchUnknown, sample.count.unknown, sample) }
                figure(words.notMatching, sample.count.no, sample)
            }
            p(.class("note")) {
                sample.isEverything
                    ? words.ofAllInstalls(sample.total(words)) : words.ofSample(sample.total(words))
                words.countedAt(words.moment(sample.atMs))
            }
            countLink
        }
    }

    private func figure(_ title: String, _ value: Int, _ sample: MatchSample, share: String? = nil) -> HTML {
        div(.class("figure")) {
            dt { title }
            dd(.class("value")) { sample.text(value, words) }
            if let share { dd(.class("before")) { words.ofInstalls(share) } }
        }
    }
}

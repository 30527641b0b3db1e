// SPDX-License-Identifier: Apache-2.0

/// How many installs of a sample an audience matches.
package struct MatchCount: Hashable, Sendable {
    package var yes = 0
    /// An answer that is on its way decides.
    package var unknown = 0
    package var no = 0

    package init(yes: Int = 0, unknown: Int = 0, no: Int = 0) {
        self.yes = yes
        self.unknown = unknown
        self.no = no
    }
}

/// The numbers of one audience beside how they were counted.
package struct MatchSample: Hashable, Sendable {
    package let count: MatchCount
    package let sampled: Int
    /// The sample is every install of the store.
    package let isEverything: Bool
    /// The ends of the share of all installs that match, with 95 % confidence.
    package let interval: ClosedRange<Double>
    package let atMs: Int64

    package init(count: MatchCount, sampled: Int, isEverything: Bool, interval: ClosedRange<Double>, atMs: Int64) {
        self.count = count
        self.sampled = sampled
        self.isEverything = isEverything
        self.interval = interval
        self.atMs = atMs
    }

    /// Fewer installs are not told apart.
    package static let fewest = 10

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
package enum MatchCounting: Hashable, Sendable {
    case possible
    /// Another member's count is under way.
    case busy
}

extension Frame {
    /// The button that counts, where the server can count; it keeps the part of a list that is shown.
    func counting(_ counting: MatchCounting?, _ place: Place, _ filter: NameFilter? = nil) -> HTML? {
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
package struct AudiencesPage {
    package struct Audience: Hashable, Sendable {
        package let name: String
        package let condition: ConditionPart
        package let uses: Int
        /// Nil where nobody counted lately.
        package let matches: MatchSample?

        package init(name: String, condition: ConditionPart, uses: Int, matches: MatchSample?) {
            self.name = name
            self.condition = condition
            self.uses = uses
            self.matches = matches
        }
    }

    package let frame: Frame
    package let version: Int64?
    package let audiences: [Audience]
    package let filter: NameFilter
    /// Nil where this node cannot count.
    package var counting: MatchCounting?

    package init(frame: Frame, version: Int64?, audiences: [Audience], filter: NameFilter) {
        self.frame = frame
        self.version = version
        self.audiences = audiences
        self.filter = filter
    }

    private var words: Words { frame.words }

    package var html: HTML {
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
package struct AudiencePage {
    /// What is known about how many it matches.
    package enum Matches: Hashable, Sendable {
        case counted(MatchSample)
        case notCounted
        /// Another member's count is under way.
        case busy
        /// This node does not serve the version.
        case notServed
    }

    package let frame: Frame
    package let version: Int64
    package let name: String
    package let condition: ConditionPart
    package let matches: Matches
    package let uses: [ConfigurationUse]
    package let yaml: String?
    package var forms: ConfigurationForms?
    /// The comparisons at the top of the rule, as the form has them.
    package var rows: [Row] = []
    /// What a comparison can look at.
    package var attributes: [String] = []
    /// Values that an attribute of a row can be compared with.
    package var suggestions: [String: [String]] = [:]

    /// One comparison of the form.
    package struct Row: Hashable, Sendable {
        package let attribute: String
        package let operation: String
        package let value: String

        package init(attribute: String, operation: String, value: String) {
            self.attribute = attribute
            self.operation = operation
            self.value = value
        }
    }

    /// A form has no more lines; the text has the others.
    package static let mostRows = 50
    /// The operators of the file.
    package static let operations = [
        "is", "isNot", "in", "notIn", "exists", "<", "<=", ">", ">=", "between", "startsWith", "endsWith", "contains", "anyOf", "allOf",
        "noneOf", "within", "olderThan",
    ]

    package init(
        frame: Frame, version: Int64, name: String, condition: ConditionPart, matches: Matches, uses: [ConfigurationUse],
        yaml: String?
    ) {
        self.frame = frame
        self.version = version
        self.name = name
        self.condition = condition
        self.matches = matches
        self.uses = uses
        self.yaml = yaml
    }

    private var words: Words { frame.words }

    package var html: HTML {
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
                        datalist(.id("values.\(index)")) { for value in values { option(.value(value)) {} } }
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

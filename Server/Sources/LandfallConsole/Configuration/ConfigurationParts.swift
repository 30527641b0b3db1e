// SPDX-License-Identifier: Apache-2.0

/// A part of the configuration that refers to another one.
struct ConfigurationUse: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case placement, audience, experiment, testDevice }

    let kind: Kind
    let name: String

    init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// Nil where the console has no page of it.
    var place: Place? {
        switch kind {
        case .placement: Place("/console/placements", [name])
        case .audience: Place("/console/audiences", [name])
        case .experiment: Place("/console/experiments", [name])
        case .testDevice: nil
        }
    }
}

/// A part of a long list: the names that contain a text, a page at a time.
struct NameFilter: Hashable, Sendable {
    static let length = 100

    let text: String
    private(set) var page: Int
    private(set) var total = 0
    /// Whether there are so many that a search is of use.
    private(set) var isLong = false

    init(text: String?, page: String?) {
        let text = text ?? ""
        self.text = text.utf8.count <= 100 ? text : ""
        self.page = page.flatMap { Int($0) }.map { min(max(1, $0), 1_000_000) } ?? 1
    }

    var pages: Int { max(1, (total + Self.length - 1) / Self.length) }

    /// The elements of the page. A page behind the last one is the last one.
    mutating func slice<Element>(_ all: [Element], name: (Element) -> String) -> [Element] {
        isLong = all.count > 20
        let wanted = text.lowercased()
        let found = wanted.isEmpty ? all : all.filter { name($0).lowercased().contains(wanted) }
        total = found.count
        page = min(page, pages)
        return Array(found.dropFirst((page - 1) * Self.length).prefix(Self.length))
    }
}

extension Frame {
    /// The search above a long list, and what it found.
    func search(_ filter: NameFilter, _ place: StaticString) -> HTML? {
        guard filter.isLong || !filter.text.isEmpty else { return nil }
        return form(.action(Place(place)), Attribute("role", "search"), .class("toolbar")) {
            label(Attribute("for", "q")) { words.nameContains }
            input(.id("q"), .name("q"), .type("search"), .value(filter.text), Attribute("autocomplete", "off"))
            button { words.search }
        }
    }

    /// The page of all parts of one kind: their search, the table or why it is empty, and the way to the other pages.
    func listing(
        _ heading: String, _ current: Section, at place: StaticString, version: Int64?, _ filter: NameFilter, isEmpty: Bool, none: String,
        new kind: NewEntryPage.Kind, @HTMLBuilder table: () -> HTML
    ) -> HTML {
        let table = isEmpty ? p(.class("empty")) { filter.text.isEmpty ? none + first(kind, version: version) : words.nothingFound } : table()
        return page(heading, current, note: version.map { words.version($0) }) {
            section(.class("block")) {
                search(filter, place)
                table
                if isEmpty, filter.text.isEmpty { helpForEmpty(current) }
                pages(filter, place)
                adding(kind, version: version)
            }
        }
    }

    /// How the first entry of a section is made; empty for members who make none.
    private func first(_ kind: NewEntryPage.Kind, version: Int64?) -> String {
        if version == nil || isFileOwned { return words.writeFirst(in: kind.section) }
        return can(.publishing) ? words.makeFirst : ""
    }

    /// The way to the other pages of a long list.
    func pages(_ filter: NameFilter, _ place: StaticString) -> HTML? {
        guard filter.pages > 1 else { return nil }
        func query(_ page: Int) -> [(String, String?)] { [("q", filter.text.isEmpty ? nil : filter.text), ("page", "\(page)")] }
        return nav(.class("choices"), .label(words.pages)) {
            if filter.page > 1 { a(.href(Place(place, query: query(filter.page - 1)))) { words.previousPage } }
            span(.class("quiet")) { words.page(filter.page, of: filter.pages) }
            if filter.page < filter.pages { a(.href(Place(place, query: query(filter.page + 1)))) { words.nextPage } }
        }
    }

    /// Who refers to it.
    func uses(_ uses: [ConfigurationUse], none: String) -> HTML {
        section(.class("block")) {
            h2 { words.usedBy }
            if uses.isEmpty { p(.class("empty")) { none } } else { list(uses) }
        }
    }

    func list(_ uses: [ConfigurationUse]) -> HTML {
        ul {
            for use in uses.prefix(200) {
                li {
                    span(.class("quiet")) { words.name(of: use.kind) + " " }
                    if let place = use.place { a(.href(place)) { use.name } } else { use.name }
                }
            }
            if uses.count > 200 { li { words.andMore(uses.count - 200) } }
        }
    }

    /// The text of the file.
    func yaml(_ yaml: String?, _ heading: String) -> HTML {
        section(.class("block")) {
            h2 { heading }
            if let yaml { Self.source(yaml) } else { p(.class("empty")) { words.yamlUnclear } }
        }
    }

    static func source(_ text: String) -> HTML {
        pre(Attribute("tabindex", "0")) { code { cut(text) } }
    }

    /// The beginning of a long text.
    private static func cut(_ text: String) -> String {
        let longest = 60_000
        guard text.utf8.count > longest else { return text }
        var end = text.unicodeScalars.startIndex, count = 0
        while count < longest {
            count += text.unicodeScalars[end].utf8.count
            end = text.unicodeScalars.index(after: end)
        }
        return String(text.unicodeScalars[..<end]) + "\n…"
    }
}

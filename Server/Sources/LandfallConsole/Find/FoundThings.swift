// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// What a search of the whole console has found, as `/console/find.json` says it.
struct FoundThings: Encodable, Hashable, Sendable {
    /// The most things of one kind.
    static let most = 8

    struct Group: Encodable, Hashable, Sendable {
        let name: String
        let things: [Thing]
    }

    struct Thing: Encodable, Hashable, Sendable {
        let title: String
        /// What tells it apart from another one of the same title.
        let detail: String?
        /// The address of its page.
        let place: String

        init(_ title: String, _ detail: String? = nil, at place: Place) {
            (self.title, self.detail, self.place) = (title, detail, place.text)
        }
    }

    private(set) var groups: [Group] = []

    /// A group with nothing in it is left out.
    mutating func add(_ name: String, _ things: [Thing]) {
        guard !things.isEmpty else { return }
        groups.append(Group(name: name, things: things))
    }
}

/// What was typed to find something.
struct FindQuery: Sendable {
    /// The longest query, in bytes: whatever is longer is no name.
    static let longest = 500
    /// The rest of the words are not looked for.
    private static let mostWords = 8

    /// Without spaces around it.
    let text: String
    private let words: [LinkSearch]

    init(_ typed: String) {
        var typed = typed.cut(toBytes: Self.longest).unicodeScalars[...]
        while typed.first?.properties.isWhitespace == true { typed.removeFirst() }
        while typed.last?.properties.isWhitespace == true { typed.removeLast() }
        text = String(typed)
        words = typed.split { $0.properties.isWhitespace }.prefix(Self.mostWords).map { LinkSearch(String($0)) }
    }

    var isEmpty: Bool { text.isEmpty }

    /// True if each word occurs, whatever the order. A to Z and a to z are the same.
    func matches(_ text: String) -> Bool { words.allSatisfy { $0.occurs(in: text) } }

    /// The first names that match: those that begin with the query go before the others.
    func best(of names: [String]) -> [String] {
        let start = text.lowercased()
        var first: [String] = [], others: [String] = []
        for name in names where matches(name) {
            if name.lowercased().utf8.starts(with: start.utf8) { first.append(name) } else if others.count < FoundThings.most { others.append(name) }
            if first.count == FoundThings.most { break }
        }
        return Array((first + others).prefix(FoundThings.most))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A link as the pages show it.
package struct LinkEntry: Hashable, Sendable {
    package enum LabelName: String, CaseIterable, Sendable { case campaign, adGroup, creative, label, channel }

    package struct Label: Hashable, Sendable {
        package let name: LabelName
        package let value: String

        package init(_ name: LabelName, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let address: String
    package let destination: String
    package let labels: [Label]
    package let expiresAtMs: Int64?
    package let isExpired: Bool
    /// The configuration has it: it is changed there.
    package let isInFile: Bool
    /// Nil where they are not known.
    package var clicks: Int64?
    package var unique: Int64?
    /// Those of the same days whose install the link brought.
    package var firstOpens: Int64?
    /// There are some, and too few to be told.
    package var hasFewOpens = false

    package init(address: String, destination: String, labels: [Label], expiresAtMs: Int64?, isExpired: Bool, isInFile: Bool) {
        self.address = address
        self.destination = destination
        self.labels = labels
        self.expiresAtMs = expiresAtMs
        self.isExpired = isExpired
        self.isInFile = isInFile
    }

    /// Without `https://`, as people say it.
    var name: String { address.hasPrefix("https://") ? String(address.dropFirst(8)) : address }

    var place: Place { Place("/console/links/show", query: [("url", address)]) }

    /// The report of the people that the link brought.
    var people: Place { Place("/console/reports/campaigns", query: [("by", "link"), ("link", name)]) }

    func firstOpens(_ words: Words) -> String {
        hasFewOpens ? words.linkFewOpens : firstOpens.map { words.language.count($0) } ?? "–"
    }

    func badges(_ words: Words) -> HTML {
        HTMLBuilder.buildArray([
            span(.class("badge")) { isExpired ? words.linkState(.expired) : words.linkState(.live) },
            isInFile ? span(.class("badge")) { words.linkState(.file) } : .empty,
        ])
    }
}

/// Which links the list shows.
package struct LinkFilter: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable { case live, expired, file }

    package var query = ""
    package var host = ""
    package var campaign = ""
    package var state: State?

    package init() {}

    package var isEmpty: Bool { self == LinkFilter() }

    /// The pairs of an address; only those that filter.
    package var pairs: [(String, String?)] {
        [("q", query), ("host", host), ("campaign", campaign), ("state", state?.rawValue ?? "")].filter { !$0.1.isEmpty }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The rule of an audience as a form has it: conditions in groups. A place in it is the way there, such as 1.0: the first part of
/// the second part.
struct AudienceRule: Hashable, Sendable {
    /// How the parts of a group combine.
    enum Kind: String, CaseIterable, Hashable, Sendable { case all, any, neither, notAll }

    enum Part: Hashable, Sendable {
        case line(Line)
        case group(AudienceRule)
    }

    /// One condition, as it is typed.
    struct Line: Hashable, Sendable {
        static let segment = "segment", share = "share"
        /// Stands for `exists: false`.
        static let missing = "missing"

        /// Of the file, or one of the words above; empty while nothing is chosen.
        var attribute = ""
        var operation = ""
        /// Several values have commas between them. The name of a segment, or of a draw.
        var value = ""
        /// The ends of a share.
        var from = "", to = ""

        /// The comparison is about the value being there at all.
        var needsNoValue: Bool { ["exists", Self.missing].contains(operation) }

        /// The field that lacks something; nil for a whole condition and for an empty one.
        var lacking: String? {
            guard !attribute.isEmpty else { return nil }
            switch attribute {
            case Self.segment: return value.isEmpty ? "value" : nil
            case Self.share: return value.isEmpty ? "value" : to.isEmpty ? "to" : nil
            default: return operation.isEmpty ? "operation" : value.isEmpty && !needsNoValue ? "value" : nil
            }
        }
    }

    /// Levels of groups below the outer one.
    static let deepest = 5
    /// A form may have ``ConsoleCall/mostFields`` fields: the page needs some of them for itself.
    static let mostFields = 180

    var kind = Kind.all
    var parts: [Part] = []

    /// The fields of its form.
    var fields: Int {
        parts.reduce(1) { sum, part in
            switch part {
            case .line(let line): sum + (line.attribute == Line.share ? 4 : 3)
            case .group(let rule): sum + rule.fields
            }
        }
    }

    /// Itself, and the groups in it.
    var levels: Int { 1 + (parts.map(\.levels).max() ?? 0) }

    /// All its conditions with their places, from top to bottom.
    var lines: [(place: String, line: Line)] { lines("") }

    private func lines(_ start: String) -> [(place: String, line: Line)] {
        parts.enumerated().flatMap { index, part in
            switch part {
            case .line(let line): [(start + "\(index)", line)]
            case .group(let rule): rule.lines(start + "\(index).")
            }
        }
    }

    /// The page's fields of a form.
    /// - Parameter field: the text of a field without the spaces around it; nil where the form does not have it.
    /// - Returns: nil for a form without a rule.
    init?(_ field: (String) -> String?) {
        let kind = field("group"), parts = Self.parts(field, "", depth: 0)
        guard kind != nil || !parts.isEmpty else { return nil }
        self.init(kind: kind.flatMap { Kind(rawValue: $0) } ?? .all, parts: parts)
    }

    init(kind: Kind = .all, parts: [Part] = []) { (self.kind, self.parts) = (kind, parts) }

    private static func parts(_ field: (String) -> String?, _ start: String, depth: Int) -> [Part] {
        var parts: [Part] = []
        while true {
            let place = start + "\(parts.count)"
            if let kind = field("group." + place), depth < deepest {
                parts.append(.group(AudienceRule(kind: Kind(rawValue: kind) ?? .all, parts: Self.parts(field, place + ".", depth: depth + 1))))
            } else if let attribute = field("attribute." + place) {
                func said(_ name: String) -> String { field(name + "." + place) ?? "" }
                parts.append(
                    .line(
                        Line(
                            attribute: attribute, operation: said("operation"), value: said("value"), from: said("from"), to: said("to"))))
            } else {
                return parts
            }
        }
    }
}

extension AudienceRule.Part {
    /// Levels of groups: none for a condition.
    var levels: Int { if case .group(let rule) = self { rule.levels } else { 0 } }
}

// SPDX-License-Identifier: Apache-2.0
@testable import LandfallNode

/// Which shards a statement touches. It reads the subset of SQL in which the stores are written: tables stand after FROM, JOIN, INTO and
/// UPDATE, never in a list with commas.
struct ShardUse {
    enum Fault: Hashable {
        /// A distributed table without its column among the conditions or the inserted columns: every shard is asked.
        case everyShard
        /// Rows of two shards are joined, or rows of a shard with a table that is on the coordinator only.
        case crossing
    }

    private struct Use {
        let place: Distribution.Place
        /// Uses whose rows are on one machine have the same number.
        var group: Int
        var hasValue = false
    }

    private var uses: [Use] = []
    private var isCrossing = false
    private static let places = Dictionary(uniqueKeysWithValues: Distribution.tables.map { ($0.name, $0.place) })

    init(_ text: String) {
        for part in Self.unions(of: Self.line(text)) { _ = read(part, outer: [:]) }
    }

    /// The text with one space where it has any.
    static func line(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The worst; nil if each distributed table is read or written on the shards of values that the caller names.
    var fault: Fault? {
        if isCrossing { return .crossing }
        let withValue = Set(uses.filter(\.hasValue).map(\.group))
        return uses.contains { $0.place.column != nil && !withValue.contains($0.group) } ? .everyShard : nil
    }

    /// One SELECT, INSERT, UPDATE or DELETE without the SELECTs inside it, which are read first.
    /// - Parameter outer: the tables by the names that they have around it.
    /// - Returns: its uses of tables.
    private mutating func read(_ text: String, outer: [String: [Int]]) -> [Int] {
        let (own, inner) = Self.parts(of: text)
        var names: [String: [Int]] = [:]
        for found in own.matches(of: #/(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+)(?: (?:AS )?([a-z]+))?/#) {
            guard let place = Self.places[String(found.1)], place != .reference else { continue }
            names[String(found.2 ?? found.1), default: []].append(uses.count)
            uses.append(Use(place: place, group: place == .coordinator ? -1 : uses.count))
        }
        // A SELECT inside FROM is a table with the name that follows it. Other ones, as of EXISTS, know the tables around them.
        var correlated: [Int] = []
        for (number, text) in inner.enumerated() {
            let name = own.firstMatch(
                of: try! Regex("(?:FROM|JOIN) \\(#\(number)\\)(?: AS)? ([a-z]+)", as: (Substring, Substring).self))?.1
            let around = outer.merging(names) { $1 }
            let unions = Self.unions(of: text).map { read($0, outer: name == nil ? around : [:]) }
            // What stands side by side is not joined.
            let found = unions.count == 1 ? unions[0] : []
            if let name {
                names[String(name), default: []] += found
            } else if own.contains("EXISTS (#\(number))") {
                correlated += found
            }
        }
        let mine = names.values.flatMap(\.self) + correlated
        link(own, names: outer.merging(names) { $1 }, mine: mine)
        if Set(mine.map { uses[$0].group }).count > 1 { isCrossing = true }
        return mine
    }

    /// Reads the conditions of a statement, and the columns of an INSERT.
    private mutating func link(_ own: String, names: [String: [Int]], mine: [Int]) {
        if let columns = own.firstMatch(of: #/INSERT INTO [a-z_]+ (?:\(([a-z_, ]+)\)|VALUES)/#) {
            let inserted = columns.1?.split(separator: ", ").map(String.init)
            for use in mine where inserted?.contains(uses[use].place.column ?? "") ?? true { uses[use].hasValue = true }
        }
        for found in own.matches(of: #/(?:([a-z]+)\.)?([a-z_]+) (?:= \$|IN \(\$)/#) {
            let named = found.1.map { names[String($0)] ?? [] } ?? mine
            for use in named where uses[use].place.column == String(found.2) { uses[use].hasValue = true }
        }
        for found in own.matches(of: #/([a-z]+)\.([a-z_]+) = ([a-z]+)\.([a-z_]+)(?![a-z_]| \|\|)/#) {
            let one = names[String(found.1)]?.first { uses[$0].place.column == String(found.2) }
            let other = names[String(found.3)]?.first { uses[$0].place.column == String(found.4) }
            guard let one, let other, uses[one].place.isBeside(uses[other].place) else { continue }
            let (old, new) = (uses[one].group, uses[other].group)
            for use in uses.indices where uses[use].group == old { uses[use].group = new }
        }
    }

    /// The text with `(#N)` in the place of its Nth SELECT in parentheses, and these SELECTs.
    private static func parts(of text: String) -> (own: String, inner: [String]) {
        var own = "", inner: [String] = [], depth = 0
        var rest = text[...]
        while let next = rest.first {
            if depth == 0, let opening = ["(SELECT ", "( SELECT "].first(where: rest.hasPrefix) {
                (depth, rest) = (1, rest.dropFirst(opening.count - "SELECT ".count))
                own += "(#\(inner.count))"
                inner.append("")
                continue
            }
            rest.removeFirst()
            guard depth > 0 else { own.append(next); continue }
            depth += next == "(" ? 1 : next == ")" ? -1 : 0
            if depth > 0 { inner[inner.count - 1].append(next) }
        }
        return (own, inner)
    }

    /// The SELECTs that UNION ALL joins, where it is not in parentheses.
    private static func unions(of text: String) -> [String] {
        let (own, inner) = parts(of: text)
        return own.split(separator: " UNION ALL ").map { part in
            inner.enumerated().reduce(String(part)) { $0.replacing("(#\($1.offset))", with: "(\($1.element))") }
        }
    }
}

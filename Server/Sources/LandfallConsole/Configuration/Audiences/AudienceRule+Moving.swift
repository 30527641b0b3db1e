// SPDX-License-Identifier: Apache-2.0

/// What the buttons of the form do.
extension AudienceRule {
    /// A button: its word, and the place that it is about.
    struct Order: Hashable, Sendable {
        enum Verb: String, CaseIterable, Sendable {
            /// A condition at the end of the group at the place, or a group there, before the lines that are still empty.
            case add, nest
            case remove, up, down
        }

        let verb: Verb
        let place: [Int]

        init(_ verb: Verb, _ place: [Int]) { (self.verb, self.place) = (verb, place) }

        /// Reads `up.1.0`.
        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard let verb = parts.first.flatMap({ Verb(rawValue: String($0)) }), parts.count <= AudienceRule.deepest + 2 else { return nil }
            let place = parts.dropFirst().compactMap { Int($0) }
            guard place.count == parts.count - 1 else { return nil }
            self.init(verb, place)
        }

        var text: String { AudienceRule.name(verb.rawValue, place) }
    }

    /// The name of a field or a button at a place: `value.1.0`.
    static func name(_ start: String, _ place: [Int]) -> String { ([start] + place.map { "\($0)" }).joined(separator: ".") }

    /// True if one more condition, or a group with one, fits into the group at the place.
    func hasRoom(for verb: Order.Verb, at place: [Int]) -> Bool {
        fields + 4 <= Self.mostFields && (verb == .add || place.count < Self.deepest)
    }

    /// Does what a button says.
    /// - Returns: the id of what has the focus then; nil where nothing changes.
    mutating func apply(_ order: Order) -> String? {
        switch order.verb {
        case .add, .nest:
            guard let group = group(at: order.place), hasRoom(for: order.verb, at: order.place) else { return nil }
            let isGroup = order.verb == .nest, place = order.place + [group.parts.count - (isGroup ? group.emptyEnd : 0)]
            insert(isGroup ? .group(AudienceRule(kind: .any, parts: [.line(Line())])) : .line(Line()), at: place)
            return Self.name(isGroup ? "group" : "attribute", place)
        case .remove:
            guard take(order.place) != nil else { return nil }
            return Order(.add, order.place.dropLast()).text
        case .up, .down:
            return move(order.place, up: order.verb == .up).map { Order(order.verb, $0).text }
        }
    }

    /// The lines at the end that nobody has filled yet.
    private var emptyEnd: Int {
        // A form sends the first comparison of a line whose attribute nobody has chosen.
        parts.reversed().prefix { if case .line(let line) = $0 { line.attribute.isEmpty && line.value.isEmpty } else { false } }.count
    }

    /// Nil where no group is at the place.
    private func group(at place: some Collection<Int>) -> AudienceRule? {
        guard let index = place.first else { return self }
        guard parts.indices.contains(index), case .group(let inner) = parts[index] else { return nil }
        return inner.group(at: place.dropFirst())
    }

    /// The next place in the order of the lines: into a group that begins or ends there, or out of its own.
    private mutating func move(_ place: [Int], up: Bool) -> [Int]? {
        let above = Array(place.dropLast())
        guard let index = place.last, let around = group(at: above), around.parts.indices.contains(index) else { return nil }
        let part = around.parts[index], next = up ? index - 1 : index + 1
        let target: [Int]
        if around.parts.indices.contains(next) {
            if case .group(let group) = around.parts[next], above.count + 1 + part.levels <= Self.deepest {
                // Without the part, a group behind it is one place nearer.
                target = above + (up ? [next, group.parts.count] : [index, 0])
            } else {
                target = above + [next]
            }
        } else if let outer = above.last {
            target = above.dropLast() + [up ? outer : outer + 1]
        } else {
            return nil
        }
        guard let part = take(place) else { return nil }
        insert(part, at: target)
        return target
    }

    private mutating func take(_ place: [Int]) -> Part? {
        guard let index = place.last else { return nil }
        var taken: Part?
        change(place.dropLast()) { parts in
            if parts.indices.contains(index) { taken = parts.remove(at: index) }
        }
        return taken
    }

    private mutating func insert(_ part: Part, at place: [Int]) {
        guard let index = place.last else { return }
        change(place.dropLast()) { $0.insert(part, at: min(index, $0.count)) }
    }

    private mutating func change(_ place: ArraySlice<Int>, _ body: (inout [Part]) -> Void) {
        guard let index = place.first else { return body(&parts) }
        guard parts.indices.contains(index), case .group(var inner) = parts[index] else { return }
        inner.change(place.dropFirst(), body)
        parts[index] = .group(inner)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Draws a launch as one line of time. A pure function of the recorded events: the same launch is always the same text.
package struct Timeline: Hashable, Sendable {
    /// The meaning of a character; colours are chosen from it, if there are colours.
    enum Ink: Hashable, Sendable {
        case plain, faint, token, answer, refusal, targeted, ordinary, missing
    }

    struct Cell: Hashable, Sendable {
        var character: Character
        var ink: Ink
    }

    let deadline: Duration
    /// Width of the drawing in characters; one second takes eight of them.
    let columns: Int
    static let columnsPerSecond = 8

    package init(deadline: Duration = .seconds(5), columns: Int = 46) {
        self.deadline = deadline
        self.columns = columns
    }

    /// - Parameter now: the present time; nil when the launch is over.
    func cells(_ launch: Launch, now: Duration? = nil) -> [Cell] {
        var cells = Array(repeating: Cell(character: " ", ink: .plain), count: columns)
        let shownAt = launch.outcome?.elapsed
        let lastAt = launch.moments.last?.at ?? .zero
        fill(&cells, from: .zero, to: shownAt ?? now ?? lastAt, with: "─")
        if let shownAt { fill(&cells, from: shownAt, to: max(shownAt, now.map { max($0, lastAt) } ?? lastAt), with: "·") }
        if shownAt == nil || column(deadline) != column(shownAt ?? .zero) {
            cells[column(deadline)] = Cell(character: "┊", ink: .faint)
        }

        // Marks in the same column are put side by side, in their order; this never moves a mark that is in time across the
        // deadline.
        var next = 0
        for moment in launch.moments {
            var place = max(column(moment.at), next)
            if moment.at <= deadline + .milliseconds(50) { place = min(place, column(deadline)) }
            place = min(place, columns - 1)
            cells[place] = mark(moment.sight, launch.outcome)
            next = place + 1
        }
        return cells
    }

    /// The scale above the lines: a number for each second.
    func scale() -> String {
        var text = ""
        var second = 0
        while second * Self.columnsPerSecond < columns {
            text += String(repeating: " ", count: max(0, second * Self.columnsPerSecond - text.count))
            text += "\(second)"
            if Duration.seconds(second) == deadline || second == 0 { text += " s" }
            second += 1
        }
        return text + String(repeating: " ", count: max(0, columns - text.count))
    }

    private func fill(_ cells: inout [Cell], from start: Duration, to end: Duration, with character: Character) {
        for place in column(start)...max(column(start), column(end)) {
            cells[place] = Cell(character: character, ink: .faint)
        }
    }

    private func mark(_ sight: Launch.Sight, _ outcome: Launch.Outcome?) -> Cell {
        switch sight {
        case .token: return Cell(character: "○", ink: .token)
        case .answer(status: 200): return Cell(character: "◆", ink: .answer)
        case .answer: return Cell(character: "✕", ink: .refusal)
        case .paywall:
            guard let outcome, outcome.paywall != nil else { return Cell(character: "!", ink: .missing) }
            return Cell(character: "●", ink: outcome.isTargeted ? .targeted : .ordinary)
        }
    }

    private func column(_ time: Duration) -> Int {
        let milliseconds = time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
        return max(0, min(columns - 1, Int(milliseconds) * Self.columnsPerSecond / 1_000))
    }
}

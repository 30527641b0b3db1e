// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// Intervals as lines of text on one scale: ├──┊────●──────┤, where ┊ is zero and ● the estimate.
struct IntervalLine {
    private static let mostShown = -1.0...3.0

    let width: Int
    private let scale: ClosedRange<Double>

    /// - Parameter isRelative: lifts are clipped at −100 % and +300 %, so that one wide interval leaves the others readable.
    init(_ intervals: [Interval], isRelative: Bool, width: Int) {
        let ends: [Double] = [0] + intervals.map(\.lower) + intervals.map(\.upper)
        let lower = ends.min() ?? 0, upper = ends.max() ?? 0
        let shown =
            isRelative ? max(lower, Self.mostShown.lowerBound)...max(0, min(upper, Self.mostShown.upperBound)) : lower...upper
        scale = shown.lowerBound < shown.upperBound ? shown : shown.lowerBound - 1...shown.upperBound + 1
        self.width = width
    }

    func text(_ interval: Interval, estimate: Double?) -> String {
        var line = Array(repeating: Character(" "), count: width)
        let first = column(interval.lower), last = column(interval.upper)
        for place in first...max(first, last) { line[place] = "─" }
        line[first] = interval.lower < scale.lowerBound ? "◄" : "├"
        line[last] = interval.upper > scale.upperBound ? "►" : "┤"
        if line[column(0)] == " " || line[column(0)] == "─" { line[column(0)] = "┊" }
        if let estimate { line[column(estimate)] = "●" }
        return String(line)
    }

    /// Numbers below the line: both ends, and zero between them if there is room.
    func axis(_ label: (Double) -> String) -> String {
        var line = Array(repeating: Character(" "), count: width)
        func put(_ text: String, at start: Int) {
            let start = max(0, min(width - text.count, start))
            let room = max(0, start - 1)..<min(width, start + text.count + 1)
            guard text.count <= width, line[room].allSatisfy({ $0 == " " }) else { return }
            line.replaceSubrange(start..<start + text.count, with: text)
        }
        if scale.lowerBound < 0 { put(label(scale.lowerBound), at: 0) }
        if scale.upperBound > 0 { put(label(scale.upperBound), at: width) }
        put("0", at: column(0))
        return String(line)
    }

    private func column(_ value: Double) -> Int {
        let share =
            (min(max(value, scale.lowerBound), scale.upperBound) - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
        return min(width - 1, max(0, Int((share * Double(width - 1)).rounded())))
    }
}

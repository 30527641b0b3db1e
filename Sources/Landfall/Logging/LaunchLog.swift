// SPDX-License-Identifier: Apache-2.0

/// The lines of a launch that wait until its lock is released, and the facts that it has logged last.
struct LaunchLog: Sendable {
    let minimumLevel: LogLine.Level
    private var lines: [LogLine] = []
    private var facts: [StateFact] = []

    init(from minimumLevel: LogLine.Level) { self.minimumLevel = minimumLevel }

    /// Facts and verdicts are made only for this level.
    var takesDebug: Bool { minimumLevel <= .debug }

    /// Logged after the lock is released, in this order.
    mutating func add(_ level: LogLine.Level, _ message: @autoclosure () -> String, _ category: LogLine.Category = .client) {
        if level >= minimumLevel { lines.append(LogLine(level, message(), category: category)) }
    }

    /// Logs what has changed since the last time, so that no change of state is missed.
    mutating func changed(to facts: [StateFact]) {
        let before = Dictionary(self.facts.map { ($0.subject, $0.value) }, uniquingKeysWith: { $1 })
        for fact in facts where before[fact.subject] != fact.value {
            let was = before[fact.subject].map { "; it was: \($0)" } ?? ""
            add(.debug, "\(fact.subject): \(fact.value)\(was).", fact.category)
        }
        self.facts = facts
    }

    mutating func take() -> [LogLine] {
        defer { lines = [] }
        return lines
    }
}

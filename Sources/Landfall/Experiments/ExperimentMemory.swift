// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What this installation knows of experiments: the phone's copy of its assignments, and the decisions that it has reported.
/// Content of `experiments.json`.
///
/// The copy is sent with every first open, so that a server that lost its store gives each variation back. It belongs to the
/// installation: an identity or a log-out does not change it.
struct ExperimentMemory: Hashable, StoredValue {
    static let currentFormat = 1
    /// The largest number of reported decisions. An experiment has several if its variation was assigned again.
    static let mostReports = 4 * Limits.assignments

    /// A decision that was accepted into the outbox.
    struct Report: Hashable, Sendable, Codable {
        var experiment: ExperimentID
        var epoch: Int64
        var variation: VariationName
        /// The epoch of the store that gave the answer. A later store does not know the decision.
        var store: Int64

        /// A store's epoch is the time at which the store began, in Unix milliseconds, plus one for each change of person. So epochs
        /// less than a second apart belong to the same store.
        func isOfEarlierStore(than epoch: Int64) -> Bool { epoch.subtractingReportingOverflow(store).partialValue >= 1_000 }
    }

    private(set) var format = Self.currentFormat
    /// The installation that this memory belongs to. A copy of the files on another phone starts empty.
    private(set) var install: InstallID?
    /// At most one for each experiment, the newest last.
    private(set) var assignments: [Assignment] = []
    private(set) var reports: [Report] = []

    init(of install: InstallID? = nil) { self.install = install }

    /// Keeps what the server has stored, or is about to store. Another variation of the same experiment replaces the old one.
    /// - Returns: false if it is known.
    mutating func keep(_ assignment: Assignment) -> Bool {
        guard !assignments.contains(assignment) else { return false }
        assignments.removeAll { $0.experiment == assignment.experiment }
        assignments.append(assignment)
        assignments.removeFirst(max(0, assignments.count - Limits.assignments))
        return true
    }

    /// A call returns this assignment.
    /// - Parameter store: the epoch of the server's store that gave it.
    /// - Returns: true if the decision has to be reported.
    mutating func decide(_ assignment: Assignment, by store: Int64) -> Bool {
        let known = reports.firstIndex {
            ($0.experiment, $0.epoch, $0.variation) == (assignment.experiment, assignment.epoch, assignment.variation)
        }
        if let known {
            guard reports[known].isOfEarlierStore(than: store) else { return false }
            reports.remove(at: known)
        }
        reports.append(
            Report(experiment: assignment.experiment, epoch: assignment.epoch, variation: assignment.variation, store: store))
        reports.removeFirst(max(0, reports.count - Self.mostReports))
        // The server stores it with the event, unless it has stored another before.
        if !assignments.contains(where: { $0.experiment == assignment.experiment }) { _ = keep(assignment) }
        return true
    }

    func isReported(_ assignment: Assignment) -> Bool {
        reports.contains {
            ($0.experiment, $0.epoch, $0.variation) == (assignment.experiment, assignment.epoch, assignment.variation)
        }
    }

    /// Decisions that waited in the outbox were dropped: later calls report them again, and the server counts the earliest.
    /// - Returns: false if there was none.
    mutating func forgetReports() -> Bool {
        defer { reports = [] }
        return !reports.isEmpty
    }

    /// As a first open carries it.
    var echo: [Assignment]? { assignments.isEmpty ? nil : assignments }
}

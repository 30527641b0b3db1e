// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// What the events of one install say about its assignments: when a variation was first decided, and first shown. An event whose
/// unit has no row yet creates it, so that a paywall that was shown always counts. Nothing is ever drawn again.
struct ExperimentEvents {
    let unit: InstallUnit
    let snapshot: Snapshot

    /// Stores what the events say, inside the transaction that stores the events. What audiences read stays with the events: a unit's
    /// row may outlive the install.
    /// - Returns: assignments that the install did not have before.
    func record(_ events: [Event], _ connection: any WriteConnection) throws -> [UnitAssignment] {
        let events = events.filter { $0.concernsExperiments(in: snapshot) }
        guard !events.isEmpty else { return [] }
        let first = try connection.row(
            "SELECT first_install_id FROM install WHERE app_id = $1 AND install_id = $2",
            [.text(unit.app.rawValue), .text(unit.id.rawValue)])?.optionalText(0).map { InstallID($0) }
        var stored = StoredAssignments(
            install: unit.id, all: try UnitAssignment.all(of: unit.id, first: first, in: unit.app, from: connection))
        var new: [ExperimentID: (assignment: UnitAssignment, marks: ExperimentMarks)] = [:]
        var marks: [ExperimentID: ExperimentMarks] = [:]
        for event in events {
            for (experiment, assignment, said) in event.marks(in: snapshot, nowMs: unit.nowMs) {
                if stored[experiment] == nil, let assignment, snapshot.experiments[experiment]?.variation(assignment.variation) != nil {
                    let created = try self.created(assignment, unit: first ?? unit.id, connection)
                    stored.add(created)
                    new[experiment] = (created, ExperimentMarks())
                }
                // An exposure counts only for the variation that the unit has.
                guard let row = stored[experiment], assignment == nil || assignment?.variation == row.variation else { continue }
                if new[experiment] == nil { marks[experiment, default: ExperimentMarks()].add(said) } else { new[experiment]?.marks.add(said) }
            }
        }
        let added = new.values.sorted { $0.assignment.experiment.rawValue < $1.assignment.experiment.rawValue }
        let insertions = added.map {
            $0.assignment.insertion(in: unit.app, nowMs: unit.nowMs, marks: $0.marks)
        }
        var statements = insertions
        for (experiment, said) in marks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let row = stored[experiment], !said.isEmpty { statements.append(said.adding(to: row, in: unit.app)) }
        }
        guard !statements.isEmpty else { return [] }
        // Another install of the device was faster. When the unit is run again it finds that row, and adds its marks.
        if try connection.batch(statements).prefix(insertions.count).contains(0) {
            throw DatabaseError.retry("another install of the device stored the same assignment")
        }
        return added.map(\.assignment)
    }

    /// The row of an assignment that only the phone knows: drawn, if this server would have drawn the same.
    private func created(_ assignment: Assignment, unit: InstallID, _ connection: any ReadConnection) throws -> UnitAssignment {
        var created = UnitAssignment(
            unit: unit, experiment: assignment.experiment, epoch: assignment.epoch, variation: assignment.variation,
            bucket: assignment.bucket, step: .echoed, revision: snapshot.revision)
        guard let experiment = snapshot.experiments[assignment.experiment] else { return created }
        let isTestDevice = snapshot.testDevices.device(self.unit.id, first: unit) != nil
        let own = experiment.fresh(epoch: assignment.epoch, unit: unit, install: self.unit.id, isTestDevice: isTestDevice)
        guard let assigned = own.assigned, assigned.bucket == assignment.bucket, let step = own.storing else { return created }
        let weights = try ExperimentEpochs.weights(of: experiment.id, epoch: assignment.epoch, in: self.unit.app, connection)
        let isSame: Bool
        if own.step == .drawn {
            // This server has drawn nothing for an epoch that it does not know.
            isSame = weights.flatMap { EpochWeights($0)?.variation(at: Int(assignment.bucket)) } == assignment.variation
        } else {
            isSame = experiment.variations[assigned.variation].name == assignment.variation
        }
        if isSame { created.step = step }
        return created
    }
}

/// The rows of an install: its own, else those of its device's first install.
private struct StoredAssignments {
    let install: InstallID
    var all: [UnitAssignment]

    subscript(_ experiment: ExperimentID) -> UnitAssignment? {
        all.first { $0.experiment == experiment && $0.unit == install } ?? all.first { $0.experiment == experiment }
    }

    mutating func add(_ assignment: UnitAssignment) { all.append(assignment) }
}

extension Event {
    /// False for nearly every event: then nothing is read for it.
    fileprivate func concernsExperiments(in snapshot: Snapshot) -> Bool {
        guard type == .paywallDecided || type == .paywallShown else { return false }
        return assignment != nil || isFallback && placement.flatMap { snapshot.experimentsByPlacement[$0] } != nil
    }

    /// The app showed the paywall that it has in its bundle.
    private var isFallback: Bool { type == .paywallShown && origin == "bundled" }

    /// What the event says about each experiment, and the assignment that it carries.
    fileprivate func marks(
        in snapshot: Snapshot, nowMs: Int64
    ) -> [(experiment: ExperimentID, assignment: Assignment?, marks: ExperimentMarks)] {
        let atMs = occurredAtMs(nowMs: nowMs)
        var marks: [(experiment: ExperimentID, assignment: Assignment?, marks: ExperimentMarks)] = []
        if let assignment {
            let said =
                type == .paywallDecided
                ? ExperimentMarks(decidedAtMs: atMs) : ExperimentMarks(shownAtMs: atMs, fallbackAtMs: isFallback ? atMs : nil)
            marks.append((assignment.experiment, assignment, said))
        }
        guard isFallback, let placement else { return marks }
        for experiment in snapshot.experimentsByPlacement[placement] ?? [] where experiment.id != assignment?.experiment {
            marks.append((experiment.id, nil, ExperimentMarks(fallbackAtMs: atMs)))
        }
        return marks
    }
}

/// The weights of an epoch as they were when it began.
struct EpochWeights: Hashable, Sendable {
    private let names: [VariationName]
    private let weights: [Int64]

    /// - Parameter text: `[["A",50],["B",50]]`.
    init?(_ text: String) {
        guard case .array(let pairs)? = try? WireCoding.decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        var names: [VariationName] = [], weights: [Int64] = []
        for pair in pairs {
            guard case .array(let values) = pair, values.count == 2, case .string(let name) = values[0], case .integer(let weight) = values[1]
            else { return nil }
            names.append(VariationName(name))
            weights.append(weight)
        }
        (self.names, self.weights) = (names, weights)
    }

    func variation(at bucket: Int) -> VariationName? {
        let total = weights.reduce(0, +)
        guard total > 0 else { return nil }
        var sum: Int64 = 0
        for (name, weight) in zip(names, weights) {
            sum += weight
            if bucket < Int(Int64(Draw.bucketCount) * sum / total) { return name }
        }
        return nil
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// Finds the assignments to experiments that must be stored before the answers about an install are sent.
package struct Enrollment: Hashable, Sendable {
    let snapshot: Snapshot
    /// The placements that are answered.
    let placements: [PlacementID]
    /// The phone announced a token of which the install does not know, see ``AttributionResolution``.
    var isTokenAnnounced = false
    /// In Unix milliseconds; an answer is final if nothing that comes before then can change it.
    var holdEndsAtMs: Int64 = 0
    /// See ``Install/arePurchasesComing(untilMs:nowMs:)``.
    var purchasesUntilMs: Int64?
    /// The assignments that the phone reports.
    var echoes: [Assignment] = []

    /// - Parameter isLinkPending: the link from before the install may still be found.
    func missing(for install: Install, isLinkPending: Bool = false, nowMs: Int64) -> [UnitAssignment] {
        guard snapshot.storesAssignments else { return [] }
        var resolution = AttributionResolution(
            install: install, isTokenAnnounced: isTokenAnnounced, purchasesUntilMs: purchasesUntilMs, nowMs: nowMs, holdEndsAtMs: holdEndsAtMs)
        resolution.isLinkPending = isLinkPending && nowMs < holdEndsAtMs
        var install = install
        var found = takeEchoes(for: &install)
        let answering = PlacementAnswerBuilder(snapshot: snapshot)
        let facts = placements.isEmpty ? nil : snapshot.facts(of: install, nowMs: nowMs)
        for placement in placements {
            guard let facts,
                let shown = try? answering.matching(placement, locale: nil, install: install, facts: facts, pending: resolution.pending),
                let assignment = shown.storing
            else { continue }
            found.append(assignment)
            install.take(assignment)
        }
        return found
    }

    /// Notes the assignments that the phone reports if the store has none.
    @discardableResult
    func takeEchoes(for install: inout Install) -> [UnitAssignment] {
        var taken: [UnitAssignment] = []
        for echo in echoes {
            guard let assignment = snapshot.echoed(echo, for: install) else { continue }
            taken.append(assignment)
            install.take(assignment)
        }
        return taken
    }

    package static func == (left: Enrollment, right: Enrollment) -> Bool {
        left.snapshot === right.snapshot && left.placements == right.placements && left.isTokenAnnounced == right.isTokenAnnounced
            && left.holdEndsAtMs == right.holdEndsAtMs && left.purchasesUntilMs == right.purchasesUntilMs && left.echoes == right.echoes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(placements)
        hasher.combine(holdEndsAtMs)
        hasher.combine(echoes)
    }
}

extension Install {
    mutating func enrol(by enrolling: Enrollment, isLinkPending: Bool = false, nowMs: Int64) {
        for assignment in enrolling.missing(for: self, isLinkPending: isLinkPending, nowMs: nowMs) { take(assignment) }
    }

    /// Notes an assignment, in place of an earlier one for the same unit and experiment.
    mutating func take(_ assignment: UnitAssignment) {
        var all = assignments ?? []
        all.removeAll { $0.unit == assignment.unit && $0.experiment == assignment.experiment }
        all.append(assignment)
        assignments = all
    }
}

extension ExperimentOutcome {
    /// What has to be stored before a final answer says this; nil if it is stored already.
    func unstored(for install: Install, in experiment: Experiment, revision: Int64) -> UnitAssignment? {
        guard let storing, let assigned else { return nil }
        if var stored = install.assignment(in: experiment.id) {
            // The row keeps its variation. Its step says that the unit is not counted.
            guard stored.step != storing else { return nil }
            stored.step = storing
            return stored
        }
        return UnitAssignment(
            unit: install.unit, experiment: experiment.id, epoch: assigned.epoch,
            variation: experiment.variations[assigned.variation].name, bucket: assigned.bucket, step: storing, revision: revision)
    }
}

extension Snapshot {
    /// What an experiment does with an install that has reached it. It does nothing while the unit is not known: a reinstall would see
    /// one variation now and that of its device later.
    func outcome(of experiment: Experiment, for install: Install, isTestDevice: Bool) -> ExperimentOutcome {
        guard install.isUnitKnown else { return .unassigned }
        return experiment.outcome(
            epoch: epochs[experiment.index], unit: install.unit, install: install.id, stored: install.assignment(in: experiment.id),
            isTestDevice: isTestDevice)
    }

    /// An assignment that the phone brings, if it can be taken: the store has none, and the variation exists.
    func echoed(_ echo: Assignment, for install: Install) -> UnitAssignment? {
        guard let experiment = experiments[echo.experiment], experiment.state == .live,
            experiment.variation(echo.variation) != nil, echo.isPlausible, install.assignment(in: echo.experiment) == nil
        else { return nil }
        // The draw of the holdout needs no store, so a unit of the holdout is not taken back as a counted one.
        let own = experiment.fresh(epoch: echo.epoch, unit: install.unit, install: install.id, isTestDevice: false)
        let isHeldOut = own.step == .holdout
            && own.assigned.map { experiment.variations[$0.variation].name == echo.variation && $0.bucket == echo.bucket } == true
        return UnitAssignment(
            unit: install.unit, experiment: experiment.id, epoch: echo.epoch, variation: echo.variation, bucket: echo.bucket,
            step: isHeldOut ? .holdout : .echoed, revision: revision)
    }
}

extension Assignment {
    /// True if the values can come from a server's assignment.
    var isPlausible: Bool {
        (1...Experiment.largestEpoch).contains(epoch) && (0..<Int64(Draw.bucketCount)).contains(bucket)
            && (1...Experiment.longestName).contains(experiment.rawValue.utf8.count)
            && (1...Experiment.longestVariation).contains(variation.rawValue.utf8.count)
    }
}

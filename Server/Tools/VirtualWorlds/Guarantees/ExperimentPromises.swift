// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// What a phone has seen of experiments, and what can still be checked.
struct ExperimentPromises: Sendable {
    struct Arm: Hashable, Sendable {
        let experiment: ExperimentID
        let variation: VariationName

        init(_ assignment: Assignment) {
            experiment = assignment.experiment
            variation = assignment.variation
        }
    }

    /// What the store has of one unit and one experiment.
    struct Stored: Hashable, Sendable {
        /// Nil: there is no row.
        var variation: VariationName?
        var decidedAtMs: Int64?
        var shownAtMs: Int64?
        /// Decisions of every installation that the phone has had.
        var decisions = 0
    }

    /// The variations that calls have returned for the current unit.
    private(set) var arms: [ExperimentID: VariationName] = [:]
    /// The variations in the phone's copy when the last launch ended: the next first open sends them back.
    private(set) var copied: [ExperimentID: VariationName] = [:]
    /// Exposures that must count.
    private var owed: Set<Arm> = []
    private var shown: Set<Arm> = []
    private var returned: Set<Arm> = []
    private var launches: [ExperimentID: Set<Int>] = [:]
    private var wipes = 0

    /// A call has returned this, perhaps at the instant of a kill: its decision may be reported.
    mutating func returned(_ assignment: Assignment, in launch: Int) {
        returned.insert(Arm(assignment))
        launches[assignment.experiment, default: []].insert(launch)
    }

    /// - Parameter isOfUnit: false if the answer may belong to an earlier unit or store; then it is only compared.
    mutating func compare(_ assignment: Assignment, isOfUnit: Bool) -> Breach? {
        if let known = arms[assignment.experiment] {
            guard known != assignment.variation else { return nil }
            return Breach(
                guarantee: "E1", text: "\(assignment.experiment) was \(known.rawValue), is \(assignment.variation.rawValue)")
        }
        if isOfUnit { arms[assignment.experiment] = assignment.variation }
        return nil
    }

    /// - Parameter isSafe: the exposure was on disk when the call returned.
    mutating func shows(_ assignment: Assignment, isSafe: Bool) {
        let arm = Arm(assignment)
        shown.insert(arm)
        if isSafe, arms[arm.experiment] == arm.variation { owed.insert(arm) }
    }

    /// The launch has ended with this copy in its files.
    mutating func leaves(_ copy: [Assignment]) {
        copied = Dictionary(copy.map { ($0.experiment, $0.variation) }, uniquingKeysWith: { _, last in last })
    }

    /// A new unit begins. Reports of what was returned and shown before may still be on their way.
    mutating func forgetUnit() {
        arms = [:]
        copied = [:]
        owed = []
    }

    /// A new store draws the same variation for the same unit. For it, a reinstall is a new unit: only the phone's copy restores its
    /// variation.
    mutating func wiped(isReinstalled: Bool) {
        wipes += 1
        owed = []
        if isReinstalled { arms = arms.filter { copied[$0.key] == $0.value } }
    }

    /// The differences between the store and the promises, after minutes of good network.
    func breaches(of experiment: ExperimentID, in stored: Stored) -> [Breach] {
        var breaches: [Breach] = []
        func broke(_ guarantee: String, _ text: String) {
            breaches.append(Breach(guarantee: guarantee, text: "\(experiment): \(text)"))
        }
        // A launch reports a decision once to each store that the server has had.
        let most = (launches[experiment]?.count ?? 0) * (1 + wipes)
        if stored.decisions > most { broke("E2", "\(stored.decisions) decisions, at most \(most) were made") }
        let arm = arms[experiment]
        let owed = owed.first { $0.experiment == experiment }
        guard let variation = stored.variation else {
            if owed != nil || copied[experiment] != nil { broke("E3", "the store has no row") }
            return breaches
        }
        if let arm, arm != variation { broke("E3", "the phone has \(arm.rawValue), the store \(variation.rawValue)") }
        let has = { (arms: Set<Arm>) in arms.contains { $0.experiment == experiment && $0.variation == variation } }
        if stored.shownAtMs != nil, !has(shown) { broke("E4", "\(variation.rawValue) counts as shown, and never was") }
        if stored.decidedAtMs != nil, !has(returned) { broke("E4", "\(variation.rawValue) counts as decided, and never was") }
        if owed?.variation == variation, stored.shownAtMs == nil { broke("E4", "\(variation.rawValue) was shown, and does not count") }
        return breaches
    }
}

extension ExperimentPromises {
    private struct Copy: Decodable {
        let install: String?
        let assignments: [Assignment]
    }

    /// - Parameter file: the phone's copy, as a kill leaves it; a copy of another installation is ignored.
    mutating func leaves(_ file: Data?, of install: String?) {
        let copy = file.flatMap { try? JSONDecoder().decode(Copy.self, from: $0) }
        leaves(copy.flatMap { $0.install == install && install != nil ? $0.assignments : nil } ?? [])
    }
}

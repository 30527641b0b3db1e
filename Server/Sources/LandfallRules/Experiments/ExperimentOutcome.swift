// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// What an experiment does with one unit that has reached it. Every answer, stream, explanation and
/// estimate uses this decision.
package struct ExperimentOutcome: Hashable, Sendable {
    /// The first of these that decides, in this order.
    package enum Step: String, Hashable, Sendable, Codable { case override, stored, holdout, layer, drawn }

    /// An assignment, as far as it is known before it is stored.
    package struct Assigned: Hashable, Sendable {
        /// The variation's number.
        package let variation: Int
        package let epoch: Int64
        package let bucket: Int64
    }

    /// Nil for an experiment that assigns nobody, or not this unit.
    package let step: Step?
    /// Nil: the unit sees the same as everyone outside the experiment.
    package let assigned: Assigned?
    /// The step with which it has to be stored before a final answer. Nil: there is nothing to store.
    package let storing: UnitAssignment.Step?

    package static let unassigned = ExperimentOutcome(step: nil, assigned: nil, storing: nil)
}

extension Experiment {
    /// - Parameters:
    ///   - epoch: the experiment's current epoch.
    ///   - unit: the unit's id, which the draws use.
    ///   - install: the install's own id, which overrides may name too.
    ///   - stored: what the store has for the unit.
    ///   - isTestDevice: a device of the team; it is not counted.
    package func outcome(
        epoch: Int64, unit: InstallID, install: InstallID, stored: UnitAssignment?, isTestDevice: Bool = false
    ) -> ExperimentOutcome {
        guard state != .stopped else { return .unassigned }
        if let overriding = overriding(epoch: epoch, unit: unit, install: install, stored: stored) { return overriding }
        guard state == .live else { return .unassigned }
        guard let stored else { return fresh(epoch: epoch, unit: unit, install: install, isTestDevice: isTestDevice) }
        // The variation was removed: its units see the same as everyone outside the experiment, and are never drawn again.
        let assigned = variation(stored.variation).map { number in
            ExperimentOutcome.Assigned(variation: number, epoch: stored.epoch, bucket: stored.bucket)
        }
        return ExperimentOutcome(
            step: .stored, assigned: assigned, storing: isTestDevice && stored.step != .override ? .override : nil)
    }

    /// The outcome for a unit that the store does not have, whatever the experiment's state.
    package func fresh(epoch: Int64, unit: InstallID, install: InstallID, isTestDevice: Bool) -> ExperimentOutcome {
        if let overriding = overriding(epoch: epoch, unit: unit, install: install, stored: nil) { return overriding }
        if let holdout, Draw(of: holdout, unit: unit).bucket < holdout.share.buckets {
            let bucket = Int64(draw(epoch: epoch, unit: unit).bucket)
            return ExperimentOutcome(
                step: .holdout, assigned: .init(variation: 0, epoch: epoch, bucket: bucket),
                storing: isTestDevice ? .override : .holdout)
        }
        if let slice, !slice.buckets.contains(Draw(of: slice.layer, unit: unit).bucket) {
            return ExperimentOutcome(step: .layer, assigned: nil, storing: nil)
        }
        let bucket = draw(epoch: epoch, unit: unit).bucket
        return ExperimentOutcome(
            step: .drawn, assigned: .init(variation: variation(at: bucket), epoch: epoch, bucket: Int64(bucket)),
            storing: isTestDevice ? .override : .drawn)
    }

    private func overriding(
        epoch: Int64, unit: InstallID, install: InstallID, stored: UnitAssignment?
    ) -> ExperimentOutcome? {
        guard !overrides.isEmpty, let variation = overrides[install] ?? overrides[unit] else { return nil }
        // The epoch and the bucket tell where the unit would be without it.
        let bucket = stored?.bucket ?? Int64(draw(epoch: epoch, unit: unit).bucket)
        return ExperimentOutcome(
            step: .override, assigned: .init(variation: variation, epoch: stored?.epoch ?? epoch, bucket: bucket),
            storing: stored?.step == .override ? nil : .override)
    }

    func draw(epoch: Int64, unit: InstallID) -> Draw {
        Draw(namespace: "experiment", salt: Self.salt(id, epoch: epoch), unit: unit.rawValue)
    }
}

extension Draw {
    init(of holdout: Holdout, unit: InstallID) { self.init(namespace: "holdout", salt: holdout.name, unit: unit.rawValue) }
    init(of layer: Layer, unit: InstallID) { self.init(namespace: "layer", salt: layer.salt, unit: unit.rawValue) }
}

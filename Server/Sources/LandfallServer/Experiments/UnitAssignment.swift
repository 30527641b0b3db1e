// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The variation that a unit has in an experiment, as the store keeps it. It never changes; a unit that later gets an override
/// or becomes a test device is marked, so that no result counts it.
struct UnitAssignment: Hashable, Sendable {
    enum Step: String, Hashable, Sendable {
        case drawn
        /// The unit is in the holdout.
        case holdout
        /// The configuration chooses for the unit: no result counts it.
        case override
        /// The phone brought it.
        case echoed
    }

    /// The install's id, or the id of the first install of its device.
    let unit: InstallID
    let experiment: ExperimentID
    let epoch: Int64
    let variation: VariationName
    let bucket: Int64
    var step: Step
    /// Of the configuration that assigned.
    var revision: Int64 = 0
    var assignedAtMs: Int64 = 0

    var wire: Assignment { Assignment(experiment: experiment, epoch: epoch, variation: variation, bucket: bucket) }
}

extension Install {
    /// The install's unit in experiments: a reinstall is the same unit as the device's first install.
    var unit: InstallID { firstInstallID ?? id }

    /// What is stored for the install itself, else for its device's first install: an install that becomes known as a reinstall
    /// later keeps what it has.
    func assignment(in experiment: ExperimentID) -> UnitAssignment? {
        guard let assignments, !assignments.isEmpty else { return nil }
        var found: UnitAssignment?
        for assignment in assignments where assignment.experiment == experiment {
            if assignment.unit == id { return assignment }
            found = assignment
        }
        return found
    }
}

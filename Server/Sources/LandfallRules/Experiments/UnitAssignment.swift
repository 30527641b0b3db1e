// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The variation that a unit has in an experiment, as the store keeps it. It never changes; a unit that later gets an override
/// or becomes a test device is marked, so that no result counts it.
package struct UnitAssignment: Hashable, Sendable {
    package enum Step: String, Hashable, Sendable {
        case drawn
        /// The unit is in the holdout.
        case holdout
        /// The configuration chooses for the unit: no result counts it.
        case override
        /// The phone brought it.
        case echoed
    }

    /// The install's id, or the id of the first install of its device.
    package let unit: InstallID
    package let experiment: ExperimentID
    package let epoch: Int64
    package let variation: VariationName
    package let bucket: Int64
    package var step: Step
    /// The revision of the configuration that assigned.
    package var revision: Int64 = 0
    var assignedAtMs: Int64 = 0

    package init(
        unit: InstallID, experiment: ExperimentID, epoch: Int64, variation: VariationName, bucket: Int64, step: Step,
        revision: Int64 = 0, assignedAtMs: Int64 = 0
    ) {
        self.unit = unit
        self.experiment = experiment
        self.epoch = epoch
        self.variation = variation
        self.bucket = bucket
        self.step = step
        self.revision = revision
        self.assignedAtMs = assignedAtMs
    }

    var wire: Assignment { Assignment(experiment: experiment, epoch: epoch, variation: variation, bucket: bucket) }
}

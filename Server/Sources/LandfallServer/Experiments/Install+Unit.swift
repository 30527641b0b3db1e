// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallWire

extension Install {
    /// The install's unit in experiments: a reinstall is the same unit as the device's first install.
    package var unit: InstallID { firstInstallID ?? id }

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

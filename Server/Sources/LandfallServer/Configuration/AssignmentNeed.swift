// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Whether the served configuration needs stored assignments. Without experiments, an install is read with one statement
/// instead of two.
package final class AssignmentNeed: Sendable {
    private let state: Atomic<Bool>

    package init(_ isOn: Bool = false) { state = Atomic(isOn) }

    var isOn: Bool { state.load(ordering: .relaxed) }

    func follow(_ snapshot: Snapshot) { state.store(snapshot.storesAssignments, ordering: .relaxed) }
}

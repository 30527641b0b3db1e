// SPDX-License-Identifier: Apache-2.0

/// Decides whether the writer waits for more units before it begins the next group.
///
/// A commit costs the same for one row as for fifty: a sync, a dozen system calls, two wakes. Callers that were answered
/// together ask again together, a moment later; without a wait, the first of them would get its own commit. A single caller
/// never waits: there is no wait after a group of one, or after a group that began more than ``pace`` ago.
struct Gathering {
    /// From the start of a group to the start of the next. If commits take this long, as on many disks, there is no wait.
    static let pace = Duration.microseconds(500)

    /// The size of the last group.
    let units: Int
    let age: Duration

    /// The next group begins at once when this many units wait.
    var wanted: Int { units }

    /// How long the writer waits; nil if it does not wait.
    func patience(waiting: Int) -> Duration? {
        guard units > 1, waiting < wanted, age >= .zero, age < Self.pace else { return nil }
        return Self.pace - age
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Decides whether the writer waits for more units before it begins the next group.
///
/// A commit costs the same for one row as for fifty: a sync, a dozen system calls, two wakes, and a page of the log for every page that
/// any of them touches. Callers that were answered together ask again together, a moment later; without a wait, the first of them would get
/// its own commit. So do callers who know nothing of each other, if they are many. A single caller never waits: there is no wait while
/// groups have one unit, or after a group that began more than ``pace`` ago.
struct Gathering {
    /// From the start of a group to the start of the next. If commits take this long, as on many disks, there is no wait.
    static let pace = Duration.milliseconds(1)

    /// The next group begins at once when this many units wait. The size of the last group, or a little less than was wanted before it: one
    /// small group among larger ones is chance, and the next one would be alone.
    let wanted: Int
    let age: Duration

    /// - Parameters:
    ///   - units: the size of the last group.
    ///   - before: what was wanted before it.
    init(units: Int, before: Int, age: Duration) {
        wanted = max(units, before * 7 / 8)
        self.age = age
    }

    /// How long the writer waits; nil if it does not wait.
    func patience(waiting: Int) -> Duration? {
        guard wanted > 1, waiting < wanted, age >= .zero, age < Self.pace else { return nil }
        return Self.pace - age
    }
}

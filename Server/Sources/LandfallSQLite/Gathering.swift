// SPDX-License-Identifier: Apache-2.0

/// Whether the writer waits for company before it begins the next group.
///
/// A commit costs the same for one row as for fifty: a sync, a dozen system calls, two wakes. Callers who were answered together
/// ask again together, a moment later; the first of them would otherwise have a commit of their own. A caller who is alone never
/// waits: no group of one is waited after, and a group that began ``pace`` ago is forgotten.
struct Gathering {
    /// From the beginning of a group to that of the next. Commits that take as long, as on many disks, are never waited after.
    static let pace = Duration.microseconds(500)

    /// Of the group that has ended.
    let units: Int
    let age: Duration

    /// How many units have to wait for the next group to begin at once.
    var wanted: Int { units }

    /// How long it waits for them; nil where it does not.
    func patience(waiting: Int) -> Duration? {
        guard units > 1, waiting < wanted, age >= .zero, age < Self.pace else { return nil }
        return Self.pace - age
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A change of the collection mode that depends on the mode before.
struct CollectionChange: Sendable {
    let mode: CollectionMode
    /// It counts only if collection is off; otherwise only if it is not.
    let isForOff: Bool

    func applied(to mode: CollectionMode) -> CollectionMode { (mode == .off) == isForOff ? self.mode : mode }
}

/// Changes that wait until it is known what an earlier launch has stored. What they make of a mode depends only on whether it is off.
struct CollectionChanges: Sendable {
    private(set) var isEmpty = true
    private var off = CollectionMode.off
    /// Nil: every other mode stays.
    private var others: CollectionMode?

    mutating func add(_ change: CollectionChange) {
        isEmpty = false
        off = change.applied(to: off)
        if let mode = others { others = change.applied(to: mode) } else if !change.isForOff { others = change.mode }
    }

    func applied(to mode: CollectionMode) -> CollectionMode { mode == .off ? off : others ?? mode }
}

/// What the app has said about collection in this launch.
struct CollectionChoice: Sendable {
    private(set) var chosen: CollectionMode?
    /// They wait until the files are read.
    private var changes = CollectionChanges()

    init(_ chosen: CollectionMode?) { self.chosen = chosen }

    /// - Parameter stored: what an earlier launch has stored.
    func mode(stored: CollectionMode?) -> CollectionMode { changes.applied(to: chosen ?? stored ?? .full) }

    mutating func choose(_ mode: CollectionMode) { self = CollectionChoice(mode) }

    /// - Returns: false if the change can be made now: what the app has chosen in this launch counts, whatever the files say.
    mutating func wait(_ change: CollectionChange) -> Bool {
        if chosen == nil { changes.add(change) }
        return chosen == nil
    }

    /// The files are read.
    mutating func decide(stored: CollectionMode?) { if !changes.isEmpty { choose(mode(stored: stored)) } }
}

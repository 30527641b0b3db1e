// SPDX-License-Identifier: Apache-2.0

/// A change of the collection mode that depends on what an earlier launch has stored.
struct CollectionChange: Sendable {
    let mode: CollectionMode
    /// It counts only if collection is off; otherwise only if it is not.
    let isForOff: Bool

    func applied(to mode: CollectionMode) -> CollectionMode { (mode == .off) == isForOff ? self.mode : mode }
}

extension LandfallClient {
    /// Sets the collection mode, unless it is ``CollectionMode/off``: what a person has turned off stays off, also in an earlier
    /// launch whose files are not read yet. For consent tools, which know how much is allowed at most. From any thread.
    public func limitCollection(to mode: CollectionMode) { launch.change(collection: CollectionChange(mode: mode, isForOff: false)) }

    /// Sets the collection mode if it is ``CollectionMode/off``, in this launch or in an earlier one whose files are not read yet.
    /// From any thread.
    public func resumeCollection(as mode: CollectionMode = .full) {
        launch.change(collection: CollectionChange(mode: mode, isForOff: true))
    }
}

extension Launch {
    var collection: CollectionMode {
        get { read(\.collection) }
        set {
            change { state, at in
                state.collectionChanges = []
                state.choose(newValue, now: at.now)
            }
            if newValue != .full { forgetWhatIsNotAllowed(in: newValue) }
        }
    }

    func change(collection new: CollectionChange) {
        let mode = change { state, at in
            if state.install == nil { state.add(new) } else { state.choose(new.applied(to: state.collection), now: at.now) }
            return state.collection
        }
        if mode != .full { forgetWhatIsNotAllowed(in: mode) }
    }
}

extension LaunchState {
    /// How many changes wait for the files.
    private static let mostChanges = 8

    var collection: CollectionMode { collection(stored: stored.collection) }

    /// The mode with what an earlier launch has stored.
    func collection(stored: CollectionMode?) -> CollectionMode {
        collectionChanges.reduce(chosenCollection ?? stored ?? .full) { $1.applied(to: $0) }
    }

    fileprivate mutating func add(_ change: CollectionChange) {
        // Only the latest of each kind can matter after the others.
        collectionChanges = Array((collectionChanges + [change]).suffix(Self.mostChanges))
        dirty.insert(.profile)
    }

    fileprivate mutating func choose(_ mode: CollectionMode, now: Duration) {
        let isChanged = collection != mode
        chosenCollection = mode
        stored.collection = mode
        dirty.insert(.profile)
        if mode == .off, experiments.forgetReports() { dirty.insert(.experiments) }
        if isChanged, install != nil { planToken(now: now) }
    }

    /// The files are read.
    mutating func decideCollection(stored: CollectionMode?) {
        guard !collectionChanges.isEmpty else { return }
        chosenCollection = collection(stored: stored)
        collectionChanges = []
    }
}

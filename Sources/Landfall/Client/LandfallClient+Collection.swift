// SPDX-License-Identifier: Apache-2.0

extension LandfallClient {
    /// Sets the collection mode, unless it is ``CollectionMode/off``: what a person has turned off stays off, also in an earlier
    /// launch whose files are not read yet. For consent tools, which may not undo an opt-out. From any thread.
    public func setDataCollectionUnlessOptedOut(_ mode: CollectionMode) {
        launch.change(collection: CollectionChange(mode: mode, isForOff: false))
    }

    /// The earlier name of ``setDataCollectionUnlessOptedOut(_:)``.
    public func setCollectionUnlessOff(_ mode: CollectionMode) { setDataCollectionUnlessOptedOut(mode) }

    /// Sets the collection mode if it is ``CollectionMode/off``, in this launch or in an earlier one whose files are not read yet.
    /// From any thread.
    public func resumeCollection(as mode: CollectionMode = .full) {
        launch.change(collection: CollectionChange(mode: mode, isForOff: true))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a launch still has to read from the SDK's files, or to write into them.
struct FileState: Sendable {
    var opening = RetryableOperation()
    /// Why this client cannot use the files.
    private(set) var unavailable: StorageUnavailable?
    var storing = RetryableOperation()
    /// The files whose content has changed since it was written.
    private var dirty: Set<StorageName> = []

    var isAllStored: Bool { dirty.isEmpty }

    mutating func changed(_ name: StorageName) { dirty.insert(name) }

    /// What was accepted is written now, however often the files refused before.
    mutating func storeOutboxNow() {
        changed(.outbox)
        storing.retry.dueNow()
    }

    mutating func opened() {
        opening = RetryableOperation()
        unavailable = nil
    }

    mutating func failedToOpen(_ reason: StorageUnavailable?, now: Duration, chance: Double) {
        unavailable = reason
        opening.operation = nil
        opening.retry.failed(now: now, chance: chance)
    }

    /// From when to store; nil if there is nothing to store, or it is being stored.
    func storesFrom(isOpen: Bool) -> Duration? {
        storing.isRunning || storable(isOpen: isOpen).isEmpty ? nil : storing.retry.notBefore
    }

    /// Accepted items are stored as soon as possible, even before `start()`; other files after they have been read.
    private func storable(isOpen: Bool) -> Set<StorageName> { isOpen ? dirty : dirty.intersection([.outbox]) }

    /// - Returns: the files to write now.
    mutating func takeStorable(isOpen: Bool) -> Set<StorageName> {
        let names = storable(isOpen: isOpen)
        dirty.subtract(names)
        return names
    }

    /// The write was cancelled, or was not tried.
    mutating func putBack(_ names: Set<StorageName>) { dirty.formUnion(names) }

    mutating func failedToStore(_ names: Set<StorageName>, now: Duration, chance: Double) {
        putBack(names)
        storing.operation = nil
        storing.retry.failed(now: now, chance: chance, atMost: .seconds(30))
    }

    /// What was to be written is forgotten.
    mutating func forget() { dirty = [] }
}

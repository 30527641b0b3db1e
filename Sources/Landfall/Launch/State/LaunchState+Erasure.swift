// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The end of an installation.
extension LaunchState {
    /// Resumes callers that have waited long enough for the erasure; the erasure itself continues.
    mutating func releaseErasureCalls(_ now: Duration) {
        let error = erasure.isErased ? LandfallError(.storage, detail: "They are not removed yet.") : lateness
        for waiter in erasure.takeLate(now) { afterwards.append { waiter.resume(throwing: error.kept) } }
        guard install == nil, isStarted, let unavailable = files.unavailable else { return }
        let lasting = LandfallError(.storageUnavailable, detail: unavailable.description)
        for waiter in erasure.takeWaiters() { afterwards.append { waiter.resume(throwing: lasting) } }
    }

    /// Code that writes files from now on writes nothing of the person.
    mutating func forgetStored() {
        let collection = collection
        stored = StoredProfileState()
        stored.collection = collection
        stored.isAfterErasure = true
        paywalls.cache = PaywallCache()
        experiments = ExperimentMemory()
        purchases = PurchaseState(after: purchases)
        sales = SaleState(after: sales)
        files.forget()
    }

    /// As after a launch that finds no files. The device's values, the waiting calls and the listeners stay.
    mutating func beginAgain(_ configuration: LandfallConfiguration, collection: CollectionMode?) {
        for waiter in outbox.calls.takeAll() {
            afterwards.append { waiter.resume(throwing: LandfallError(.refused(.profileErased))) }
        }
        var fresh = LaunchState(configuration)
        fresh.gone = install?.id
        fresh.isOver = isOver
        fresh.lastWrite = lastWrite
        fresh.isStarted = isStarted
        fresh.platform = platform
        fresh.attributionWait = attributionWait
        fresh.collectionChoice = CollectionChoice(collection)
        fresh.profileListeners.takeOver(from: profileListeners)
        fresh.person.takeOver(from: person)
        fresh.installWaiters = installWaiters
        fresh.lastID = lastID
        fresh.log = log
        fresh.setup.takeOver(from: setup)
        fresh.afterwards = afterwards
        fresh.latestNow = latestNow
        fresh.paywalls.takeOver(from: paywalls)
        fresh.links.takeOver(from: links)
        fresh.purchases = PurchaseState(after: purchases)
        fresh.sales = SaleState(after: sales)
        self = fresh
    }
}

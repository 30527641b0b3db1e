// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The end of an installation: requested by the app, or reported by the server.
struct Farewell: Sendable {
    /// The person has asked for it in this launch: no first open is sent.
    var isForgetting = false
    /// Nothing of this installation is to be kept.
    private(set) var isWanted = false
    /// The server has erased it.
    private(set) var isErased = false
    var retryable = RetryableOperation()
    private var waiters: [Int: Waiter] = [:]

    /// A caller that waits. The request itself never expires.
    struct Waiter: Sendable {
        let deadline: Duration
        let waiter: CheckedContinuation<Void, any Error>
    }

    mutating func ask() { isWanted = true }

    /// The server has reported that the installation is erased.
    mutating func erased() {
        isWanted = true
        isErased = true
    }

    /// - Parameter waiter: gets the result of the next try, which begins at once.
    mutating func wait(_ id: Int, _ waiter: Waiter) {
        isWanted = true
        waiters[id] = waiter
        retryable.retry.reset()
    }

    mutating func stopWaiting(_ id: Int) -> Waiter? { waiters.removeValue(forKey: id) }

    mutating func takeWaiters() -> [CheckedContinuation<Void, any Error>] {
        defer { waiters = [:] }
        return waiters.values.map(\.waiter)
    }

    /// - Returns: the callers whose wait is over.
    mutating func takeLate(_ now: Duration) -> [CheckedContinuation<Void, any Error>] {
        let late = waiters.filter { $0.value.deadline <= now }
        for id in late.keys { waiters[id] = nil }
        return late.values.map(\.waiter)
    }

    /// When the next caller stops waiting.
    var deadline: Duration? { waiters.values.lazy.map(\.deadline).min() }

    /// From when to try; nil if it is not requested, or is being tried.
    var wakeAt: Duration? { isWanted && !retryable.isRunning ? retryable.retry.notBefore : nil }
}

extension LaunchState {
    /// Resumes callers that have waited long enough for the erasure; the erasure itself continues.
    mutating func releaseFarewells(_ now: Duration) {
        let error = farewell.isErased ? LandfallError(.storage, detail: "They are not removed yet.") : lateness
        for waiter in farewell.takeLate(now) { afterwards.append { waiter.resume(throwing: error.kept) } }
        guard install == nil, isStarted, let unavailable = files.unavailable else { return }
        let lasting = LandfallError(.storageUnavailable, detail: unavailable.description)
        for waiter in farewell.takeWaiters() { afterwards.append { waiter.resume(throwing: lasting) } }
    }

    /// Code that writes files from now on writes nothing of the person.
    mutating func forgetStored() {
        let collection = collection
        stored = StoredProfileState()
        stored.collection = collection
        stored.isAfterFarewell = true
        paywalls.cache = PaywallCache()
        experiments = ExperimentMemory()
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
        self = fresh
    }
}

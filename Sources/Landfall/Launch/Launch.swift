// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// One launch of the app: owns the state and carries out what follows from it.
///
/// A class with a lock and not an actor, because hooks and exposures are synchronous, and because no deadline may wait in a
/// queue. Each change of the state also settles it: it resumes callers, starts and cancels operations, and waits for none of
/// them.
final class Launch: Sendable {
    let configuration: LandfallConfiguration
    let storage: any Storage
    let outbox: Outbox
    /// Work on the files runs one after the other, each with the state at its turn.
    let turns = Turns()
    /// Of the calls that may change the person.
    let personTurns = Turns()
    let calls: ServerCalls
    let operations = Operations()
    /// Ended listeners to profiles that are still in the state.
    let goneListeners = Locked<Set<Int>>([])
    private let state: Locked<LaunchState>

    init(_ configuration: LandfallConfiguration) {
        var configuration = configuration
        configuration.log = configuration.wantedLog
        self.configuration = configuration
        storage = configuration.storage ?? FileStorage()
        outbox = Outbox(storage: storage, turns: turns, date: configuration.time.date, log: configuration.log)
        let erased = Locked<@Sendable (String) -> Void>({ _ in })
        calls = ServerCalls(
            server: configuration.server, sdkKey: configuration.sdkKey, transport: configuration.transport,
            onErased: { credential in erased.withLock(\.self)(credential) },
            now: configuration.time.now, log: configuration.log
        )
        state = Locked(LaunchState(configuration))
        // A handled link stays handled, even if the client is gone.
        let take: @Sendable (String) -> Void = { [weak self, outbox] id in
            if let self { self.take(id) } else { outbox.letGo([id]) }
        }
        note { $0.links.take = take }
        erased.withLock { $0 = { [weak self] credential in self?.wasErased(credential) } }
    }

    var time: LandfallTime { configuration.time }
    var runningOperations: Int {
        operations.countForCalls + read { $0.paywalls.calls.count + $0.links.calls.count + $0.outbox.calls.count }
    }

    func start() {
        let isFirst = change { state, at in
            guard !state.isStarted else { return false }
            state.isStarted = true
            state.attributionBegins(now: at.now)
            state.awaited.start(now: at.now)
            state.announcePurchases(now: at.now)
            return true
        }
        if isFirst { listenToPlatform() }
    }

    /// Resumes every waiting call, cancels every operation, and still writes the state.
    func end() {
        let (calls, waiters, listeners, links, others, buyers) = state.withLock { state in
            defer {
                state.isOver = true
                state.lastWrite = state.lastWrite ?? Task.detached(priority: .userInitiated) { [self] in await storeAtLast() }
            }
            let calls = state.paywalls.calls.keys.compactMap { state.paywalls.remove($0) }
            let links = state.links.end()
            let others = state.erasure.takeWaiters() + state.outbox.calls.takeAll()
            let buyers = state.sales.takeCallers()
            return (calls, state.installWaiters.takeAll(), state.profileListeners.takeAll(), links, others, buyers)
        }
        operations.end()
        for call in calls { call.waiter.resume(throwing: LandfallError(.shutDown)) }
        for waiter in waiters { waiter.waiter.resume(throwing: LandfallError(.shutDown)) }
        for waiter in others { waiter.resume(throwing: LandfallError(.shutDown)) }
        for buyer in buyers { buyer.resume(throwing: LandfallError(.shutDown)) }
        for listener in listeners { listener.finish() }
        for link in links { link() }
    }

    func shutdown(within patience: Duration) async {
        end()
        await operations.waitUntilOver()
        guard let lastWrite = read(\.lastWrite) else { return }
        // Real time: a disk hangs however fast the client's clock runs, or when a test does not move it.
        let waiting = Task { try? await abandoning { await lastWrite.value } }
        let limit = Task.detached {
            try? await Task.sleep(for: patience.withinADay)
            waiting.cancel()
        }
        await waiting.value
        limit.cancel()
    }
}

// MARK: State

extension Launch {
    func read<Result>(_ body: (LaunchState) -> Result) -> Result { state.withLock { body($0) } }

    /// A change that needs no settling.
    func note<Result>(_ body: (inout LaunchState) -> Result) -> Result { state.withLock { body(&$0) } }

    /// Changes the state and carries out what follows.
    /// - Parameter call: the only thing that changes is this new call.
    @discardableResult
    func change<Result>(only call: PaywallCall.ID? = nil, _ body: (inout LaunchState, LaunchState.Instant) -> Result) -> Result
    {
        let chance = Double(configuration.randomBytes(1).first ?? 128) / 255
        let now = time.now(), date = time.date()
        let (result, lines, afterwards) = state.withLock { state in
            // Another thread may have read the clock later and come first: in the state, time never goes back.
            state.latestNow = max(state.latestNow, now)
            let at = LaunchState.Instant(now: state.latestNow, date: date, chance: chance)
            let result = body(&state, at)
            for effect in state.settle(at, only: call) { perform(effect, &state, at) }
            if state.log.takesDebug { state.log.changed(to: state.facts(at.now)) }
            defer { state.afterwards = [] }
            return (result, state.log.take(), state.afterwards)
        }
        // Outside the lock: a cancelled task runs foreign code (the cancellation handlers of the app's transport), and a task
        // that cancels a waiter holds that waiter's own lock while its handler waits for ours.
        for action in afterwards { action() }
        for line in lines { configuration.log(line) }
        return result
    }

    func change(_ body: (inout LaunchState) -> Void) { change { state, _ in body(&state) } }
}

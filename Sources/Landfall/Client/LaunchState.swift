// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The state of one launch of the app, and what follows from it.
///
/// A value: ``settle(_:)`` decides what to do next, ``Launch`` does it.
struct LaunchState: Sendable {
    struct Instant: Sendable {
        var now: Duration
        var date: Date
        /// 0…1, for the spread of retries.
        var chance: Double
    }

    var isStarted = false
    var isOver = false
    /// Runs when all else has ended, and writes the final state.
    var lastWrite: Task<Void, Never>?
    /// The app is visible; until then this launch is not an open.
    var isActivated: Bool
    /// There is no network path, and only a change of the person's settings can bring one.
    var isPathDenied = false
    /// For people to read; it decides nothing.
    var hasPath = true
    /// The person asked to save data on this path.
    var isConstrained = false
    var storeCountry: String?
    var isFallbackRead = false

    var install: Install?
    var opening = RetryableOperation()
    /// Why this client cannot use the files.
    var unavailable: StorageUnavailable?
    var stored = StoredProfileState()
    /// Set by the app in this launch.
    var chosenCollection: CollectionMode?
    /// They wait until the files are read.
    var collectionChanges = CollectionChanges()

    var profileState = ProfileState()
    var listeners: [Int: AsyncStream<Profile>.Continuation] = [:]
    var lastYielded: Profile?
    /// The call that has its turn, see ``Launch/personTurns``.
    var personCall: PersonCall?
    var person = KnownPerson()
    var isFlushSendingAttributes = false
    /// The person has asked for it in this launch: no first open is sent.
    var willBeForgotten = false
    /// The state that was compared last. A profile is made only of another one, because making it costs more than comparing.
    var publishedProfileState: ProfileState?

    var firstOpen = FirstOpenState()
    var adToken = AdTokenState()
    /// A fresh token of this launch counts, see ``StoredProfileState/freshTokenLaunches``.
    var hasSpentFreshToken = false
    let hasTokenSource: Bool
    /// What the app wants to be ready for.
    var preparing: [PaywallKey]
    static let mostPrepared = 32
    let hold: Duration
    /// Counted from the activation.
    let attributionLimit: Duration?
    var attributionAwaitedUntil: Duration?
    var ownTimer: OwnTimer
    var paywalls: PaywallState
    var awaited = AwaitedChanges()
    var experiments = ExperimentMemory()

    var links: LinkState
    /// Tells the launch that the app has handled a link.
    var takeLink: @Sendable (String) -> Void = { _ in }

    var watch = RetryableOperation()
    var outbox = RetryableOperation()
    var hasOutboxItems = false
    var heldBack = HeldBack()
    var sending = SendingCalls()
    var storing = RetryableOperation()
    var farewell = Farewell()
    /// The installation that ended in this launch.
    var gone: InstallID?
    var dirty: Set<StorageName> = []

    var installWaiters: [Int: InstallWaiter] = [:]
    var alarm: (at: Duration, operation: Operations.ID)?
    var lastID = 0
    let minimumLogLevel: LogLine.Level
    var logLines: [LogLine] = []
    /// The facts that were logged last.
    var loggedFacts: [StateFact] = []
    var lastErrors: [RetryableOperationName: LastError] = [:]
    let bundle: AppBundle
    let server: URL
    var isSetupChecked = false
    /// The setup mistakes that were logged.
    var traps: [SetupTrap] = []
    /// Since when a link waits without a listener.
    var unheardSince: Duration?
    /// Since when a listener waits for `start()`.
    var unstartedSince: Duration?
    /// Since when the app is visible with nothing connected to its links.
    var unconnectedSince: Duration?
    /// Runs after the lock is released: resumes callers, cancels operations.
    var afterwards: [@Sendable () -> Void] = []
    /// The latest time of any change.
    var latestNow: Duration = .zero
    /// Operations that are no longer needed.
    var cancelled: [Operations.ID] = []

    init(_ configuration: LandfallConfiguration) {
        isActivated = !configuration.opensOnActivation
        hasTokenSource = configuration.adTokens != nil
        preparing = configuration.preparing.map { PaywallKey($0, .matching, locale: configuration.device.locale) }
        hold = configuration.hold.clamped(to: .zero ... .seconds(30))
        attributionLimit = configuration.attributionLimit?.withinADay
        ownTimer = OwnTimer(shortest: configuration.ownTimer?.withinADay)
        paywalls = PaywallState(cacheAge: configuration.matchingCacheAge)
        links = LinkState(configuration.links)
        chosenCollection = configuration.collection
        minimumLogLevel = configuration.minimumLogLevel
        bundle = configuration.bundle
        server = configuration.server
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    func circumstances(_ now: Duration) -> PaywallCircumstances {
        PaywallCircumstances(
            now: now, isStarted: isStarted, hasInstall: install != nil, installRetry: opening.retry,
            unavailable: unavailable, isHopeless: isDenied, isConstrained: isConstrained, attributionAwaitedUntil: attributionAwaitedUntil,
            changeAwaited: isDenied ? nil : changeAwaited(now), profileState: profileState, firstOpen: firstOpen
        )
    }

    /// If true, calls do not wait for the server; requests are still tried. False for an installation that has never reached
    /// the server: the system may just be asking its person whether the app may use the network.
    var isDenied: Bool { isPathDenied && profileState.wire != nil }

    /// Decides what follows from the present state.
    /// - Parameter call: the only thing that changed is this new call.
    mutating func settle(_ at: Instant, only call: PaywallCall.ID? = nil) -> [Effect] {
        guard !isOver else { return [] }
        checkSetup(at.now)
        settleToken(at.now)
        endOverdueStream(at)
        hurryChanges(at.now)
        var effects = cancelled.map(Effect.cancel)
        cancelled = []
        for effect in links.settle(linkCircumstances(at)) {
            logVerdict(effect)
            effects.append(effect)
        }
        if links.takeLeftClicks() { hasOutboxItems = true }
        for (time, effect) in plannedEffects(at.now) where time <= at.now {
            if case .openStream = effect { firstOpen.leaves(now: at.now) }
            effects.append(effect)
        }
        for effect in paywalls.settle(only: call, circumstances(at.now), date: at.date) {
            if case .resume(let call, let result) = effect {
                logVerdict(call, result, now: at.now)
                checkSetup(of: call, result, at.now)
                decision(of: call, result).map { effects.append(.report($0)) }
            }
            effects.append(effect)
        }
        if !installWaiters.isEmpty { admitWaiters(at.now) }
        if !sending.calls.isEmpty { effects.append(.endSendingCalls) }
        if farewell.isWanted { releaseFarewells(at.now) }
        if profileState != publishedProfileState { publishProfile() }
        effects.append(.alarm(wakeAt(at.now)))
        return effects
    }

    /// The app came back, or the network did.
    mutating func resetRetries(now: Duration) {
        opening.retry.reset()
        storing.retry.dueNow()
        firstOpen.retryable.retry.reset()
        adToken.resetRetries(now: now)
        watch.retry.reset()
        outbox.retry.reset()
        heldBack.retryable.retry.dueNow()
        farewell.retryable.retry.reset()
        paywalls.resetRetries()
        links.resetRetries()
    }
}

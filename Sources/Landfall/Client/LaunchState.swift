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
    var platform: PlatformState

    var install: Install?
    var files = FileState()
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

    var firstOpen: FirstOpenState
    var adToken: AdTokenState
    var attributionWait: AttributionWait
    var paywalls: PaywallState
    var awaited = AwaitedChanges()
    var experiments = ExperimentMemory()

    var links: LinkState
    /// Tells the launch that the app has handled a link.
    var takeLink: @Sendable (String) -> Void = { _ in }

    var watch = RetryableOperation()
    var outbox = OutboxState()
    var farewell = Farewell()
    /// The installation that ended in this launch.
    var gone: InstallID?

    var installWaiters = InstallWaiters()
    var alarm: (at: Duration, operation: Operations.ID)?
    var lastID = 0
    var log: LaunchLog
    var lastErrors = LastErrors()
    var setup: SetupState
    /// Runs after the lock is released: resumes callers, cancels operations.
    var afterwards: [@Sendable () -> Void] = []
    /// The latest time of any change.
    var latestNow: Duration = .zero
    /// Operations that are no longer needed.
    var cancelled: [Operations.ID] = []

    init(_ configuration: LandfallConfiguration) {
        platform = PlatformState(isActivated: !configuration.opensOnActivation)
        firstOpen = FirstOpenState(hold: configuration.hold)
        adToken = AdTokenState(hasSource: configuration.adTokens != nil)
        attributionWait = AttributionWait(limit: configuration.attributionLimit, ownTimer: configuration.ownTimer)
        paywalls = PaywallState(
            cacheAge: configuration.matchingCacheAge,
            preparing: configuration.preparing.map { PaywallKey($0, .matching, locale: configuration.device.locale) }
        )
        links = LinkState(configuration.links)
        chosenCollection = configuration.collection
        log = LaunchLog(from: configuration.minimumLogLevel)
        setup = SetupState(bundle: configuration.bundle, server: configuration.server, links: configuration.links.domains)
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    func circumstances(_ now: Duration) -> PaywallCircumstances {
        PaywallCircumstances(
            now: now, isStarted: isStarted, hasInstall: install != nil, installRetry: files.opening.retry,
            unavailable: files.unavailable, isHopeless: isDenied, isConstrained: platform.isConstrained,
            attributionAwaitedUntil: attributionWait.until, changeAwaited: isDenied ? nil : changeAwaited(now),
            profileState: profileState, firstOpen: firstOpen
        )
    }

    /// If true, calls do not wait for the server; requests are still tried. False for an installation that has never reached
    /// the server: the system may just be asking its person whether the app may use the network.
    var isDenied: Bool { platform.isPathDenied && profileState.wire != nil }

    /// Decides what follows from the present state.
    /// - Parameter call: the only thing that changed is this new call.
    mutating func settle(_ at: Instant, only call: PaywallCall.ID? = nil) -> [Effect] {
        guard !isOver else { return [] }
        for trap in setup.settle(setupCircumstances(at.now)) { report(trap) }
        if install != nil { adToken.giveUpIfLate(now: at.now) }
        profileState.expects(tokenUnderWay: adToken.isUnderWay, inBackground: adToken.isInBackground)
        endOverdueStream(at)
        hurryChanges(at.now)
        var effects = cancelled.map(Effect.cancel)
        cancelled = []
        for effect in links.settle(linkCircumstances(at)) {
            if log.takesDebug, let verdict = effect.linkVerdict { log.add(.debug, verdict, .links) }
            effects.append(effect)
        }
        if links.takeLeftClicks() { outbox.hasItems = true }
        for (time, effect) in plannedEffects(at.now) where time <= at.now {
            if case .openStream = effect { firstOpen.leaves(now: at.now) }
            effects.append(effect)
        }
        for effect in paywalls.settle(only: call, circumstances(at.now), date: at.date) {
            if case .resume(let call, let result) = effect {
                log.add(.debug, call.inWords(result, now: at.now), .paywalls)
                checkSetup(of: call, result, at.now)
                decision(of: call, result).map { effects.append(.report($0)) }
            }
            effects.append(effect)
        }
        if !installWaiters.calls.isEmpty { admitWaiters(at.now) }
        if !outbox.calls.isEmpty { effects.append(.endSendingCalls) }
        if farewell.isWanted { releaseFarewells(at.now) }
        if profileState != publishedProfileState { publishProfile() }
        effects.append(.alarm(wakeAt(at.now)))
        return effects
    }

    /// The app came back, or the network did.
    mutating func resetRetries(now: Duration) {
        files.opening.retry.reset()
        files.storing.retry.dueNow()
        firstOpen.retryable.retry.reset()
        adToken.resetRetries(now: now)
        watch.retry.reset()
        outbox.resetRetries()
        farewell.retryable.retry.reset()
        paywalls.resetRetries()
        links.resetRetries()
    }
}

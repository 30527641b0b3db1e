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
    /// The latest time of any change.
    var latestNow: Duration = .zero
    var lastID = 0
    var alarm: (at: Duration, operation: Operations.ID)?
    /// Operations that are no longer needed.
    var cancelled: [Operations.ID] = []
    /// Runs after the lock is released: resumes callers, cancels operations.
    var afterwards: [@Sendable () -> Void] = []

    /// nil until the files have been read.
    var install: Install?
    /// The installation that ended in this launch.
    var gone: InstallID?
    var installWaiters = InstallWaiters()
    var files = FileState()
    var stored = StoredProfileState()
    var platform: PlatformState
    var collectionChoice: CollectionChoice
    var setup: SetupState
    var log: LaunchLog
    var lastErrors = LastErrors()

    var profileState = ProfileState()
    var profileListeners = ProfileListeners()
    var person = PersonState()
    /// Follows the profile after the first open.
    var watch = RetryableOperation()
    var awaited = AwaitedChanges()
    var attributionWait: AttributionWait
    var adToken: AdTokenState
    var firstOpen: FirstOpenState
    var paywalls: PaywallState
    var experiments = ExperimentMemory()
    var links: LinkState
    var outbox = OutboxState()
    var purchases: PurchaseState
    var sales: SaleState
    var erasure = ErasureState()

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
        purchases = PurchaseState(hasSource: configuration.transactions != nil)
        sales = SaleState(hasSource: configuration.products != nil)
        collectionChoice = CollectionChoice(configuration.collection)
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
    mutating func settle(_ at: Instant, only call: PaywallCall.ID? = nil) -> [LaunchEffect] {
        guard !isOver else { return [] }
        for trap in setup.settle(setupCircumstances(at.now)) { report(trap) }
        if install != nil { adToken.giveUpIfLate(now: at.now) }
        profileState.endAccess(at.now, at.date)
        profileState.expects(tokenUnderWay: adToken.isUnderWay, inBackground: adToken.isInBackground)
        endOverdueStream(at)
        hurryChanges(at.now)
        var effects = cancelled.map(LaunchEffect.cancel)
        cancelled = []
        for effect in links.settle(linkCircumstances(at)) {
            if log.takesDebug, let verdict = effect.verdict { log.add(.debug, verdict, .links) }
            effects.append(.links(effect))
        }
        if links.takeLeftClicks() { outbox.hasItems = true }
        for (time, effect) in plannedEffects(at.now, at.date) where time <= at.now {
            if case .openStream = effect { firstOpen.leaves(now: at.now) }
            effects.append(effect)
        }
        for effect in paywalls.settle(only: call, circumstances(at.now), date: at.date) {
            if case .resume(let call, let result) = effect {
                log.add(.debug, call.inWords(result, now: at.now), .paywalls)
                checkSetup(of: call, result, at.now)
                decision(of: call, result).map { effects.append(.report($0)) }
            }
            effects.append(.paywalls(effect))
        }
        if !installWaiters.calls.isEmpty { admitWaiters(at.now) }
        if !outbox.calls.isEmpty { effects.append(.endSendingCalls) }
        if erasure.isWanted { releaseErasureCalls(at.now) }
        profileListeners.publish(profileState)
        effects.append(.alarm(wakeAt(at.now, at.date)))
        return effects
    }

    /// The decision to report before this call returns.
    mutating func decision(of call: PaywallCall, _ result: Result<PaywallResult, LandfallError>) -> Event? {
        guard collection != .off, let decision = experiments.decision(of: call, result) else { return nil }
        files.changed(.experiments)
        return decision
    }

    /// The app came back, or the network did.
    mutating func resetRetries(now: Duration) {
        files.opening.retry.reset()
        files.storing.retry.dueNow()
        firstOpen.retryable.retry.reset()
        adToken.resetRetries(now: now)
        watch.retry.reset()
        outbox.resetRetries()
        purchases.sending.retry.reset()
        sales.sending.retry.reset()
        erasure.retryable.retry.reset()
        paywalls.resetRetries()
        links.resetRetries()
    }
}

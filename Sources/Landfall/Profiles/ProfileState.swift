// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The last known state of the person: the profile, its attribution, and when a pending attribution may arrive.
///
/// Order is (epoch, version): an older state is ignored, a higher epoch always wins.
struct ProfileState: Hashable, Sendable {
    /// Without the time at which it was sent: the same profile sent later is no change.
    private(set) var wire: WireProfile?
    /// When the server sent ``wire``, by its own time, in Unix milliseconds.
    private(set) var saidAt: Int64?
    private(set) var clock: ServerClock?
    /// What the person may use now.
    var access = OpenAccess()
    /// The attribution that the server reported last.
    private(set) var said: LandfallWire.Attribution?
    /// When a pending attribution may change at the earliest, on the launch's clock.
    private(set) var nextAnswerAt: Duration = .zero
    /// In this launch: paywalls of earlier launches were decided by other attributes.
    private(set) var haveAttributesChanged = false
    /// The phone has announced an ad token that the server has not seen: until then attribution is not final.
    private(set) var isTokenUnderWay = false

    /// Earlier tokens brought no attribution and another is tried: the last attribution stays valid until Apple answers.
    private(set) var isTokenInBackground = false

    /// Until when calls wait for the person's purchases, which are on their way to the server.
    private(set) var purchasesAwaitedUntil: Duration = .zero
    /// How long calls wait for announced purchases.
    static let purchasePatience: Duration = .seconds(3)

    var attribution: LandfallWire.Attribution { said.map { understood($0) } ?? .pending(nextAnswerNotBefore: 0) }

    /// What the server's word means here: the phone may know of a token that the server has not seen, or of one that tries again
    /// what others have tried in vain.
    func understood(_ word: LandfallWire.Attribution) -> LandfallWire.Attribution {
        switch (word, said) {
        case (.unavailable(.noToken), _) where isTokenUnderWay: .pending(nextAnswerNotBefore: 0)
        case (.pending, .unavailable(let reason)?) where isTokenInBackground: .unavailable(reason)
        default: word
        }
    }

    /// The attribution with which the server decided this answer. What became known since counts as long as it is about the same state.
    func attribution(behind answer: PaywallAnswer) -> LandfallWire.Attribution {
        let isOfNow =
            wire.map { ($0.epoch, $0.attributionVersion) == (answer.epoch, answer.attributionVersion) && $0.id == answer.profileId }
            ?? false
        return isOfNow && !attribution.isPending ? attribution : answer.attribution ?? attribution
    }

    mutating func expects(tokenUnderWay: Bool, inBackground: Bool) {
        isTokenUnderWay = tokenUnderWay
        isTokenInBackground = inBackground
    }

    var profile: Profile? { wire.map { Profile($0, attribution: attribution, access: access) } }

    /// True if the phone knows that something on its way to the server may change this person's paywall: Apple's answer, the ad
    /// token or purchases. If only the server knows of it, the server's answer is not final.
    func isAnythingPending(_ now: Duration) -> Bool { attribution.isPending || isTokenUnderWay || arePurchasesComing(now) }

    func arePurchasesComing(_ now: Duration) -> Bool { now < purchasesAwaitedUntil }

    /// The phone is about to send the person's purchases. Called before the start, because the first open announces them.
    mutating func purchasesAreComing(now: Duration) { purchasesAwaitedUntil = now + Self.purchasePatience }

    /// The server has all purchases, or none will come.
    mutating func purchasesAreComplete() { purchasesAwaitedUntil = .zero }

    /// The answer is about an earlier state, or about another person.
    func isNewer(than answer: PaywallAnswer) -> Bool {
        guard let wire, answer.kind == .matching else { return false }
        if answer.profileId != wire.id { return answer.epoch <= wire.epoch }
        return (answer.epoch, answer.profileVersion) < (wire.epoch, wire.version)
    }

    /// The answer is about exactly this state of the person.
    func isSubject(of answer: PaywallAnswer) -> Bool {
        wire.map { $0.id == answer.profileId && ($0.epoch, $0.version) == (answer.epoch, answer.profileVersion) } ?? false
    }

    /// True if attribution may change by that time.
    func mayChange(by deadline: Duration) -> Bool {
        if isTokenUnderWay { return true }
        return attribution.isPending && nextAnswerAt <= deadline
    }

    mutating func apply(_ news: WireProfile, _ attribution: LandfallWire.Attribution?, now: Duration) {
        if let wire {
            if (news.epoch, news.version) < (wire.epoch, wire.version) { return }
            if news.customAttributes != wire.customAttributes { haveAttributesChanged = true }
        }
        saidAt = news.asOfMilliseconds
        if let saidAt { clock = ServerClock(said: saidAt, heardAt: now) }
        let before = wire
        wire = news
        wire?.keepPurchases(of: before)
        wire?.asOfMilliseconds = nil
        if let attribution { settle(attribution, now: now) }
    }

    /// An earlier launch has stored it.
    mutating func opened(
        _ profile: WireProfile, _ attribution: LandfallWire.Attribution?, _ clock: ServerClock.Stored?, now: Duration, date: Date
    ) {
        apply(profile, attribution, now: now)
        self.clock = clock.map { ServerClock($0, now: now, date: date) }
    }

    /// As it is stored.
    var stored: WireProfile? {
        var stored = wire
        stored?.asOfMilliseconds = saidAt
        return stored
    }

    mutating func settle(_ attribution: LandfallWire.Attribution, now: Duration) {
        if isTokenInBackground, attribution.isPending, case .unavailable = said { return }
        said = attribution
        if case .pending(let milliseconds) = attribution {
            nextAnswerAt = now + Duration.milliseconds(min(max(milliseconds, 0), 86_400_000))
        } else {
            nextAnswerAt = now
        }
    }
}

/// Content of `profile.json`: the state that a launch leaves for the next one.
struct StoredProfileState: Hashable, StoredValue {
    static let currentFormat = 1
    /// How many launches send a fresh token after one that brought no attribution.
    static let freshTokenLaunches = 3

    private(set) var format = Self.currentFormat
    var profile: WireProfile?
    /// The server's time when this was written.
    var clock: ServerClock.Stored?
    var attribution: LandfallWire.Attribution?
    var collection: CollectionMode?
    /// ISO 3166-1 alpha-2, from an earlier launch.
    var storeCountry: String?
    /// nil until a token has brought no attribution.
    var freshTokenLaunchesLeft: Int?
    /// True once the server has had an ad token of this installation.
    var isTokenDelivered: Bool?
    /// nil until the server has answered whether a link was tapped before the installation.
    var deferredLink: StoredDeferredLink?
    /// True from the end of an installation by the app or the server until the next one has begun: that one is new, whatever
    /// the app's preferences show.
    var isAfterErasure: Bool?

    init() {}

    /// A member that this release does not understand is as if it were missing. Of a mode of another form it knows one thing: it was
    /// chosen. So nothing may be sent.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func member<Value: Decodable>(_ key: CodingKeys) -> Value? { (try? members.decodeIfPresent(Value.self, forKey: key)) ?? nil }
        format = member(.format) ?? Self.currentFormat
        profile = member(.profile)
        clock = member(.clock)
        attribution = member(.attribution)
        collection = member(.collection) ?? (members.contains(.collection) ? .off : nil)
        storeCountry = member(.storeCountry)
        freshTokenLaunchesLeft = member(.freshTokenLaunchesLeft)
        isTokenDelivered = member(.isTokenDelivered)
        deferredLink = member(.deferredLink)
        isAfterErasure = member(.isAfterErasure)
    }

    /// After a token that brought no attribution, fresh ones follow, one in each launch.
    mutating func settle(_ attribution: LandfallWire.Attribution) {
        self.attribution = attribution
        switch attribution {
        case .attributed, .notAttributed: freshTokenLaunchesLeft = nil
        case .unavailable(.noToken), .unavailable(.unsupported), .unavailable(.collectionOff), .pending: break
        case .unavailable: freshTokenLaunchesLeft = freshTokenLaunchesLeft ?? Self.freshTokenLaunches
        }
    }
}

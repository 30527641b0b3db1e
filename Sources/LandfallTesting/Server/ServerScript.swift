// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The answers of a scripted server by time: a value that does not change by itself.
struct ServerScript: Sendable {
    struct Showing: Sendable {
        var placement: PlacementID
        var audience: AudienceID
        /// Nil: nothing.
        var paywall: WirePaywall?
        var assignment: Assignment?
    }

    enum News: Sendable {
        case attribution(LandfallWire.Attribution)
        case shows(Showing)
    }

    private struct Moment: Sendable {
        let at: Duration
        let news: News
    }

    /// Earliest first; at the same time in the order of the script.
    private var moments: [Moment] = []
    var links: [String: String] = [:]
    var deferred: DeferredLink?
    var isSilent = false
    var failure: ErrorCode?
    var exposures: [PaywallID] = []
    var decisions: [Assignment] = []
    var events: [RecordedEvent] = []
    var purchases: [String] = []
    /// The access levels that any purchase opens.
    var levels: Set<String> = []
    var customerID: String?
    var attributes: [String: AttributeValue] = [:] { didSet { if attributes != oldValue { changes += 1 } } }
    /// Each log-out makes another person.
    private var logOuts = 0
    /// The changes of attributes: each makes a new version of the profile.
    private var changes = 0
    /// When the first open arrived, on the test's clock.
    private(set) var beganAt: Duration?

    mutating func add(_ news: News, at time: Duration) {
        let place = moments.firstIndex { $0.at > time } ?? moments.endIndex
        moments.insert(Moment(at: time, news: news), at: place)
    }

    mutating func begin(at now: Duration) { beganAt = beganAt ?? now }

    /// The time of the script at that time of the clock. The script begins with the first open.
    func time(at now: Duration) -> Duration { now - (beganAt ?? now) }

    func next(after time: Duration) -> Duration? { moments.first { $0.at > time }?.at }

    private func past(_ time: Duration) -> some Collection<News> { moments.lazy.filter { $0.at <= time }.map(\.news) }

    func attribution(at time: Duration) -> LandfallWire.Attribution {
        if let known = past(time).compactMap(\.attribution).last { return known }
        return moments.contains { $0.news.attribution != nil } ? .pending(nextAnswerNotBefore: 0) : .notAttributed
    }

    func profile(of install: String, at time: Duration) -> WireProfile {
        var profile = WireProfile(
            id: ProfileID(logOuts == 0 ? "i_\(install)" : "i_\(install)_\(logOuts)"), installId: InstallID(install),
            epoch: Int64(1 + logOuts), version: Int64(1 + past(time).count + changes + purchases.count),
            attributionVersion: Int64(past(time).count { $0.attribution != nil })
        )
        profile.customerId = customerID
        profile.customAttributes = attributes
        if !purchases.isEmpty, !levels.isEmpty {
            let level = WireAccessLevel(state: .active, isActive: true, store: .appStore, startsAtMilliseconds: 0, endsAtMilliseconds: nil)
            profile.accessLevels = Dictionary(uniqueKeysWithValues: levels.map { ($0, level) })
        }
        if case .attributed(let details) = attribution(at: time) { profile.appliedAttributionSources = [details.source] }
        return profile
    }

    func knows(_ placement: PlacementID) -> Bool { moments.contains { $0.news.showing?.placement == placement } }

    /// Nil if the script has an answer only for a later time.
    func answer(
        _ placement: PlacementID, _ kind: PaywallAnswer.AudienceKind, locale: String?, for install: String?, at time: Duration
    ) -> PaywallAnswer? {
        let showings = past(time).compactMap(\.showing).filter { $0.placement == placement }
        guard let showing = showings.last(where: { kind == .matching || $0.audience == .everyone }) else { return nil }
        let profile = kind == .matching ? install.map { self.profile(of: $0, at: time) } : nil
        var answer = PaywallAnswer(
            placement: placement, locale: locale ?? "", kind: kind, audience: showing.audience, revision: 1,
            profileId: profile?.id, epoch: profile?.epoch ?? 0, profileVersion: profile?.version ?? 0,
            attributionVersion: profile?.attributionVersion ?? 0, final: kind == .default || isFinal(placement, at: time),
            paywall: showing.paywall
        )
        // The answer for everyone is for no particular install.
        if kind == .matching { answer.assignment = showing.assignment }
        return answer
    }

    /// True if nothing later in the script can change what this placement shows.
    func isFinal(_ placement: PlacementID, at time: Duration) -> Bool {
        !moments.contains { moment in
            moment.at > time && (moment.news.attribution != nil || moment.news.showing?.placement == placement)
        }
    }

    mutating func logOut() {
        customerID = nil
        attributes = [:]
        logOuts += 1
    }

    mutating func learn(_ changes: [String: AttributeValue?]) {
        attributes.merge(changes.compactMapValues { $0 }) { $1 }
        for (name, value) in changes where value == nil { attributes[name] = nil }
    }
}

extension ServerScript.News {
    fileprivate var attribution: LandfallWire.Attribution? { if case .attribution(let news) = self { news } else { nil } }
    fileprivate var showing: ServerScript.Showing? { if case .shows(let showing) = self { showing } else { nil } }
}

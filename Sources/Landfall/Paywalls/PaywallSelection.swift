// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Which paywall a call gets, and when: the order of the candidates and the rule for waiting.
///
/// A pure function of what is known at one instant.
struct PaywallSelection: Hashable, Sendable {
    /// A paywall that could be shown.
    struct Candidate: Hashable, Sendable {
        /// Nil: nothing is to be shown.
        var paywall: WirePaywall?
        var audience: AudienceID
        var origin: PaywallResult.Origin
        var revision: Int64
        /// With which it was decided; nil: it is for everyone, so what is known now says nothing else.
        var attribution: LandfallWire.Attribution?
        var decision: Decision?
    }

    /// The variation of an experiment that chose a candidate.
    struct Decision: Hashable, Sendable {
        let assignment: Assignment
        /// The epoch of the server's store that gave it.
        let store: Int64

        /// Nil for the default audience: its answer is for no particular install.
        init?(_ answer: PaywallAnswer) {
            guard answer.kind == .matching, let assignment = answer.assignment else { return nil }
            self.assignment = assignment
            store = answer.epoch
        }
    }

    enum Verdict: Hashable, Sendable {
        case answer(Candidate)
        case fail
        /// Decide again when something changes, at the latest then.
        case wait(until: Duration)
    }

    /// The server's answer for the matching audience, in this launch.
    var matching: Candidate?
    /// Nothing can change ``matching`` any more.
    var isMatchingCertain = false
    /// A first or better matching answer can arrive before the deadline.
    var matchingCanCome = false
    /// A request brings it; false if the call only waits for a change of the person.
    var asksForMatching = false
    /// A change of the person that is awaited before any answer for the matching audience is certain.
    var changeAwaited: AwaitedChange?
    /// Stored by an earlier launch for the same profile, attribution version and locale.
    var cachedMatching: Candidate?
    /// From then on the stored matching paywall answers, although a fresh one could still come.
    var cachedMatchingFrom: Duration?
    /// The server's answer for everyone, in this launch.
    var everyone: Candidate?
    var everyoneCanCome = false
    var cachedEveryone: Candidate?
    /// From then on the stored default answers a call for the default.
    var cachedEveryoneFrom: Duration?
    var bundled: Candidate?
    /// The caller has waited before: the best that is there answers at once.
    var takesWhatIsThere = false

    /// Something could be shown right now.
    var isAnythingThere: Bool { best != nil }

    func verdict(now: Duration, deadline: Duration) -> Verdict { decision(now: now, deadline: deadline).verdict }

    /// The verdict with its reason.
    func decision(now: Duration, deadline: Duration) -> (verdict: Verdict, why: PaywallReason) {
        if let matching, isMatchingCertain { return (.answer(matching), .certain) }
        if let matching, !matchingCanCome { return (.answer(matching), .nothingBetter) }
        if matching == nil, let cachedMatching, !matchingCanCome || isDue(cachedMatchingFrom, now) {
            return (.answer(cachedMatching), isDue(cachedMatchingFrom, now) ? .storedFits : .serverSilent)
        }
        if !matchingCanCome {
            if let everyone { return (.answer(everyone), .everyoneAsked) }
            if let cachedEveryone, isDue(cachedEveryoneFrom, now) { return (.answer(cachedEveryone), .storedEveryone) }
            if !everyoneCanCome { return best.map { (.answer($0), .nothingElse) } ?? (.fail, .nothing) }
        }
        if takesWhatIsThere, let best { return (.answer(best), .givenUp) }
        if now >= deadline { return best.map { (.answer($0), .deadline) } ?? (.fail, .nothing) }
        let stored = [
            matching == nil && cachedMatching != nil ? cachedMatchingFrom : nil,
            cachedEveryone == nil ? nil : cachedEveryoneFrom, changeAwaited?.until,
        ]
        return (.wait(until: stored.compactMap { $0 }.filter { $0 > now }.reduce(deadline, min)), .awaited)
    }

    private var best: Candidate? { matching ?? cachedMatching ?? everyone ?? cachedEveryone ?? bundled }

    private func isDue(_ time: Duration?, _ now: Duration) -> Bool { time.map { $0 <= now } ?? false }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What one first-open stream has sent so far, and what it still has to send. A value: the caller passes in time and rows.
struct FirstOpenSession {
    /// The configuration that decides the next lines.
    private(set) var snapshot: Snapshot
    private let wanted: [FirstOpenRequest.Wanted]
    private let tokens: PurchaseTokens
    /// Nil if the phone did not ask for a deferred link.
    private let deferred: DeferredLinkAnswer?
    /// When the hold ends, in Unix milliseconds.
    let holdEndsAtMs: Int64
    /// Until when the phone's purchases are awaited, in Unix milliseconds; 0 if it announces none.
    let purchasesUntilMs: Int64
    /// Whether the phone's report is stored.
    private(set) var standing: OpenedInstall.StoreOutcome
    /// Nil if the open said nothing of a token, or is stored, and once the store was seen to know of the token.
    private var unstoredToken: UnstoredToken?

    /// Hash of the profile that was sent last. A hash, because a stream lives long and a profile can be large.
    private var sentProfile: Int?
    private var sentAttribution: Attribution?
    private var sentAnswers: [Int: PaywallAnswer] = [:]
    private var problems: Set<Int> = []
    /// The version of the link rules that the phone has; nil if it has no use for them.
    private var knownLinkRules: String?
    /// Nothing that is scheduled before the end of the hold can change what was sent.
    private(set) var isFinal = false

    init(
        snapshot: Snapshot, wanted: [FirstOpenRequest.Wanted], deferred: DeferredLinkAnswer? = nil,
        tokens: PurchaseTokens, standing: OpenedInstall.StoreOutcome = .stored, unstoredToken: UnstoredToken? = nil, knownLinkRules: String? = nil,
        holdEndsAtMs: Int64, purchasesUntilMs: Int64 = 0
    ) {
        self.snapshot = snapshot
        self.wanted = wanted
        self.tokens = tokens
        self.deferred = deferred
        self.standing = standing
        self.unstoredToken = unstoredToken
        self.knownLinkRules = knownLinkRules
        self.holdEndsAtMs = holdEndsAtMs
        self.purchasesUntilMs = purchasesUntilMs
    }

    /// Another version of the configuration is served: it decides every later answer that is not final yet. Final answers stay
    /// as sent.
    mutating func goOn(with snapshot: Snapshot) { self.snapshot = snapshot }

    /// From now on the lines describe the stored install.
    mutating func isStored() { standing = .stored }

    /// True while the phone's token is to come and only this stream knows. From the look that finds it in the store on, the install says it.
    mutating func isTokenComing(to install: Install) -> Bool {
        if unstoredToken?.isKnown(to: install) == true { unstoredToken = nil }
        return unstoredToken?.isComing(to: install) == true
    }

    /// What the store must have before the next lines leave. An answer that was final keeps what it said.
    func enrolling(isTokenAnnounced: Bool) -> Enrollment {
        let open = wanted.indices.filter { sentAnswers[$0]?.final != true && !problems.contains($0) }
        return Enrollment(
            snapshot: snapshot, placements: open.map { wanted[$0].id }, isTokenAnnounced: isTokenAnnounced, holdEndsAtMs: holdEndsAtMs,
            purchasesUntilMs: purchasesUntilMs)
    }

    /// The lines that this state of the install adds to those already sent, in the order of the protocol.
    /// - Parameter isTokenAnnounced: the phone announced a token in this open, or with a report that is not stored.
    mutating func lines(for install: Install, isTokenAnnounced: Bool, nowMs: Int64) -> [FirstOpenLine] {
        var resolution = AttributionResolution(
            install: install, isTokenAnnounced: isTokenAnnounced, purchasesUntilMs: purchasesUntilMs, nowMs: nowMs,
            holdEndsAtMs: holdEndsAtMs)
        resolution.isLinkPending = deferred == .pending && nowMs < holdEndsAtMs || standing != .stored
        // A phone that asks for no paywall has nothing to wait for.
        if wanted.isEmpty { resolution.arePurchasesPending = false }
        var lines = profileLines(install.wireProfile(tokens, nowMs: nowMs), resolution.attribution, nowMs: nowMs)
        isFinal = !(wanted.isEmpty && resolution.pending != .nothing)
        let facts = wanted.isEmpty ? nil : snapshot.facts(of: install, nowMs: nowMs)
        for (index, placement) in wanted.enumerated() where !problems.contains(index) {
            if let facts, let line = line(index, placement, install, facts, resolution) { lines.append(line) }
            if let answer = sentAnswers[index], !answer.final { isFinal = false }
        }
        if let rules = snapshot.linkRules.news(for: knownLinkRules) {
            lines.append(.linkRules(rules))
            knownLinkRules = rules.version
        }
        return lines
    }

    private mutating func profileLines(_ profile: WireProfile, _ attribution: Attribution, nowMs: Int64) -> [FirstOpenLine] {
        var lines: [FirstOpenLine] = []
        let hash = profile.hashValue
        // Not hashed: a profile that only gets older is no news.
        var profile = profile
        profile.asOfMilliseconds = nowMs
        if hash != sentProfile { lines.append(standing == .stored ? .profile(profile) : .unstored(profile)) }
        // The remaining milliseconds of a wait shrink with every look; only a new state or a new attempt is worth a line.
        if sentAttribution.map({ !attribution.saysTheSame(as: $0) }) ?? true { lines.append(.attribution(attribution)) }
        if sentProfile == nil, let deferred { lines.append(.deferred(deferred)) }
        sentProfile = hash
        sentAttribution = attribution
        return lines
    }

    /// The answer that a stream keeps when another version of the configuration is served: a final answer, and an answer about
    /// a placement that the new version does not have. Nil if the answer must be decided anew.
    private func kept(_ sent: PaywallAnswer) -> PaywallAnswer? {
        guard sent.revision != snapshot.revision else { return nil }
        if sent.final { return sent }
        guard snapshot.placements[sent.placement] == nil else { return nil }
        var last = sent
        last.final = true
        return last
    }

    private mutating func line(
        _ index: Int, _ placement: FirstOpenRequest.Wanted, _ install: Install, _ facts: AudienceFacts,
        _ resolution: AttributionResolution
    ) -> FirstOpenLine? {
        let sent = sentAnswers[index]
        if let sent, let kept = kept(sent) {
            sentAnswers[index] = kept
            return kept == sent ? nil : .paywall(kept)
        }
        do {
            var answer = try PlacementAnswerBuilder(snapshot: snapshot)
                .matching(
                    placement.id, locale: try LocaleCode.canonical(placement.locale), install: install, facts: facts, pending: resolution.pending
                ).answer
            if standing == .unread { answer.final = false }
            if let sent, answer.saysTheSame(as: sent) { return nil }
            sentAnswers[index] = answer
            return .paywall(answer)
        } catch {
            problems.insert(index)
            let error = RequestError(any: error)
            return .problem(PlacementProblem(placement: placement.id, code: error.code, message: error.message))
        }
    }
}

extension PaywallAnswer {
    /// True if at most the configuration's version number differs: the phone is not told of a version that changes nothing.
    fileprivate func saysTheSame(as sent: PaywallAnswer) -> Bool {
        var answer = self
        answer.revision = sent.revision
        return answer == sent
    }
}

extension Attribution {
    /// True if both wait and the new wait is not longer: only time has passed.
    fileprivate func saysTheSame(as sent: Attribution) -> Bool {
        guard case .pending(let now) = self, case .pending(let before) = sent else { return self == sent }
        return now <= before
    }
}

// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

extension Install {
    /// An app that was used before its first launch with Landfall was opened then, not now: an update is not a first open.
    package var firstOpenAtMs: Int64 { min(installedAtMs, createdAtMs) }

    /// What the install's link clicks count for.
    package var linkCredit: LinkCredit { LinkCredit(facts, firstOpenAtMs: firstOpenAtMs, absences: absences) }

    /// Decides the install's source from every fact except clicks that came too early or too late.
    package var precedence: AttributionPrecedence { .acquisition(facts, firstOpenAtMs: firstOpenAtMs) }

    /// The latest click that counts, and whether it brought the user here or back.
    var engagement: AttributionDetails? {
        guard facts.contains(where: { $0.source == .link }) else { return nil }
        let credit = linkCredit
        guard let click = credit.engagement else { return nil }
        var details = click.details
        details.link?.isReattribution = !credit.acquiring.contains(click)
        return details
    }

    /// Sources that brought the user here or back, the one that counts first.
    var appliedSources: [AttributionSource] {
        let sources = precedence.appliedSources
        guard !sources.contains(.link), facts.contains(where: { $0.source == .link }) else { return sources }
        return linkCredit.engagement == nil ? sources : sources + [.link]
    }

    /// The click that `link.…` of an audience reads: the latest one, while its window lasts.
    package func latestLink(nowMs: Int64) -> AttributionFact? {
        facts.filter { $0.source == .link && nowMs < $0.countsUntilMs }
            .max { ($0.saidAtMs, $0.id) < ($1.saidAtMs, $1.id) }
    }

    /// The install's attribution as far as it is known. Whether a token is coming is another question:
    /// ``AttributionResolution`` answers both.
    package func attribution(nowMs: Int64) -> Attribution {
        let winner = precedence.winner
        if let winner, winner.status == .nonOrganic { return .attributed(winner.details) }
        if winner?.source == .appleAds { return .notAttributed }
        switch exchange?.state {
        case .waiting(let dueAtMs): return .pending(nextAnswerNotBefore: max(0, dueAtMs - nowMs))
        case .unavailable(let reason): return winner == nil ? .unavailable(reason) : .notAttributed
        case .attributed, .organic, nil: return winner == nil ? .unavailable(tokenNone ?? .noToken) : .notAttributed
        }
    }

    /// True while answers wait for a token that the phone announced: until it comes or is called off, and no longer than the stream of
    /// the announcement is held. The row says so, so that every node says the same.
    func isTokenComing(nowMs: Int64) -> Bool { tokenComingUntilMs.map { nowMs < $0 } ?? false }

    /// True if the phone said after that instant that no token comes. An open that arrived then may be stored later.
    /// - Parameter atMs: by the clock of all nodes, see ``StoreClock``.
    func isTokenCalledOff(after atMs: Int64) -> Bool { tokenCalledOffAtMs.map { $0 > atMs } ?? false }

    /// True if the announced token is already here: Apple hands out the same token for about five minutes, and the token may
    /// overtake the announcement.
    func hasFreshToken(nowMs: Int64) -> Bool {
        exchange.map { nowMs - $0.receivedAtMs < 300_000 } ?? false
    }

    /// Milliseconds until Apple's next answer may come, if it can still change the winner; nil if no exchange is open. Not nil
    /// while another source counts, because Apple Ads would win over it.
    func nextAppleAnswer(nowMs: Int64) -> Int64? {
        guard case .waiting(let dueAtMs) = exchange?.state, !facts.contains(where: { $0.source == .appleAds }) else {
            return nil
        }
        return max(0, dueAtMs - nowMs)
    }
}

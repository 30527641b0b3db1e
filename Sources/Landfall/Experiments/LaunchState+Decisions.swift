// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LaunchState {
    /// Keeps the copy of an assignment that the server has stored: with its first final answer. An answer that can still change
    /// enrols nobody, so the phone must not send its assignment back.
    mutating func keepAssignment(of answer: PaywallAnswer, for key: PaywallKey) {
        guard answer.final, answer.kind == .matching, let assignment = answer.assignment, paywalls.answers[key]?.answer == answer,
            experiments.keep(assignment)
        else { return }
        files.changed(.experiments)
    }

    /// Notes the decisions of an earlier launch that still wait in the outbox: that launch may have been killed before it stored
    /// that they were reported.
    mutating func knowDecisions(among entries: [OutboxJournal.Entry]) {
        for entry in entries {
            guard case .event(let event) = entry.item, event.type == .paywallDecided,
                let assignment = entry.assignment(for: install?.id), experiments.decide(assignment, by: profileState.wire?.epoch ?? 0)
            else { continue }
            files.changed(.experiments)
        }
    }

    /// The decision to report before this call returns; nil if there is none, or if it was reported before.
    mutating func decision(of call: PaywallCall, _ result: Result<PaywallResult, LandfallError>) -> Event? {
        guard collection != .off, case .success(let shown) = result, let assignment = shown.assignment,
            experiments.decide(assignment, by: shown.store)
        else { return nil }
        files.changed(.experiments)
        return Event(.paywallDecided, of: shown, id: call.decisionID)
    }
}

extension Launch {
    /// Accepts a decision in memory, before its call returns: an exposure can only follow it. Runs under the lock, so it writes
    /// nothing and reads no calendar; the background writes it at once.
    func keep(_ decision: Event, _ state: inout LaunchState, _ at: LaunchState.Instant) {
        do {
            let acceptedAt = at.date.unixMilliseconds
            let dropped = try outbox.keepUnreported(.event(decision), of: state.install?.id, acceptedAt: acceptedAt)
            state.outbox.hasItems = true
            state.afterwards.append { [self] in
                outbox.logDropped(dropped)
                storeLater()
            }
        } catch {
            state.log.add(.error, "A decision was not counted. \(error.inWords)", .events)
        }
    }
}

extension Event {
    /// What happened with the result of a call.
    init(_ type: Kind, of result: PaywallResult, id: String) {
        self.init(id: id, type: type, ageMilliseconds: 0)
        placement = result.placement
        paywall = result.paywall?.name
        variationId = result.paywall?.variationID ?? result.assignment?.variationId
        audience = result.audience
        revision = result.revision
        origin = result.origin.name
        assignment = result.assignment
        elapsedMilliseconds = type == .paywallShown ? min(max(0, result.elapsed.wholeMilliseconds), 86_400_000) : nil
    }
}

extension PaywallResult.Origin {
    /// As events carry it.
    fileprivate var name: String {
        switch self {
        case .matchingAudience: "matchingAudience"
        case .defaultAudience: "defaultAudience"
        case .cache: "cache"
        case .bundled: "bundled"
        }
    }
}

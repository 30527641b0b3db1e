// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Each returns true, or an event, if the memory has changed.
extension ExperimentMemory {
    /// Keeps the copy of an assignment that the server has stored: with its first final answer. An answer that can still change
    /// enrols nobody, so the phone must not send its assignment back.
    mutating func keep(from answer: PaywallAnswer) -> Bool {
        guard answer.final, answer.kind == .matching, let assignment = answer.assignment else { return false }
        return keep(assignment)
    }

    /// Notes the decisions of an earlier launch that still wait in the outbox: that launch may have been killed before it stored
    /// that they were reported.
    mutating func know(decisionsAmong entries: [OutboxJournal.Entry], by store: Int64) -> Bool {
        var isNews = false
        for entry in entries {
            guard case .event(let event) = entry.item, event.type == .paywallDecided,
                let assignment = entry.assignment(for: install)
            else { continue }
            isNews = decide(assignment, by: store) || isNews
        }
        return isNews
    }

    /// The decision to report before this call returns; nil if there is none, or if it was reported before.
    mutating func decision(of call: PaywallCall, _ result: Result<PaywallResult, LandfallError>) -> Event? {
        guard case .success(let shown) = result, let assignment = shown.assignment, decide(assignment, by: shown.store) else {
            return nil
        }
        return Event(.paywallDecided, of: shown, id: call.decisionID)
    }
}

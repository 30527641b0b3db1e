// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// What a purchase opens that does not renew.
struct OneTimeAccess {
    let periods: [AccessPeriod]
    /// The configuration gives a non-renewing subscription no duration, so it opens nothing.
    let lacksDuration: Bool

    init(_ transaction: ChainTransaction, rules: PurchaseRules) {
        let payload = transaction.payload
        guard !transaction.isConsumable, let rule = rules.rule(of: payload.productID), !rule.access.isEmpty else {
            periods = []
            lacksDuration = false
            return
        }
        var end: Int64?
        lacksDuration = payload.type == .nonRenewing && rule.durationMs == nil && payload.expiresDateMs == nil
        if payload.type == .nonRenewing {
            end = payload.expiresDateMs ?? transaction.startMs + (rule.durationMs ?? 0)
        }
        if let revoked = payload.revocationDateMs { end = min(end ?? .max, max(revoked, transaction.startMs)) }
        let after: AccessPeriod.State = payload.revocationDateMs == nil ? .expired : .revoked
        let stretches = [(AccessPeriod.State.active, transaction.startMs, end)] + (end.map { [(after, $0, nil)] } ?? [])
        periods = stretches.filter { $0.1 < $0.2 ?? .max }.map { state, start, end in
            AccessPeriod(
                levels: rule.access, state: state, startsAtMs: start, endsAtMs: end, productID: payload.productID,
                transactionID: payload.transactionID, isTrial: false, isAssumed: false, ownership: payload.ownership)
        }
    }
}

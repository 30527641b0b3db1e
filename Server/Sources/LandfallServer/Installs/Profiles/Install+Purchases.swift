// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

extension Install {
    /// True while answers wait for purchases that the phone announced: until it has told its whole history, and no longer than three
    /// seconds. The row says so, so that every call of the phone waits, on every node. Whose history is known waits for nothing: what
    /// is new comes as a change.
    /// - Parameter untilMs: for a call that announces them itself; its report may not be stored.
    func arePurchasesComing(untilMs: Int64? = nil, nowMs: Int64) -> Bool {
        guard let untilMs = untilMs ?? purchasesComingUntilMs, nowMs < untilMs else { return false }
        return access?.isComplete != true
    }
}

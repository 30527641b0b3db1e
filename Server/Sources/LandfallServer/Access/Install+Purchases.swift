// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

extension Install {
    /// A phone has announced purchases, and none of the person's phones has told its whole history yet. Whose history is known waits for
    /// nothing: what is new comes as a change.
    /// - Parameter untilMs: when nobody waits for them any more.
    func arePurchasesComing(untilMs: Int64, nowMs: Int64) -> Bool { nowMs < untilMs && access?.isComplete != true }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Synchronization

/// The App Store's account of one person: it outlives the app's launches and installations.
final class PhoneShop: Sendable {
    private static let dayMs: Int64 = 86_400_000

    let dice: Dice
    /// What the store on the phone has.
    let transactions = ScriptedTransactions()
    private let store: VirtualAppStore
    /// The first digits of the ids of what this person buys.
    private let number: Int
    private let sold = Mutex(SoldPeriods())

    init(_ store: VirtualAppStore, number: Int, _ dice: Dice) { (self.store, self.number, self.dice) = (store, number, dice) }

    var periods: SoldPeriods { sold.withLock { $0 } }

    func installationChanges() { sold.withLock { $0.installationChanges() } }
    func personChanges() { sold.withLock { $0.personChanges() } }

    /// Somebody pays for a period, or the store does it for them: then the next period begins where the last one ends.
    /// - Returns: the period.
    func sell(for lengthMs: Int64, renews: Bool, nowMs: Int64) throws -> SoldPeriod {
        let period = sold.withLock { sold in
            let id = "\(number)\(1_000 + sold.periods.count)"
            // A store signs the next period a day before it begins at the earliest.
            let last = renews ? sold.periods.last.flatMap { $0.untilMs - nowMs < Self.dayMs ? $0 : nil } : nil
            let from = last?.untilMs ?? nowMs - 1_000
            let period = SoldPeriod(id: id, original: last?.original ?? id, beganMs: last?.beganMs ?? from, fromMs: from, untilMs: from + lengthMs)
            sold.paid(period)
            return period
        }
        transactions.add(try store.sign(period, nowMs: nowMs - 1_000))
        return period
    }
}

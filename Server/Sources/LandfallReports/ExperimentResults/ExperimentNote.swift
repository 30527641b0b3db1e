// SPDX-License-Identifier: Apache-2.0
package import LandfallResults

/// What a reader has to know beside the numbers.
package enum ExperimentNote: Hashable, Sendable {
    case noPrimary
    /// A metric of money, by its name, whose amounts have no common currency.
    case noCurrency(String)
    case unconverted(UnconvertedMoney)
    /// Events are deleted so many days after the server received them, which is too early for the oldest units.
    case expiring(eventDays: Int64)

    /// As the notes of the API say it.
    package var sentence: String {
        switch self {
        case .noPrimary: "The experiment names no primary metric, so nothing is compared. Add primary: to it."
        case .noCurrency(let metric):
            "'\(metric)' is money, and the configuration names no currency for it: nothing is known of it. Add purchases.currency."
        case .unconverted(let money): money.sentence
        case .expiring(let eventDays):
            "Events are kept for \(eventDays.inGroups) days. A unit that was exposed longer ago still counts, but what it did is deleted, so rates become too low. Keep events for longer: retention.eventDays."
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What counts as success, as the configuration names it: what reports and experiments count by.
struct Metric: Hashable, Sendable {
    /// Which purchases count.
    enum Purchases: String, CaseIterable, Hashable, Sendable { case any }
    /// Whose money counts.
    enum Revenue: String, CaseIterable, Hashable, Sendable { case purchases }

    enum Measure: Hashable, Sendable {
        /// Whether an install sent an own event of this type.
        case event(Event.Kind)
        /// Whether somebody bought something.
        case purchase(Purchases)
        /// How much money came in.
        case revenue(Revenue)
    }

    static let most = 32
    static let windowDays: ClosedRange<Int64> = 1...90
    static let usualWindowDays: Int64 = 14

    let name: String
    let measure: Measure
    /// How long after the first open, or after the first exposure, something counts.
    var windowDays = usualWindowDays

    var windowMs: Int64 { windowDays * Retention.dayMs }
    /// Nil where no event is counted.
    var event: Event.Kind? { if case .event(let type) = measure { type } else { nil } }
}

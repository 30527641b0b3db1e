// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A measure of success that the configuration names; reports and experiments count it.
package struct Metric: Hashable, Sendable {
    /// Which purchases count.
    package enum Purchases: Hashable, Sendable {
        case any
        /// Those of one product, or of all whose ids begin so.
        case product(ProductRule.Name)

        /// - Parameter product: its id of the App Store.
        package func covers(_ product: String) -> Bool {
            switch self {
            case .any: true
            case .product(let name): name.covers(product)
            }
        }
    }
    /// Which payments count.
    package enum Revenue: String, CaseIterable, Hashable, Sendable { case purchases }

    package enum Measure: Hashable, Sendable {
        /// Whether an install sent an own event of this type.
        case event(Event.Kind)
        /// Whether an install paid for something.
        case purchase(Purchases)
        /// How much money came in.
        case revenue(Revenue)
    }

    package static let most = 32
    package static let windowDays: ClosedRange<Int64> = 1...90
    package static let usualWindowDays: Int64 = 14

    package let name: String
    package let measure: Measure
    /// How long after the first open, or after the first exposure, something counts.
    package var windowDays = usualWindowDays

    package var windowMs: Int64 { windowDays * Retention.dayMs }
    /// Nil if no event is counted.
    package var event: Event.Kind? { if case .event(let type) = measure { type } else { nil } }
}

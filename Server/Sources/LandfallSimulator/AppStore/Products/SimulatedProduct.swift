// SPDX-License-Identifier: Apache-2.0

/// A product id that orders the life of a purchase: `sim.` and a URL query. `landfall app-store-simulator --help` and
/// docs/features/purchases-simulator.md list the keys.
package struct SimulatedProduct: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case subscription, consumable, nonconsumable, nonrenewing

        /// As the payload says it.
        var type: String {
            switch self {
            case .subscription: "Auto-Renewable Subscription"
            case .consumable: "Consumable"
            case .nonconsumable: "Non-Consumable"
            case .nonrenewing: "Non-Renewing Subscription"
            }
        }
    }

    package enum Environment: String, CaseIterable, Sendable {
        case production = "Production", sandbox = "Sandbox"
        /// As payloads of 2021 are.
        case unnamed = "none"

        /// nil is not written.
        var name: String? { self == .unnamed ? nil : rawValue }
    }

    /// What the first period, or the first periods, cost less.
    package struct Offer: Hashable, Sendable {
        enum Kind: Int { case introductory = 1, promotional, code, winBack }
        var kind: Kind
        var period: SimulatedPeriod
        var periods = 1
        var isFree = false
        /// nil: half of the price.
        var price: Int64?
    }

    /// How a refund is written: all of it, a share, or as before 2026, with neither type nor percentage.
    package enum RefundForm: String, CaseIterable, Sendable { case full, prorated, old }

    /// When a charge that has failed succeeds, counted from the day on which it was due.
    package enum Recovery: Hashable, Sendable { case never, after(SimulatedPeriod) }

    package let id: String
    package var kind = Kind.subscription
    package var environment = Environment.production
    var period = SimulatedPeriod("30d")!
    var offer: Offer?
    /// How many renewals succeed before the customer cancels.
    var renewals = 3
    var quantity = 1
    var isFamilyShared = false
    var seats: Int?
    /// A year or another length that is paid period by period: how many of them.
    var commitment: Int?
    var hasPrice = true

    /// The number of the renewal whose charge fails, from 1.
    var failing: Int?
    var grace: SimulatedPeriod?
    var hasGraceDate = true
    var recovery: Recovery?
    /// The number of the renewal at which the product is no longer for sale.
    var withdrawnFromSale: Int?

    // After the first purchase.
    var cancel, resume, upgrade, downgrade, keep, redeem, increase, accept, extend, revoke, addSeats, refundSeats, unclaim: SimulatedPeriod?
    var extendBy = SimulatedPeriod("14d")!
    /// After the end.
    var resubscribe: SimulatedPeriod?
    /// The product of an upgrade or downgrade, and its price; nil: twice or half of the price.
    var otherProduct: String?
    var otherPrice: Int64?
    /// nil: a fifth more.
    var increasedPrice: Int64?

    // After the first transaction that was paid.
    var refund, declined, consumption: SimulatedPeriod?
    var refundForm = RefundForm.full
    /// In thousandths of a per cent; nil: the unused share.
    var refundShare: Int64?
    /// After the refund.
    var reversed: SimulatedPeriod?

    /// Posts the notifications in another order, and each of them so many times more.
    package var isShuffled = false
    package var repeats = 0
}

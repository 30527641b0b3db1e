// SPDX-License-Identifier: Apache-2.0

/// Money that moved, with everything that prices it. Amounts are what Apple signed: nothing is converted, taxed or rounded here.
package struct Charge: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Comparable {
        case purchase
        /// Money back for the transaction, or a part of it.
        case refund
        /// Money back for some of the seats; the others stay.
        case seatRefund
        /// A free trial of a subscription: no money, and an empty currency if the App Store names none.
        case trial

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// A part of a price, not divided yet.
    package struct Fraction: Hashable, Sendable {
        package let numerator: Int64
        /// Above zero.
        package let denominator: Int64

        package init(numerator: Int64, denominator: Int64) {
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    package let kind: Kind
    package let transactionID: String
    /// Distinguishes refunds of seats of one transaction; 0 for everything else.
    package let number: Int64
    package let productID: String
    package let type: ProductType?
    /// When it moved, in Unix milliseconds: the purchase, the refund, or the start of the trial.
    package let bookedAtMs: Int64
    package let purchasedAtMs: Int64
    package let currency: String
    /// Of a purchase what was paid, of a refund the price that ``part`` is a part of. Above zero, and 0 for a trial.
    package let milliunits: Int64
    /// How much of ``milliunits`` moved; rounded only when it is priced.
    package let part: Fraction
    package let quantity: Int64
    package let storefront: String?
    package let offerType: OfferType?
    package let offerDiscount: OfferDiscount?
    package let offerID: String?
    package let reason: TransactionReason?
    package let billingPlan: String?
    package let groupID: String?
    /// The end of the paid period; nil for what has none.
    package let periodEndsAtMs: Int64?
    /// When the service of the period ends, with grace; earlier if it was revoked or the next transaction took its place. Nil for what
    /// has no period, and for refunds: the purchase has it.
    package let serviceEndsAtMs: Int64?
    /// The unused part of the price when another product began before the end. Apple pays it back without saying how much.
    package let upgradeCredit: Fraction?
    /// Paid service in the chain before this purchase, for the lower commission after a year.
    package let paidBeforeMs: Int64
    /// Some of it is not known from transactions.
    package let isPaidBeforeEstimated: Bool
    /// The purchase of the first period that is paid for after a free trial, however long after. False for refunds and added seats.
    package let followsTrial: Bool
}

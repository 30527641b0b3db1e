// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

/// The charges of one day, counted: those that are equal in all that describes and prices them are one number.
struct ChargeDay: Sendable {
    /// All of a charge but where it comes from.
    struct Kind: Hashable, Sendable {
        var terms: Pricing.Terms
        var product: String
        var followsTrial: Bool
        var isRefundedBefore: Bool
    }

    struct Lot: Sendable {
        let kind: Kind
        /// The places of ``cells``.
        let cells: Range<Int>
    }

    struct Cell: Hashable, Sendable {
        /// The place in ``origins``.
        let origin: Int
        var count: Int64
    }

    /// Since 1970, UTC: of the purchases or of the bookings.
    let day: Int64
    /// Some may be equal in what was asked for.
    var origins: [RevenueOrigin] = []
    var lots: [Lot] = []
    var cells: [Cell] = []
}

/// Charges as a report gets them.
enum RevenueCharges: Sendable {
    case one(RevenueCharge)
    case day(ChargeDay)
}

extension RevenueCharge {
    init(_ kind: ChargeDay.Kind, on day: Int64) {
        self.init(day: day, terms: kind.terms, product: kind.product, followsTrial: kind.followsTrial)
        isRefundedBefore = kind.isRefundedBefore
    }

    var kind: ChargeDay.Kind {
        ChargeDay.Kind(terms: terms, product: product, followsTrial: followsTrial, isRefundedBefore: isRefundedBefore)
    }
}

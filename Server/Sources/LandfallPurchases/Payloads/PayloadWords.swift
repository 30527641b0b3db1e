// SPDX-License-Identifier: Apache-2.0

/// A word of Apple's of which there may be more tomorrow.
package protocol PayloadWord: Hashable, Sendable, RawRepresentable where RawValue == String {
    init(rawValue: String)
}

package struct ProductType: PayloadWord {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    package static let nonRenewing = ProductType(rawValue: "Non-Renewing Subscription")
    package static let nonConsumable = ProductType(rawValue: "Non-Consumable")
    package static let consumable = ProductType(rawValue: "Consumable")
}

package struct Ownership: PayloadWord {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let purchased = Ownership(rawValue: "PURCHASED")
    package static let familyShared = Ownership(rawValue: "FAMILY_SHARED")
    /// A seat that somebody else paid for.
    package static let assigned = Ownership(rawValue: "ASSIGNED")
}

package struct RevocationType: PayloadWord {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let full = RevocationType(rawValue: "REFUND_FULL")
    package static let prorated = RevocationType(rawValue: "REFUND_PRORATED")
    package static let family = RevocationType(rawValue: "FAMILY_REVOKE")
}

package struct OfferDiscount: PayloadWord {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let freeTrial = OfferDiscount(rawValue: "FREE_TRIAL")
    package static let payAsYouGo = OfferDiscount(rawValue: "PAY_AS_YOU_GO")
    package static let payUpFront = OfferDiscount(rawValue: "PAY_UP_FRONT")
    package static let oneTime = OfferDiscount(rawValue: "ONE_TIME")
}

package struct TransactionReason: PayloadWord {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package static let purchase = TransactionReason(rawValue: "PURCHASE")
    package static let renewal = TransactionReason(rawValue: "RENEWAL")
    package static let seatAddition = TransactionReason(rawValue: "SEAT_ADDITION")
}

/// Apple's number of an offer's kind.
package struct OfferType: Hashable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static let introductory = OfferType(rawValue: 1)
    package static let promotional = OfferType(rawValue: 2)
    package static let code = OfferType(rawValue: 3)
    package static let winBack = OfferType(rawValue: 4)
}

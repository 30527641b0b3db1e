// SPDX-License-Identifier: Apache-2.0

/// What changes in a subscription's life.
struct SubscriptionState {
    var customer = ""
    var originalID = ""
    var originalPurchase: Int64 = 0
    /// The newest transaction of the chain.
    var current: String?
    /// Rises with each period and each change of its end.
    var term = 0
    var renewed = 0
    var recentStart: Int64 = 0

    var product: String
    var price: Int64
    var nextProduct: String
    var nextPrice: Int64
    /// Of the next transaction.
    var offer: SimulatedProduct.Offer?
    var seats: Int?

    var renews = true
    var ending: LifeCourse.Ending?
    var retrySince: Int64?
    var graceEnd: Int64?
    /// 0 asked, 1 agreed.
    var priceConsent: Int?
    var isExpired = false
    var isRevoked = false
    var hasResubscribed = false
    var hasPaid = false

    init(_ order: SimulatedProduct, _ purchase: SimulatedPurchase) {
        product = order.id
        nextProduct = order.id
        price = purchase.priceMilliunits
        nextPrice = purchase.priceMilliunits
        offer = order.offer
        seats = order.seats
    }
}

// SPDX-License-Identifier: Apache-2.0

extension RenewalPayload {
    /// Nil if this is no renewal information. A transaction has the same id, but also one of its own.
    init?(_ fields: PayloadFields) {
        guard let original = fields.text("originalTransactionId"), fields.text("transactionId") == nil else { return nil }
        self.init(originalTransactionID: original)
        environment = fields.text("environment")
        productID = fields.text("productId")
        autoRenewProductID = fields.text("autoRenewProductId")
        willRenew = fields.flag("autoRenewStatus")
        isInBillingRetry = fields.flag("isInBillingRetryPeriod") ?? false
        gracePeriodExpiresDateMs = fields.time("gracePeriodExpiresDate")
        expirationIntent = fields.integer("expirationIntent").map(ExpirationIntent.init(rawValue:))
        agreedToPriceIncrease = fields.flag("priceIncreaseStatus")
        renewalDateMs = fields.time("renewalDate")
        renewalPriceMilliunits = fields.integer("renewalPrice")
        currency = fields.text("currency")
        recentSubscriptionStartDateMs = fields.time("recentSubscriptionStartDate")
        offerType = fields.integer("offerType").map(OfferType.init(rawValue:))
        offerID = fields.text("offerIdentifier")
        offerDiscount = fields.word("offerDiscountType")
        winBackOfferIDs = fields.texts("eligibleWinBackOfferIds")
        appAccountToken = fields.text("appAccountToken")?.lowercased()
        appTransactionID = fields.text("appTransactionId")
    }

    /// - Parameter payload: JSON that was verified before, such as a stored one. Nil if it is no renewal information.
    package init?(payload: [UInt8]) {
        guard let fields = PayloadFields(json: payload) else { return nil }
        self.init(fields)
    }
}

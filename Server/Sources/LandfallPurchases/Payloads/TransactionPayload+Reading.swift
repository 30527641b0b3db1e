// SPDX-License-Identifier: Apache-2.0

extension TransactionPayload {
    /// Nil if this is no transaction: one of the three ids is missing.
    init?(_ fields: PayloadFields) {
        guard let id = fields.text("transactionId"), let original = fields.text("originalTransactionId"),
            let product = fields.text("productId")
        else { return nil }
        self.init(transactionID: id, originalTransactionID: original, productID: product)
        bundleID = fields.text("bundleId")
        environment = fields.text("environment")
        webOrderLineItemID = fields.text("webOrderLineItemId")
        subscriptionGroupID = fields.text("subscriptionGroupIdentifier")
        purchaseDateMs = fields.time("purchaseDate")
        originalPurchaseDateMs = fields.time("originalPurchaseDate")
        expiresDateMs = fields.time("expiresDate")
        quantity = fields.integer("quantity")
        type = fields.word("type")
        appAccountToken = fields.text("appAccountToken")?.lowercased()
        ownership = fields.word("inAppOwnershipType")
        revocationDateMs = fields.time("revocationDate")
        revocationReason = fields.integer("revocationReason")
        revocationType = fields.word("revocationType")
        revocationPercentage = fields.integer("revocationPercentage")
        isUpgraded = fields.flag("isUpgraded") ?? false
        offerType = fields.integer("offerType").map(OfferType.init(rawValue:))
        offerID = fields.text("offerIdentifier")
        offerDiscount = fields.word("offerDiscountType")
        offerPeriod = fields.text("offerPeriod")
        storefront = fields.text("storefront")
        storefrontID = fields.text("storefrontId")
        reason = fields.word("transactionReason")
        additionalReason = fields.word("additionalTransactionReason")
        priceMilliunits = fields.integer("price")
        currency = fields.text("currency")
        appTransactionID = fields.text("appTransactionId")
        billingPlan = fields.text("billingPlanType")
        previousOriginalTransactionID = fields.text("previousOriginalTransactionId")
        seats = fields.object("multiSeatInfo").map(SeatsPayload.init)
    }

    /// - Parameter payload: JSON that was verified before, such as a stored one. Nil if it is no transaction.
    package init?(payload: [UInt8]) {
        guard let fields = PayloadFields(json: payload) else { return nil }
        self.init(fields)
    }
}

extension SeatsPayload {
    fileprivate init(_ fields: PayloadFields) {
        let all = fields.objects("priceTiers")
        let tiers = all.compactMap { tier in
            if let price = tier.integer("price"), let quantity = tier.integer("quantity"), price >= 0, quantity > 0 {
                Tier(priceMilliunits: price, quantity: quantity)
            } else {
                nil
            }
        }
        // A sum without one of them would be wrong.
        self.init(tiers: tiers.count == all.count ? tiers : [], revoked: fields.integer("revokedSeatQuantity"))
    }
}

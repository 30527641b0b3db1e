// SPDX-License-Identifier: Apache-2.0

extension LifeCourse {
    private static let storefronts = [
        "USA": "143441", "FRA": "143442", "DEU": "143443", "GBR": "143444", "ITA": "143450", "ESP": "143454", "CAN": "143455",
        "AUS": "143460", "JPN": "143462", "CHN": "143465", "KOR": "143466",
    ]

    private var token: String? { purchase.appAccountToken?.lowercased() }

    /// A transaction that is signed now.
    mutating func transaction(product id: String, purchased: Int64, expires: Int64?, reason: String, price: Int64) -> TransactionPayload {
        let identifier = numbers.identifier()
        let isFirst = subscription.originalID.isEmpty
        if isFirst {
            subscription.originalID = identifier
            subscription.originalPurchase = purchased
        }
        let isSubscription = product.kind == .subscription
        var transaction = TransactionPayload(
            transactionId: identifier, originalTransactionId: subscription.originalID, bundleId: app.bundleID, productId: id,
            purchaseDate: purchased, originalPurchaseDate: subscription.originalPurchase, expiresDate: expires, quantity: product.quantity,
            type: product.kind.type, signedDate: now, storefront: purchase.storefront, transactionReason: reason
        )
        transaction.appAccountToken = token
        transaction.inAppOwnershipType = product.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED"
        transaction.environment = product.environment.name
        transaction.storefrontId = Self.storefronts[purchase.storefront]
        transaction.appTransactionId = subscription.customer
        if isSubscription {
            transaction.webOrderLineItemId = numbers.identifier()
            transaction.subscriptionGroupIdentifier = "21000000"
        }
        if product.hasPrice {
            transaction.price = price * Int64(product.quantity)
            transaction.currency = purchase.currency
        }
        if let seats = subscription.seats { count(seats, at: price, in: &transaction) }
        return transaction
    }

    /// Five seats at the full price, the others a fifth cheaper.
    func count(_ seats: Int, at price: Int64, in transaction: inout TransactionPayload) {
        var tiers = [MultiSeatInfo.PriceTier(price: price, quantity: min(seats, 5))]
        if seats > 5 { tiers.append(.init(price: price - price / 5, quantity: seats - 5)) }
        transaction.quantity = seats
        transaction.multiSeatInfo = MultiSeatInfo(priceTiers: tiers)
        if product.hasPrice { transaction.price = tiers.reduce(0) { $0 + $1.price * Int64($1.quantity) } / Int64(seats) }
    }

    /// What the App Store says now about the next renewal.
    func renewal() -> RenewalPayload {
        let state = subscription
        let current = state.current.flatMap { versions[$0] }
        var renewal = RenewalPayload(
            originalTransactionId: state.originalID, productId: current?.productId ?? state.product, autoRenewProductId: state.nextProduct,
            autoRenewStatus: state.renews ? 1 : 0, renewalDate: current?.expiresDate, recentSubscriptionStartDate: state.recentStart,
            appAccountToken: token, appTransactionId: state.customer, signedDate: now, environment: product.environment.name
        )
        if state.retrySince != nil {
            renewal.isInBillingRetryPeriod = true
            renewal.expirationIntent = Ending.billing.rawValue
            if product.hasGraceDate { renewal.gracePeriodExpiresDate = state.graceEnd }
        }
        if let ending = state.ending {
            renewal.isInBillingRetryPeriod = false
            renewal.expirationIntent = ending.rawValue
            renewal.eligibleWinBackOfferIds = ["sim.winback"]
        }
        renewal.priceIncreaseStatus = state.priceConsent
        if state.renews, product.hasPrice {
            renewal.renewalPrice = state.offer.map { self.price(of: $0) } ?? state.nextPrice
            renewal.currency = purchase.currency
        }
        if state.renews, let offer = state.offer {
            let terms = terms(of: offer)
            (renewal.offerType, renewal.offerIdentifier) = (offer.kind.rawValue, terms.identifier)
            (renewal.offerDiscountType, renewal.offerPeriod) = (terms.discount, offer.period.iso8601)
        }
        return renewal
    }

    func price(of offer: SimulatedProduct.Offer) -> Int64 {
        offer.isFree ? 0 : offer.price ?? purchase.priceMilliunits / 2
    }

    func terms(of offer: SimulatedProduct.Offer) -> (identifier: String?, discount: String) {
        (
            offer.kind == .introductory ? nil : "sim.offer",
            offer.isFree ? "FREE_TRIAL" : offer.periods > 1 ? "PAY_AS_YOU_GO" : "PAY_UP_FRONT"
        )
    }

    var status: Int {
        if subscription.isRevoked { return 5 }
        if subscription.isExpired { return 2 }
        guard subscription.retrySince != nil else { return 1 }
        return (subscription.graceEnd ?? 0) > now ? 4 : 3
    }

    /// Notes a version of a transaction, and the notification that tells of it.
    mutating func note(_ type: String?, _ subtype: String? = nil, _ transaction: TransactionPayload, reason: String? = nil) {
        versions[transaction.transactionId] = transaction
        let isSubscription = product.kind == .subscription
        events.append(
            LifeEvent(
                at: now,
                notice: type.map { .init(type: $0, subtype: subtype, uuid: numbers.uuid(), consumptionRequestReason: reason) },
                transaction: transaction,
                renewal: isSubscription && type != nil ? renewal() : nil,
                status: isSubscription ? status : nil
            )
        )
    }

    /// Notes a notification about the newest transaction, which is signed again.
    mutating func note(_ type: String, _ subtype: String? = nil) {
        guard var transaction = newest else { return }
        transaction.signedDate = now
        note(type, subtype, transaction)
    }
}

// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
internal import Landfall
internal import StoreKit

#if canImport(FoundationInternationalization)
internal import FoundationInternationalization
#endif

// StoreKit's values as Landfall's. Apple may add cases to its enumerations, so none is taken for complete.

extension SoldTransaction {
    /// nil for one that StoreKit cannot verify on this phone.
    init?(_ result: VerificationResult<StoreKit.Transaction>) {
        guard case .verified(let transaction) = result else { return nil }
        self.init(StoreTransaction(result), of: transaction.productID, purchasedAt: transaction.purchaseDate)
    }
}

extension StorePurchase {
    init(_ result: Product.PurchaseResult) {
        guard case .success(let verification) = result else {
            // What is neither may still bring a transaction.
            if case .userCancelled = result { self = .cancelled } else { self = .pending }
            return
        }
        if case .unverified(_, let error) = verification { self = .unverified("\(error)") } else {
            self = SoldTransaction(verification).map(StorePurchase.bought) ?? .pending
        }
    }
}

extension StoreProduct {
    init(_ product: Product) async {
        let introductory = product.subscription?.introductoryOffer
        var isEligible = false
        if introductory != nil, let subscription = product.subscription { isEligible = await subscription.isEligibleForIntroOffer }
        self.init(
            id: product.id, displayName: product.displayName, description: product.description, price: product.price,
            currencyCode: product.priceFormatStyle.currencyCode, displayPrice: product.displayPrice,
            period: (product.subscription?.subscriptionPeriod).map(Period.init), introductoryOffer: introductory.map(Offer.init),
            isEligibleForIntroductoryOffer: isEligible, priceLocale: product.priceFormatStyle.locale)
    }
}

extension StoreProduct.Period {
    init(_ period: Product.SubscriptionPeriod) {
        let units: [Product.SubscriptionPeriod.Unit: Unit] = [.day: .day, .week: .week, .month: .month, .year: .year]
        self.init(period.value, units[period.unit] ?? Unit(rawValue: "\(period.unit)"))
    }
}

extension StoreProduct.Offer {
    init(_ offer: Product.SubscriptionOffer) {
        let payments: [Product.SubscriptionOffer.PaymentMode: Payment] = [
            .freeTrial: .freeTrial, .payAsYouGo: .payAsYouGo, .payUpFront: .payUpFront,
        ]
        self.init(
            payments[offer.paymentMode] ?? Payment(rawValue: offer.paymentMode.rawValue), price: offer.price,
            displayPrice: offer.displayPrice, period: StoreProduct.Period(offer.period), periodCount: offer.periodCount)
    }
}

extension PurchaseError {
    init(storeKit error: any Error, of ids: [String]) {
        switch error {
        case let error as PurchaseError: self = error
        case StoreKitError.networkError(let error): self = .network(error.inWords)
        case StoreKitError.notAvailableInStorefront, Product.PurchaseError.productUnavailable: self = .notForSale(ids)
        case Product.PurchaseError.purchaseNotAllowed: self = .notAllowed
        default: self = .store(error.inWords)
        }
    }
}
#endif

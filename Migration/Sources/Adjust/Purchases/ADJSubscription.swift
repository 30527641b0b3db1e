// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A subscription that was bought: for ``Adjust/trackAppStoreSubscription(_:)``.
#if canImport(ObjectiveC)
@objc(ADJAppStoreSubscription) @objcMembers
#endif
public final class ADJAppStoreSubscription: NSObject {
    public let price: NSDecimalNumber
    public let currency: String
    public let transactionId: String
    public var transactionDate: Date? { _transactionDate }
    public var salesRegion: String? { _salesRegion }
    public private(set) var callbackParameters: [String: String] = [:]
    public private(set) var partnerParameters: [String: String] = [:]
    /// A property of the first generation: it stays on the phone.
    public let receipt: Data?
    /// A property of the first generation.
    public let billingStore = "iOS"
    // The setter of a property would have the Objective-C name of the method that sets it.
    private var _transactionDate: Date?
    private var _salesRegion: String?

    public init?(price: NSDecimalNumber, currency: String, transactionId: String) {
        self.price = price
        self.currency = currency
        self.transactionId = transactionId
        receipt = nil
    }

    /// The first generation's initialiser: the receipt stays on the phone. Logged once.
    public init?(price: NSDecimalNumber, currency: String, transactionId: String, andReceipt receipt: Data) {
        self.price = price
        self.currency = currency
        self.transactionId = transactionId
        self.receipt = receipt
    }

    public func setTransactionDate(_ transactionDate: Date) { _transactionDate = transactionDate }
    public func setSalesRegion(_ salesRegion: String) { _salesRegion = salesRegion }

    #if canImport(ObjectiveC)
    @objc(addCallbackParameter:value:)
    #endif
    public func addCallbackParameter(_ key: String, value: String) { callbackParameters[key] = value }

    #if canImport(ObjectiveC)
    @objc(addPartnerParameter:value:)
    #endif
    public func addPartnerParameter(_ key: String, value: String) { partnerParameters[key] = value }
}

extension ADJAppStoreSubscription: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any {
        let made =
            receipt.map { ADJAppStoreSubscription(price: price, currency: currency, transactionId: transactionId, andReceipt: $0) }
            ?? ADJAppStoreSubscription(price: price, currency: currency, transactionId: transactionId)
        guard let copy = made else { return self }
        (copy._transactionDate, copy._salesRegion) = (_transactionDate, _salesRegion)
        (copy.callbackParameters, copy.partnerParameters) = (callbackParameters, partnerParameters)
        return copy
    }
}

/// The first generation's name.
public typealias ADJSubscription = ADJAppStoreSubscription

/// A purchase that the app wants verified: for ``Adjust/verifyAppStorePurchase(_:withCompletionHandler:)``.
#if canImport(ObjectiveC)
@objc(ADJAppStorePurchase) @objcMembers
#endif
public final class ADJAppStorePurchase: NSObject, Sendable {
    public let transactionId: String
    public let productId: String
    /// A property of the first generation: it stays on the phone.
    public let receipt: Data?

    public init?(transactionId: String, productId: String) {
        self.transactionId = transactionId
        self.productId = productId
        receipt = nil
    }

    /// The first generation's initialiser: the receipt stays on the phone.
    #if canImport(ObjectiveC)
    @objc(initWithTransactionId:productId:andReceipt:)
    #endif
    public init?(transactionId: String, productId: String, andReceipt receipt: Data) {
        self.transactionId = transactionId
        self.productId = productId
        self.receipt = receipt
    }
}

// The values cannot be changed, so that a copy is the object itself.
extension ADJAppStorePurchase: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The first generation's name.
public typealias ADJPurchase = ADJAppStorePurchase

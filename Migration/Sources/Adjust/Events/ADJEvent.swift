// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Something that happened in the app: for ``Adjust/trackEvent(_:)``.
#if canImport(ObjectiveC)
@objc(ADJEvent) @objcMembers
#endif
public final class ADJEvent: NSObject {
    /// The type of the own event. Declare it under `events` in landfall.yaml.
    public let eventToken: String
    public private(set) var revenue: NSNumber?
    public private(set) var currency: String?
    public private(set) var callbackParameters: [String: String] = [:]
    public private(set) var partnerParameters: [String: String] = [:]
    public var transactionId: String? { _transactionId }
    public var deduplicationId: String? { _deduplicationId }
    public var callbackId: String? { _callbackId }
    public var productId: String? { _productId }
    /// Stays on the phone.
    public var receipt: Data? { _receipt }
    /// True for a receipt without bytes.
    public var emptyReceipt: Bool { receipt?.isEmpty ?? false }
    // The setter of a property would have the Objective-C name of the method that sets it.
    private var _transactionId: String?
    private var _deduplicationId: String?
    private var _callbackId: String?
    private var _productId: String?
    private var _receipt: Data?

    /// - Returns: nil for an empty token.
    public init?(eventToken: String) {
        guard !eventToken.isEmpty else { return nil }
        self.eventToken = eventToken
    }

    public func setRevenue(_ amount: Double, currency: String) {
        revenue = NSNumber(value: amount)
        self.currency = currency
    }

    #if canImport(ObjectiveC)
    @objc(addCallbackParameter:value:)
    #endif
    public func addCallbackParameter(_ key: String, value: String) { callbackParameters[key] = value }

    #if canImport(ObjectiveC)
    @objc(addPartnerParameter:value:)
    #endif
    public func addPartnerParameter(_ key: String, value: String) { partnerParameters[key] = value }

    /// An event with an id that this launch has seen lately is not recorded again (``ADJConfig/eventDeduplicationIdsMaxSize``).
    public func setTransactionId(_ transactionId: String) { _transactionId = transactionId }
    public func setDeduplicationId(_ deduplicationId: String) { _deduplicationId = deduplicationId }
    public func setCallbackId(_ callbackId: String) { _callbackId = callbackId }
    public func setProductId(_ productId: String) { _productId = productId }

    /// The receipt stays on the phone. Logged once.
    public func setReceipt(_ receipt: Data) { _receipt = receipt }

    #if canImport(ObjectiveC)
    @objc(setReceipt:transactionId:)
    #endif
    public func setReceipt(_ receipt: Data, transactionId: String) {
        _receipt = receipt
        _transactionId = transactionId
    }

    public func isValid() -> Bool { !eventToken.isEmpty }
}

extension ADJEvent: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any {
        guard let copy = ADJEvent(eventToken: eventToken) else { return self }
        (copy.revenue, copy.currency) = (revenue, currency)
        (copy.callbackParameters, copy.partnerParameters) = (callbackParameters, partnerParameters)
        (copy._transactionId, copy._deduplicationId) = (_transactionId, _deduplicationId)
        (copy._callbackId, copy._productId, copy._receipt) = (_callbackId, _productId, _receipt)
        return copy
    }
}

#if canImport(ObjectiveC)
// The factory of the first generation. Swift has it as an initialiser.
extension ADJEvent {
    @objc(eventWithEventToken:)
    public static func __event(_ eventToken: String) -> ADJEvent? { ADJEvent(eventToken: eventToken) }
}
#endif

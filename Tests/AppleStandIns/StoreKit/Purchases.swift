// SPDX-License-Identifier: Apache-2.0
//
// The names of purchases that apps pass to other SDKs, declared as Swift imports Apple's framework. Difference from Apple's: no
// store stands behind them, and a test makes the values.
public import Foundation

/// A product of StoreKit 1.
open class SKProduct: NSObject, @unchecked Sendable {}

/// A payment of StoreKit 1.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {}

public struct Transaction: Hashable, Sendable {
    public let id: UInt64
    public let productID: String

    /// Not in Apple's module.
    public init(id: UInt64, productID: String = "") {
        self.id = id
        self.productID = productID
    }

    public func finish() async {}

    /// Nothing is bought here.
    public static var currentEntitlements: AsyncStream<VerificationResult<Transaction>> { AsyncStream { $0.finish() } }
}

public enum VerificationResult<SignedType: Sendable>: Sendable {
    public struct VerificationError: Error {}

    case unverified(SignedType, VerificationError)
    case verified(SignedType)

    public var unsafePayloadValue: SignedType {
        switch self {
        case .unverified(let value, _), .verified(let value): value
        }
    }

    /// Empty here: nothing was signed.
    public var jwsRepresentation: String { "" }
}

public struct Product: Hashable, Sendable {
    public enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled
        case pending
    }

    public let id: String

    /// Not in Apple's module.
    public init(id: String) { self.id = id }
}

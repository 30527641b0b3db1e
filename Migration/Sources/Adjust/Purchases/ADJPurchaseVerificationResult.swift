// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// The answer to a verification.
#if canImport(ObjectiveC)
@objc(ADJPurchaseVerificationResult) @objcMembers
#endif
public final class ADJPurchaseVerificationResult: NSObject, Sendable {
    public let message: String
    /// 200 if the server has answered, else 0.
    public let code: Int32
    /// `success`: the App Store signed it for this app and product, and the server has stored it as this person's.
    /// `failed`: the App Store did not sign it, or for another app or product. `not_verified`: nothing of the two; the message says
    /// why. `unknown`: the server has not answered; verify again later.
    public let verificationStatus: String

    /// For an app's own tests.
    override public convenience init() { self.init(.notVerified, "Nothing was verified.", code: 0) }

    init(_ status: VerificationStatus, _ message: String, code: Int32) {
        verificationStatus = status.rawValue
        self.message = message
        self.code = code
    }
}

enum VerificationStatus: String {
    case success, failed, unknown
    case notVerified = "not_verified"
}

extension ADJPurchaseVerificationResult {
    convenience init(_ verdict: PurchaseVerdict) {
        switch verdict {
        case .genuine: self.init(.success, "The App Store signed this transaction, and the server has stored it.", code: 200)
        case .forged: self.init(.failed, "The App Store did not sign this transaction.", code: 200)
        case .foreign: self.init(.failed, "The App Store signed this transaction for another app.", code: 200)
        case .otherProduct: self.init(.failed, "The App Store signed this transaction for another product.", code: 200)
        case .owned: self.init(.notVerified, "The App Store signed this transaction, but it belongs to another person.", code: 200)
        case .notFound: self.init(.notVerified, "StoreKit has no such transaction on this phone. Verify before you call finish().", code: 0)
        default: self.init(.notVerified, "The server does not take this transaction (\(verdict.rawValue)).", code: 200)
        }
    }

    convenience init(_ error: any Error) {
        let mayWork = (error as? LandfallError)?.isWorthRetrying ?? true
        self.init(mayWork ? .unknown : .notVerified, "\(error)", code: 0)
    }

    static var noAnswer: ADJPurchaseVerificationResult {
        ADJPurchaseVerificationResult(.unknown, "The server has not answered in time. Verify again later.", code: 0)
    }

    static var nothingToVerify: ADJPurchaseVerificationResult {
        ADJPurchaseVerificationResult(
            .notVerified, "The event names no transaction or no product. Call setTransactionId and setProductId first.", code: 0)
    }
}

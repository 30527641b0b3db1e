// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What is known of a transaction after ``LandfallClient/verifyPurchase(_:of:within:)``. More may follow.
public struct PurchaseVerdict: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The App Store signed it for this app; the server has stored it, and it is this person's.
    public static let genuine = PurchaseVerdict(rawValue: "genuine")
    /// As ``genuine``, but another profile owns it, and the configuration does not let it move.
    public static let owned = PurchaseVerdict(rawValue: "purchase_owned")
    /// The App Store did not sign it.
    public static let forged = PurchaseVerdict(rawValue: "purchase_forged")
    /// The App Store signed it for another app.
    public static let foreign = PurchaseVerdict(rawValue: "purchase_foreign")
    /// It names no environment, or one that the configuration refuses.
    public static let environment = PurchaseVerdict(rawValue: "purchase_environment")
    /// The App Store signed it, but for another product than the one that was asked about.
    public static let otherProduct = PurchaseVerdict(rawValue: "other_product")
    /// The store on this phone does not have it, so nothing was sent. It has no consumables that are finished, unless the app
    /// sets `SKIncludeConsumableInAppPurchaseHistory` (iOS 18).
    public static let notFound = PurchaseVerdict(rawValue: "not_found")
}

extension PurchaseVerdict {
    init(_ result: PurchaseAnswer.Result) {
        self = result.status == .rejected ? PurchaseVerdict(rawValue: (result.code ?? .invalidValue).rawValue) : .genuine
    }
}

extension StoreTransaction {
    /// What the signed text names; only a verified text is to be believed.
    var signedProductID: String? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URL: parts[1]) else { return nil }
        return try? WireCoding.decode(SignedProduct.self, from: payload).productId
    }
}

private struct SignedProduct: Decodable {
    let productId: String
}

extension Data {
    fileprivate init?(base64URL text: Substring) {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
    }
}

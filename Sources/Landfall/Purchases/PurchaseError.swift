// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// Why nothing was bought, or why the server does not take what was. The text says what happened and what to do.
public enum PurchaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The paywall has no such product, or several that end so; with the paywall's products.
    case productUnknown(String, of: [String])
    /// The store does not sell these products to this person.
    case notForSale([String])
    /// The phone's settings forbid purchases.
    case notAllowed
    /// The store's sheet is open for this other product.
    case underWay(String)
    /// The store could not be reached. Worth another try.
    case network(String)
    /// The store did not do it.
    case store(String)
    /// The store could not verify the transaction on this phone. It opens nothing, and is not finished.
    case unverified(String)
    /// Paid, and the server does not take it, by this code. It is not finished, and the next launch reports it again.
    case rejected(ErrorCode)
    /// Paid, and another profile owns it and keeps it.
    case ownedByAnother

    /// True if the same call may succeed later without a change to the app, the configuration or the phone.
    public var isWorthRetrying: Bool {
        switch self {
        case .network, .store, .underWay: true
        case .productUnknown, .notForSale, .notAllowed, .unverified, .rejected, .ownedByAnother: false
        }
    }

    public var description: String {
        switch self {
        case .productUnknown(let name, let ids):
            "'\(name)' names none, or several, of the paywall's products (\(ids.joined(separator: ", "))). Use a product id, or "
                + "its end behind a dot."
        case .notForSale(let ids):
            "The store does not sell \(ids.joined(separator: ", ")) here. Check the ids, that App Store Connect has them ready for sale "
                + "and the agreements signed, or that the scheme in Xcode has a StoreKit configuration."
        case .notAllowed:
            "This phone does not allow purchases. Tell the person to look at Screen Time, under Content & Privacy Restrictions."
        case .underWay(let id): "The purchase of \(id) is not over. Let the person finish it, then call again."
        case .network(let why): "The store could not be reached: \(why) Nothing is queued: let the person try again.".asSentence
        case .store(let why): "The store did not do it: \(why) Let the person try again; if it goes on, look at the reason.".asSentence
        case .unverified(let why):
            "The store could not verify the transaction on this phone (\(why)). It opens nothing and is not finished: the store brings it "
                + "again. Tell the person to restart the phone; if it goes on, nothing was bought from Apple."
        case .rejected(let code):
            "The purchase is paid, and the server does not take it (\(code)). The next launch reports it again. Look the code up in "
                + "docs/features/purchases.md: for Xcode's own store start the server with --storekit-testing."
        case .ownedByAnother:
            "The purchase is paid, and belongs to another profile, which keeps it (purchases.owner). Tell the person to sign in with the "
                + "account that bought first."
        }
    }
}

/// For alerts and crash reports: `localizedDescription` is the text of ``PurchaseError/description``.
extension PurchaseError: LocalizedError {
    public var errorDescription: String? { description }
}

extension PurchaseError {
    /// Any error of a store as the SDK's own; nil for a cancellation.
    init?(any error: any Error) {
        switch error {
        case is CancellationError: return nil
        case let error as PurchaseError: self = error
        default: self = .store(error.inWords)
        }
    }
}

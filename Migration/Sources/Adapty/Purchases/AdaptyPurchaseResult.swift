// SPDX-License-Identifier: Apache-2.0

/// How a purchase ended. Landfall makes none yet: an app gets no value of this type.
public enum AdaptyPurchaseResult: Sendable {
    case userCancelled
    /// It waits for another person, for example a parent.
    case pending
    case success(profile: AdaptyProfile, transaction: any Sendable)

    public var isPurchaseCancelled: Bool { if case .userCancelled = self { true } else { false } }
    public var isPurchasePending: Bool { if case .pending = self { true } else { false } }
    public var isPurchaseSuccess: Bool { if case .success = self { true } else { false } }
    /// nil unless the purchase succeeded.
    public var profile: AdaptyProfile? { if case .success(let profile, _) = self { profile } else { nil } }
}

/// A transaction that is not finished. Landfall sees none yet: an app gets no value of this type.
public struct AdaptyUnfinishedTransaction: Sendable {
    /// What the store signed.
    public let jwsTransaction: String
    let transaction: any Sendable

    /// - Throws: ``AdaptyError`` 1006.
    public func finish() async throws(AdaptyError) { throw AdaptyError(.transactions) }
}

/// What to tell the store when a person asks for their money back.
public enum AdaptyRefundPreference: String, Sendable, Codable {
    case noPreference = "no_preference", grant, decline
}

/// Where a web page is opened.
public enum AdaptyWebPresentation: String, Sendable {
    case externalBrowser, inAppBrowser
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallWire

/// Why a text that should come from the App Store is not taken. None of these is worth another try: the same text is refused again.
package enum AppStoreRefusal: Refusal, Hashable {
    /// Nothing shows that Apple signed it.
    case forged(Forgery)
    /// Apple signed it, but not as a purchase of this app.
    case foreign(Foreignness)
    /// Apple signed it, but its environment is missing, contradicts itself or is not accepted here.
    case environment(EnvironmentProblem)

    package enum Forgery: Hashable, Sendable {
        case tooLong(bytes: Int)
        case notThreeSegments
        case notBase64URL(Segment)
        case notJSON(Segment)
        case algorithm(String?)
        /// How many certificates the header has; nil if it has no list of texts.
        case certificates(Int?)
        case unreadableCertificate(index: Int)
        case untrustedChain
        /// A certificate lacks the mark that Apple gives to those that sign purchases.
        case unmarkedCertificate(index: Int)
        case leafKey
        case noSignedDate
        case notValidWhenSigned
        case signedInFuture
        case signature
        /// Inside a notification: the renewal is not about its transaction.
        case strayRenewal
    }

    package enum Segment: String, Hashable, Sendable { case header, payload, signature }

    package enum Foreignness: Hashable, Sendable {
        case bundleID(String?)
        case appleID(Int64?)
        case noTransaction
        case noRenewal
        case noNotification
    }

    package enum EnvironmentProblem: Hashable, Sendable {
        case missing
        case unknown(String)
        /// What a notification says of itself, and what its content says.
        case differs(outer: String, inner: String)
        case storekitTesting
    }

    package var code: ErrorCode {
        switch self {
        case .forged: .purchaseForged
        case .foreign: .purchaseForeign
        case .environment: .purchaseEnvironment
        }
    }
}

extension ErrorCode {
    package static let purchaseForged = ErrorCode(rawValue: "purchase_forged")
    package static let purchaseForeign = ErrorCode(rawValue: "purchase_foreign")
    package static let purchaseEnvironment = ErrorCode(rawValue: "purchase_environment")
    /// Genuine, but another profile's.
    package static let purchaseOwned = ErrorCode(rawValue: "purchase_owned")
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallPurchases
import LandfallRules
import LandfallStore

/// What proves to Apple that a call is the team's: the key, and the app that it is about.
struct AppStoreAccess: Sendable, Redacted {
    /// Of a token, in seconds. Apple takes those of an hour at most.
    private static let lifeSeconds: Int64 = 300
    /// By so much may the clock be ahead of Apple's.
    private static let earlierSeconds: Int64 = 30

    let app: AppID
    private let issuerID: String
    private let keyID: String
    private let bundleID: String
    private let key: P256.Signing.PrivateKey

    /// - Returns: nil if the configuration names no key.
    /// - Throws: ``UnusablePrivateKey``
    init?(_ snapshot: Snapshot) throws(UnusablePrivateKey) {
        guard let named = snapshot.configuration.purchases.api else { return nil }
        (app, bundleID) = (snapshot.app.id, snapshot.app.bundleID)
        (issuerID, keyID) = (named.issuerID, named.keyID)
        key = try named.privateKey.key()
    }

    /// For a question of a person's.
    /// - Throws: ``AppStoreQuestionRefusal``
    static func required(_ snapshot: Snapshot) throws -> AppStoreAccess {
        do {
            guard let access = try AppStoreAccess(snapshot) else { throw AppStoreQuestionRefusal.noKey }
            return access
        } catch let error as UnusablePrivateKey {
            throw AppStoreQuestionRefusal.unusableKey(error)
        }
    }

    /// Equal for the same key, issuer and app, and says nothing about the key.
    var fingerprint: String {
        let text = [issuerID, keyID, bundleID, key.publicKey.rawRepresentation.base64EncodedString()].joined(separator: "\n")
        return Array(SHA256.hash(data: Data(text.utf8))).hexadecimal
    }

    private struct Claims: Encodable {
        let iss: String
        let iat, exp: Int64
        let aud = "appstoreconnect-v1"
        let bid: String
    }

    /// A bearer token for some minutes.
    func token(nowMs: Int64) throws -> String {
        let second = nowMs / 1_000
        let claims = Claims(
            iss: issuerID, iat: second - Self.earlierSeconds, exp: second - Self.earlierSeconds + Self.lifeSeconds, bid: bundleID)
        return try key.token(claims, keyID: keyID)
    }
}

extension PurchaseRules {
    /// Where Apple is asked: in the sandbox only if its purchases count.
    var environments: [AppStoreEnvironment] { sandbox == .refuse ? [.production] : [.production, .sandbox] }
}

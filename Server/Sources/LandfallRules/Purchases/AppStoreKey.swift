// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The team's key for the App Store Server API, as App Store Connect shows it.
package struct AppStoreKey: Hashable, Sendable, Redacted {
    package let issuerID: String
    package let keyID: String
    package let privateKey: PrivateKeyPlace

    package init(issuerID: String, keyID: String, privateKey: PrivateKeyPlace) {
        (self.issuerID, self.keyID, self.privateKey) = (issuerID, keyID, privateKey)
    }
}

extension ConfigurationReader {
    /// `purchases.api`.
    mutating func appStoreKey(_ node: ConfigurationNode) -> AppStoreKey? {
        let fields = fields(
            node, of: "'api'", required: ["issuerId", "keyId"], optional: ["privateKeyFrom", "privateKeyFile"])
        guard let fields else { return nil }
        let issuer = fields["issuerId"].flatMap { node -> String? in
            guard let text = text(node, "'issuerId'") else { return nil }
            if UUID(uuidString: text) != nil { return text.lowercased() }
            note(node.place, "'issuerId' cannot be '\(text.shortened)'. Copy the Issuer ID of App Store Connect, Users and Access, Integrations: a UUID.")
            return nil
        }
        let keyID = fields["keyId"].flatMap { node -> String? in
            guard let text = text(node, "'keyId'") else { return nil }
            let isRight =
                (1...32).contains(text.utf8.count)
                && text.utf8.allSatisfy {
                    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                }
            if isRight { return text }
            note(node.place, "'keyId' cannot be '\(text.shortened)'. Copy the Key ID beside the key in App Store Connect: capitals and digits.")
            return nil
        }
        let privateKey = privateKey(fields, of: "'api'")
        guard let issuer, let keyID, let privateKey else { return nil }
        return AppStoreKey(issuerID: issuer, keyID: keyID, privateKey: privateKey)
    }
}

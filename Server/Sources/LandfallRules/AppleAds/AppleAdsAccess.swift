// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// With what the server reads names and spend of an Apple Ads account. Ad tokens need none of it.
package struct AppleAdsAccess: Hashable, Sendable, Redacted {
    package static let mostAccounts = 100

    /// The user with the role API Account Read Only, as Apple Ads shows it: `SEARCHADS.…`.
    package let clientID: String
    /// `SEARCHADS.…` too.
    package let teamID: String
    /// Of the public key that this user has uploaded.
    package let keyID: String
    package let privateKey: PrivateKeyPlace
    /// The ids of the ad accounts that are read; nil: all that the user may read.
    package let accounts: [Int64]?

    package init(clientID: String, teamID: String, keyID: String, privateKey: PrivateKeyPlace, accounts: [Int64]?) {
        (self.clientID, self.teamID, self.keyID, self.privateKey, self.accounts) = (clientID, teamID, keyID, privateKey, accounts)
    }

    /// Another one means that what Apple answered before says nothing about now. A new key has a new id, so the key itself is not in it: not
    /// every process that reads the file has the key.
    package var fingerprint: String {
        let accounts = accounts.map { $0.map(String.init).joined(separator: ",") } ?? "all"
        let text = [clientID, teamID, keyID, accounts].joined(separator: "\n")
        return SHA256.hash(data: Data(text.utf8)).prefix(16).map { String($0, radix: 16) }.joined(separator: ".")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// An address of the team that is told of facts.
package struct WebhookEndpoint: Hashable, Sendable, Redacted {
    package static let most = 10

    /// https; http only to a loopback address in digits. It may contain a password of the receiver, so it is not logged.
    package let url: String
    /// The one that signs now, and the one before it while receivers change over.
    package let secrets: [WebhookSecret]
    package let types: WebhookTypes
    /// Identifies the endpoint in the store. Another address is another endpoint.
    package let key: String

    package init(url: String, secrets: [WebhookSecret], types: some Sequence<WebhookType>) {
        (self.url, self.secrets, self.types) = (url, secrets, WebhookTypes(types))
        key = SHA256.hash(data: Data(url.utf8)).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Of the URL; without the brackets of an IPv6 address. For log lines, which never have the rest.
    package var host: String { NotificationReceiver(url: url)?.host ?? "" }

    /// The value of `webhook-signature`.
    package func signatures(of body: [UInt8], id: String, seconds: Int64) -> String {
        secrets.map { $0.signature(of: body, id: id, seconds: seconds) }.joined(separator: " ")
    }
}

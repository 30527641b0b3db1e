// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// A second receiver of the App Store's notifications.
package struct NotificationReceiver: Hashable, Sendable {
    /// https; http only to a loopback address in digits.
    package let url: String
    /// In digits: the address that is connected to, whatever DNS says of the host. The file names it on purpose, so it may be private.
    package let address: String?

    /// Of the URL; without the brackets of an IPv6 address.
    package var host: String {
        let host = URL(string: url)?.host() ?? ""
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// Of a network interface, in digits.
    static func isAddress(_ text: String) -> Bool {
        var v4 = in_addr(), v6 = in6_addr()
        return inet_pton(AF_INET, text, &v4) == 1 || inet_pton(AF_INET6, text, &v6) == 1
    }

    /// In one spelling only: what was looked up is what is connected to.
    private static func isName(_ host: String) -> Bool {
        (1...253).contains(host.utf8.count) && host.allSatisfy { $0.isASCIIWord && !$0.isUppercase || $0 == "." || $0 == "-" }
    }

    static func isLoopback(_ host: String) -> Bool { isAddress(host) && (host == "::1" || host.hasPrefix("127.")) }

    /// Nil for a text that is not such an address.
    package init?(url: String, address: String? = nil) {
        (self.url, self.address) = (url, address)
        guard let parts = URL(string: url), parts.user == nil, parts.fragment == nil, Self.isAddress(host) || Self.isName(host) else { return nil }
        let isHTTPS = parts.scheme?.lowercased() == "https"
        guard isHTTPS || parts.scheme?.lowercased() == "http" && Self.isLoopback(host) else { return nil }
    }
}

extension ConfigurationReader {
    /// `purchases.notify`: an address, or `{ url, address }`.
    mutating func receiver(_ node: ConfigurationNode) -> NotificationReceiver? {
        guard case .mapping = node.content else { return receiver(node, address: nil) }
        guard let fields = fields(node, of: "'notify'", required: ["url"], optional: ["address"]), let url = fields["url"] else { return nil }
        var address: String?
        if let node = fields["address"] {
            guard let text = text(node, "'address'") else { return nil }
            guard NotificationReceiver.isAddress(text) else {
                note(node.place, "'address' cannot be '\(text.shortened)'. Write the receiver's address in digits, such as 10.0.0.7.")
                return nil
            }
            address = text
        }
        return receiver(url, address: address)
    }

    private mutating func receiver(_ node: ConfigurationNode, address: String?) -> NotificationReceiver? {
        guard let text = text(node, "'notify'", longest: Limits.address) else { return nil }
        if let receiver = NotificationReceiver(url: text, address: address) { return receiver }
        note(node.place, "'notify' cannot be '\(text.shortened)'. Write the https address of your receiver.")
        return nil
    }
}

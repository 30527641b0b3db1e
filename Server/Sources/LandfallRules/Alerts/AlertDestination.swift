// SPDX-License-Identifier: Apache-2.0

/// Who is told of alerts.
package struct AlertDestination: Hashable, Sendable, Redacted {
    package static let most = 10

    package enum Way: Hashable, Sendable, Redacted {
        case email(MailRoute)
        /// The address of an incoming webhook, which is a secret.
        case slack(url: String)
        /// Signed as the messages of `webhooks` are.
        case webhook(WebhookEndpoint)
    }

    package let name: String
    package let way: Way

    package init(name: String, way: Way) { (self.name, self.way) = (name, way) }
}

/// A server that takes mail, and for whom.
package struct MailRoute: Hashable, Sendable, Redacted {
    package static let mostReceivers = 10

    package enum Security: String, CaseIterable, Hashable, Sendable {
        /// Plain at first, then TLS before anything else is said.
        case starttls
        /// TLS from the first byte.
        case tls
        /// Only to this machine.
        case none

        /// The port that mail servers use for it.
        package var usualPort: Int64 {
            switch self {
            case .starttls: 587
            case .tls: 465
            case .none: 25
            }
        }
    }

    package struct Login: Hashable, Sendable, Redacted {
        package let user: String
        package let password: String

        package init(user: String, password: String) { (self.user, self.password) = (user, password) }
    }

    /// A name, or an address in digits without brackets.
    package let host: String
    package let port: Int
    package let security: Security
    /// Nil: the server asks for none.
    package let login: Login?
    package let from: MailAddress
    package let to: [MailAddress]

    package init(host: String, port: Int, security: Security, login: Login?, from: MailAddress, to: [MailAddress]) {
        (self.host, self.port, self.security, self.login, self.from, self.to) = (host, port, security, login, from, to)
    }
}

/// `name@host`, in the plain form that fits into a command and a header without quotes.
package struct MailAddress: Hashable, Sendable {
    private static let longest = 254
    private static let signs = Set("!#$%&'*+-/=?^_`{|}~.".utf8)

    package let text: String

    /// Nil for any other text: nothing of it can end a line or a command.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 2, (1...64).contains(parts[0].utf8.count), !parts[1].isEmpty,
            parts[0].utf8.allSatisfy({ Self.isWord($0) || Self.signs.contains($0) }), Self.isHost(parts[1])
        else { return nil }
        self.text = text
    }

    /// Behind the `@`.
    package var host: String { text.split(separator: "@").last.map(String.init) ?? "" }

    static func isHost(_ text: some StringProtocol) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

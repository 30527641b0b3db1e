// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// How members come into the console.
package struct SignInRules: Hashable, Sendable {
    /// False: members sign in by the provider only.
    package var allowsPasswords = true
    /// Nil: by password only.
    package var openID: OpenIDRules?

    package init(allowsPasswords: Bool = true, openID: OpenIDRules? = nil) {
        (self.allowsPasswords, self.openID) = (allowsPasswords, openID)
    }
}

/// The OpenID Connect provider that says who somebody is, and what follows from it here.
package struct OpenIDRules: Hashable, Sendable, Redacted {
    package static let mostDomains = 50
    package static let mostGroups = 100
    package static let defaultGroupsClaim = "groups"

    /// https; http only to a loopback address in digits. Compared by bytes with what the provider says of itself.
    package let issuer: String
    package let clientID: String
    /// Nil: the client has none, and PKCE alone protects the code.
    package let secret: ClientSecretPlace?
    /// The hosts of addresses that may sign in, in lower case. Never empty.
    package let domains: [String]
    /// Nil: roles come from invitations.
    package let groups: GroupRules?

    package init(issuer: String, clientID: String, secret: ClientSecretPlace?, domains: [String], groups: GroupRules?) {
        (self.issuer, self.clientID, self.secret, self.domains, self.groups) = (issuer, clientID, secret, domains, groups)
    }

    /// Of the issuer, for audit lines and pages.
    package var host: String { URL(string: issuer)?.host() ?? "" }
}

/// Which role the members of a group have in this app.
package struct GroupRules: Hashable, Sendable {
    /// The claim of the ID token that lists groups.
    package let claim: String
    package let roles: [String: GroupRole]

    package init(claim: String = OpenIDRules.defaultGroupsClaim, roles: [String: GroupRole]) {
        (self.claim, self.roles) = (claim, roles)
    }

    /// The strongest role of these groups; nil for groups that have none.
    package func role(of groups: some Sequence<String>) -> GroupRole? {
        groups.compactMap { group in roles.first { $0.key.hasSameBytes(as: group) }?.value }.max()
    }
}

/// The roles of the console by their names, the strongest first. A test compares them with those of the console.
package enum GroupRole: String, CaseIterable, Comparable, Sendable {
    case owner, admin, editor, viewer, support

    package static func < (left: GroupRole, right: GroupRole) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) > (allCases.firstIndex(of: right) ?? 0)
    }
}

/// Where the client's secret is: `clientSecretFrom` or `clientSecretFile`. The configuration never contains it.
package enum ClientSecretPlace: Hashable, Sendable, Redacted {
    package static let longest = 1_024

    /// The content of an environment variable.
    case text(String)
    /// The name of a file in the folder of `--secrets`. It is read when the secret is used: a new file counts without a new version.
    case file(String)

    /// Nil if the file is missing, not readable, empty or too long.
    package var text: String? {
        let text: String? =
            switch self {
            case .text(let text): text
            case .file(let name):
                ProcessEnvironment.value(of: PrivateKeyPlace.folderVariable).flatMap { ProcessEnvironment.credential(name, in: $0) }
            }
        return text.flatMap { (1...Self.longest).contains($0.utf8.count) ? $0 : nil }
    }
}

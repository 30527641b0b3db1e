// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

extension ConfigurationReader {
    /// The section `signIn`.
    mutating func signIn(_ node: ConfigurationNode) -> SignInRules {
        guard let fields = fields(node, of: "'signIn'", optional: ["passwords", "openId"]) else { return SignInRules() }
        let allowsPasswords = flag(fields["passwords"], "'passwords'") ?? true
        if !allowsPasswords, fields["openId"] == nil {
            note(node.place, "Without passwords and 'openId' nobody can sign in. Add 'openId', or remove 'passwords'.")
        }
        return SignInRules(allowsPasswords: allowsPasswords, openID: fields["openId"].flatMap { openID($0) })
    }

    private mutating func openID(_ node: ConfigurationNode) -> OpenIDRules? {
        let fields = fields(
            node, of: "'openId'", required: ["issuer", "clientId", "domains"],
            optional: ["clientSecretFrom", "clientSecretFile", "groupsClaim", "roles"])
        guard let fields else { return nil }
        let issuer = fields["issuer"].flatMap { self.issuer($0) }
        let client = text(fields["clientId"], "'clientId'", longest: 512)
        let secret = clientSecret(fields)
        let domains = fields["domains"].map { signInDomains($0) } ?? []
        let groups = groups(fields)
        guard let issuer, let client, !domains.isEmpty else { return nil }
        return OpenIDRules(issuer: issuer, clientID: client, secret: secret, domains: domains, groups: groups)
    }

    private mutating func issuer(_ node: ConfigurationNode) -> String? {
        guard let text = text(node, "'issuer'", longest: 512) else { return nil }
        if NotificationReceiver(url: text) != nil, !text.contains("?"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
        note(
            node.place,
            "'issuer' cannot be '\(text.shortened)'. Write the https address of your provider, as its discovery document has it, such as https://login.example.com.")
        return nil
    }

    /// - Returns: nil also for a client without a secret.
    private mutating func clientSecret(_ fields: Fields) -> ClientSecretPlace? {
        switch (fields["clientSecretFrom"], fields["clientSecretFile"]) {
        case (nil, nil): return nil
        case (let variable?, nil):
            guard let (name, text) = secret(variable, "clientSecretFrom", isFor: "secret that the provider gave this client") else { return nil }
            if (1...ClientSecretPlace.longest).contains(text.utf8.count) { return .text(text) }
            note(variable.place, "The variable '\(name.shortened)' is empty or longer than \(ClientSecretPlace.longest) bytes. Set it to the client's secret.")
        case (nil, let file?):
            // A file of the configuration must not read the rest of the disk.
            guard let name = text(file, "'clientSecretFile'"),
                isName(name, at: file.place, of: "A file in the folder of --secrets")
            else { return nil }
            if !name.hasPrefix(".") { return .file(name) }
            note(file.place, "'clientSecretFile' cannot be '\(name.shortened)'. Write the name of a file in the folder of --secrets.")
        case (.some, .some):
            note(fields.place, "'openId' has both 'clientSecretFrom' and 'clientSecretFile'. Keep one of them.")
        }
        return nil
    }

    private mutating func signInDomains(_ node: ConfigurationNode) -> [String] {
        guard let elements = list(node, of: "'domains'", most: OpenIDRules.mostDomains) else { return [] }
        if elements.isEmpty { note(node.place, "'domains' is empty, so nobody may sign in. List the hosts of your team's addresses, such as example.com.") }
        var domains: [String] = []
        for element in elements {
            guard let text = text(element, "A domain of 'openId'", longest: 253) else { continue }
            let domain = text.lowercased()
            let isHost = domain.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 || $0 >= 0x80 }
            if !isHost || domain.hasPrefix(".") || domain.hasSuffix(".") || domain.utf8.count < 3 {
                note(element.place, "A domain of 'openId' cannot be '\(text.shortened)'. Write what follows the '@' of an address, such as example.com.")
            } else if domains.contains(domain) {
                note(element.place, "'\(text.shortened)' is here a second time. Keep one of them.")
            } else {
                domains.append(domain)
            }
        }
        return domains
    }

    private mutating func groups(_ fields: Fields) -> GroupRules? {
        let claim = text(fields["groupsClaim"], "'groupsClaim'", longest: 256)
        guard let node = fields["roles"] else {
            if let claim = fields["groupsClaim"] { note(claim.place, "'groupsClaim' needs 'roles', which says what each group may. Add it.") }
            return nil
        }
        guard let entries = entries(node, of: "'roles'") else { return nil }
        guard (1...OpenIDRules.mostGroups).contains(entries.count) else {
            note(node.place, "'roles' has \(entries.count) groups; write 1 to \(OpenIDRules.mostGroups), such as 'landfall-admins: admin'.")
            return nil
        }
        var roles: [String: GroupRole] = [:]
        for entry in entries {
            guard let role = choice(entry.value, "The role of a group", as: GroupRole.self) else { continue }
            guard (1...256).contains(entry.key.utf8.count) else {
                note(entry.keyPlace, "The name of a group has more than 256 bytes, or none. Name it by its id.")
                continue
            }
            roles[entry.key] = role
        }
        if roles.count == entries.count, !roles.values.contains(.owner) {
            warn(node.place, "No group of 'roles' is owner: only 'landfall console invite' makes owners then. Give one group the role owner.")
        }
        return GroupRules(claim: claim ?? OpenIDRules.defaultGroupsClaim, roles: roles)
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// `email` of a destination of alerts.
    mutating func mailRoute(_ node: ConfigurationNode) -> MailRoute? {
        let fields = fields(
            node, of: "'email'", required: ["host", "from", "to"], optional: ["port", "security", "user", "passwordFrom"])
        guard let fields else { return nil }
        let before = problems.count
        let host = fields["host"].flatMap { mailHost($0) }
        let security = choice(fields["security"], "'security'", as: MailRoute.Security.self) ?? .starttls
        let port = mailPort(fields["port"]) ?? security.usualPort
        let login = mailLogin(fields)
        let from = fields["from"].flatMap { mailAddress($0, "'from'") }
        let to = fields["to"].flatMap { mailReceivers($0) }
        guard let host, let from, let to, problems.count == before else { return nil }
        if security == .none, !NotificationReceiver.isLoopback(host) {
            note(
                fields["security"]?.place ?? node.place,
                "'security: none' sends mail that everybody on the way can read; it is only for 127.0.0.1 and ::1. Write starttls or tls.")
            return nil
        }
        return MailRoute(host: host, port: Int(port), security: security, login: login, from: from, to: to)
    }

    private mutating func mailHost(_ node: ConfigurationNode) -> String? {
        guard let text = text(node, "'host'", longest: 253) else { return nil }
        if NotificationReceiver.isAddress(text) || MailAddress.isHost(text) { return text }
        note(node.place, "'host' cannot be '\(text.shortened)'. Write the name of your mail server, without a port.")
        return nil
    }

    private mutating func mailPort(_ node: ConfigurationNode?) -> Int64? {
        guard let node, let value = json(node) else { return nil }
        if case .integer(let port) = value, (1...65_535).contains(port) { return port }
        note(node.place, "'port' is not a port. Write a whole number from 1 to 65535.")
        return nil
    }

    private mutating func mailLogin(_ fields: Fields) -> MailRoute.Login? {
        guard let userNode = fields["user"] else {
            if let node = fields["passwordFrom"] { note(node.place, "'passwordFrom' needs 'user'. Add it.") }
            return nil
        }
        guard let user = text(userNode, "'user'") else { return nil }
        guard let named = fields["passwordFrom"] else {
            note(userNode.place, "'user' needs 'passwordFrom': the variable that holds the password. Add it.")
            return nil
        }
        guard let (variable, password) = secret(named, "passwordFrom", isFor: "password of the mail account") else { return nil }
        guard (1...512).contains(password.utf8.count), !(user + password).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            note(named.place, "The password in '\(variable.shortened)' is empty, too long, or has a control character. Set the password alone.")
            return nil
        }
        return MailRoute.Login(user: user, password: password)
    }

    private mutating func mailReceivers(_ node: ConfigurationNode) -> [MailAddress]? {
        guard let elements = list(node, of: "'to'", most: MailRoute.mostReceivers) else { return nil }
        guard !elements.isEmpty else {
            note(node.place, "'to' is empty. Write an address.")
            return nil
        }
        let addresses = elements.compactMap { mailAddress($0, "An address of 'to'") }
        return addresses.count == elements.count ? addresses : nil
    }

    private mutating func mailAddress(_ node: ConfigurationNode, _ what: String) -> MailAddress? {
        guard let text = text(node, what) else { return nil }
        if let address = MailAddress(text) { return address }
        note(node.place, "\(what) cannot be '\(text.shortened)'. Write it as name@host, without quotes and display name.")
        return nil
    }
}

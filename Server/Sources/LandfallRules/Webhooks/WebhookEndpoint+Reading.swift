// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// The section `webhooks`.
    mutating func webhooks(_ node: ConfigurationNode) -> [WebhookEndpoint] {
        let elements = list(node, of: "'webhooks'", most: WebhookEndpoint.most) ?? []
        noteSecondNames(elements, in: ["webhooks"])
        return elements.compactMap { webhook($0) }
    }

    private mutating func webhook(_ node: ConfigurationNode) -> WebhookEndpoint? {
        let fields = fields(node, of: "A webhook", required: ["url", "secretFrom", "types"], optional: ["previousSecretFrom"])
        guard let fields else { return nil }
        let url = fields["url"].flatMap { webhookURL($0) }
        let secret = webhookSecret(fields["secretFrom"], "secretFrom")
        let previous = webhookSecret(fields["previousSecretFrom"], "previousSecretFrom")
        let types = fields["types"].flatMap { webhookTypes($0) }
        guard let url, let secret, let types, fields["previousSecretFrom"] == nil || previous != nil else { return nil }
        return WebhookEndpoint(url: url, secrets: [secret] + (previous.map { [$0] } ?? []), types: types)
    }

    mutating func webhookURL(_ node: ConfigurationNode) -> String? {
        guard let text = text(node, "'url'", longest: Limits.address) else { return nil }
        if NotificationReceiver(url: text) != nil { return text }
        note(node.place, "'url' cannot be '\(text.shortened)'. Write the https address of your endpoint.")
        return nil
    }

    mutating func webhookSecret(_ node: ConfigurationNode?, _ key: String) -> WebhookSecret? {
        guard let node, let (variable, text) = secret(node, key, isFor: "secret of the webhook") else { return nil }
        if let secret = WebhookSecret(text) ?? (text == ProcessEnvironment.standIn ? .standIn : nil) { return secret }
        note(
            node.place,
            "The secret in '\(variable.shortened)' is not '\(WebhookSecret.prefix)' and base64 of 24 to 64 bytes. Make one with: echo \(WebhookSecret.prefix)$(openssl rand -base64 32)")
        return nil
    }

    private mutating func webhookTypes(_ node: ConfigurationNode) -> [WebhookType]? {
        guard let elements = list(node, of: "'types'", most: 50) else { return nil }
        guard !elements.isEmpty else {
            note(node.place, "'types' is empty. Name what the endpoint is told of, such as first_open.")
            return nil
        }
        var types: [WebhookType] = []
        for element in elements {
            guard let type = choice(element, "A type of a webhook", as: WebhookType.self) else { continue }
            if types.contains(type) {
                note(element.place, "'\(type.rawValue)' is here a second time. Keep one of them.")
            } else {
                types.append(type)
            }
        }
        return types.count == elements.count ? types : nil
    }
}

extension WebhookSecret {
    /// For programs that do not serve.
    fileprivate static let standIn = WebhookSecret(prefix + "bGFuZGZhbGwtbm90LXNlcnZpbmctYW55dGhpbmc=")
}

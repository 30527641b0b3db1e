// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// The section `alerts`.
    mutating func alerts(_ node: ConfigurationNode) -> AlertSettings {
        var settings = AlertSettings()
        guard let fields = fields(node, of: "'alerts'", optional: ["rules", "destinations"]) else { return settings }
        if let rules = fields["rules"] { alertRules(rules, &settings) }
        if let destinations = fields["destinations"] { settings.destinations = alertDestinations(destinations) }
        return settings
    }

    private mutating func alertRules(_ node: ConfigurationNode, _ settings: inout AlertSettings) {
        let rules = fields(node, of: "'rules' of 'alerts'", optional: AlertRule.allCases.map(\.rawValue))
        for rule in AlertRule.allCases {
            guard let node = rules?[rule.rawValue] else { continue }
            if case .mapping = node.content {
                settings.rules[rule] = alertSetting(node, of: rule)
            } else if let isOn = flag(node, "'\(rule.rawValue)'") {
                if !isOn { settings.rules[rule] = nil }
            }
        }
    }

    private mutating func alertSetting(_ node: ConfigurationNode, of rule: AlertRule) -> AlertSettings.Setting {
        let usual = AlertSettings.Setting(rule), fields = fields(node, of: "A rule of 'alerts'", optional: ["limit", "minutes"])
        let minutes = wholeNumber(fields?["minutes"], "'minutes'", in: AlertRule.minutes) ?? usual.minutes
        guard let limit = rule.limit else {
            if let node = fields?["limit"] { note(node.place, "'\(rule.rawValue)' has no number to compare with. Remove 'limit'.") }
            return AlertSettings.Setting(limit: nil, minutes: minutes)
        }
        return AlertSettings.Setting(limit: wholeNumber(fields?["limit"], "'limit'", in: limit.range) ?? limit.usual, minutes: minutes)
    }

    private mutating func wholeNumber(_ node: ConfigurationNode?, _ what: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let node, let value = json(node) else { return nil }
        if case .integer(let number) = value, range.contains(number) { return number }
        note(node.place, "\(what) is not such a number. Write a whole number from \(range.lowerBound) to \(range.upperBound).")
        return nil
    }

    // MARK: - Destinations

    private mutating func alertDestinations(_ node: ConfigurationNode) -> [AlertDestination] {
        guard let entries = entries(node, of: "'destinations' of 'alerts'") else { return [] }
        guard entries.count <= AlertDestination.most else {
            note(node.place, "'destinations' has \(entries.count) entries; at most \(AlertDestination.most) fit. Remove some.")
            return []
        }
        return entries.compactMap { entry in
            guard isName(entry.key, at: entry.keyPlace, of: "A destination of alerts") else { return nil }
            return alertWay(entry.value).map { AlertDestination(name: entry.key, way: $0) }
        }
    }

    private mutating func alertWay(_ node: ConfigurationNode) -> AlertDestination.Way? {
        guard let fields = fields(node, of: "A destination of alerts", optional: ["email", "slack", "webhook"]) else { return nil }
        let ways = [fields["email"], fields["slack"], fields["webhook"]]
        guard ways.count(where: { $0 != nil }) == 1 else {
            note(node.place, "A destination of alerts has one of 'email', 'slack' and 'webhook'. Write each destination under a name of its own.")
            return nil
        }
        if let node = fields["email"] { return mailRoute(node).map { .email($0) } }
        if let node = fields["slack"] { return alertChat(node) }
        return fields["webhook"].flatMap { alertWebhook($0) }
    }

    private mutating func alertChat(_ node: ConfigurationNode) -> AlertDestination.Way? {
        guard let fields = fields(node, of: "'slack'", required: ["urlFrom"]), let named = fields["urlFrom"],
            let (variable, text) = secret(named, "urlFrom", isFor: "address of the incoming webhook")
        else { return nil }
        if text.utf8.count <= Limits.address, NotificationReceiver(url: text) != nil || text == ProcessEnvironment.standIn { return .slack(url: text) }
        note(named.place, "The text in '\(variable.shortened)' is not an https address. Set it to the address of the incoming webhook.")
        return nil
    }

    private mutating func alertWebhook(_ node: ConfigurationNode) -> AlertDestination.Way? {
        guard let fields = fields(node, of: "'webhook'", required: ["url", "secretFrom"], optional: ["previousSecretFrom"]) else { return nil }
        let url = fields["url"].flatMap { webhookURL($0) }
        let secret = webhookSecret(fields["secretFrom"], "secretFrom")
        let previous = webhookSecret(fields["previousSecretFrom"], "previousSecretFrom")
        guard let url, let secret, fields["previousSecretFrom"] == nil || previous != nil else { return nil }
        return .webhook(WebhookEndpoint(url: url, secrets: [secret] + (previous.map { [$0] } ?? []), types: [WebhookType]()))
    }
}

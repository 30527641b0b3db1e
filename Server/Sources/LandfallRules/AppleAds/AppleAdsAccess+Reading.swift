// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    private static let accessKeys = ["clientId", "teamId", "keyId"]
    private static let keyKeys = ["privateKeyFrom", "privateKeyFile"]

    /// The section 'appleAds'.
    mutating func appleAds(_ node: ConfigurationNode) -> (asks: Bool, access: AppleAdsAccess?) {
        let fields = fields(node, of: "'appleAds'", optional: ["enabled"] + Self.accessKeys + Self.keyKeys + ["adAccounts"])
        let asks = flag(fields?["enabled"], "'enabled'") ?? true
        guard let fields, (Self.accessKeys + Self.keyKeys + ["adAccounts"]).contains(where: { fields[$0] != nil }) else { return (asks, nil) }

        let ids = Self.accessKeys.map { key in text(fields[key], "'\(key)'", longest: 256) }
        for key in Self.accessKeys where fields[key] == nil {
            note(node.place, "'appleAds' needs '\(key)' to read names and spend. Add it, as Apple Ads shows it beside the API key.")
        }
        for (key, id) in zip(Self.accessKeys, ids).prefix(2) {
            if let node = fields[key], let id, !id.hasPrefix("SEARCHADS.") {
                warn(node.place, "'\(key)' is '\(id.shortened)'; Apple's begin with SEARCHADS. Compare it with what Apple Ads shows.")
            }
        }
        let key = privateKey(fields, of: "'appleAds'")
        let accounts = fields["adAccounts"].flatMap { adAccounts($0) }
        guard let client = ids[0], let team = ids[1], let keyID = ids[2], let key else { return (asks, nil) }
        return (asks, AppleAdsAccess(clientID: client, teamID: team, keyID: keyID, privateKey: key, accounts: accounts))
    }

    /// - Returns: nil for all.
    private mutating func adAccounts(_ node: ConfigurationNode) -> [Int64]? {
        if node.text == "all" { return nil }
        guard case .list = node.content else {
            note(node.place, "'adAccounts' is neither all nor a list. Write all, or the ids of ad accounts in [ ].")
            return nil
        }
        let elements = list(node, of: "'adAccounts'", most: AppleAdsAccess.mostAccounts) ?? []
        if elements.isEmpty { note(node.place, "'adAccounts' is empty, so nothing is read. List some ids, or write all.") }
        var ids: [Int64] = []
        for element in elements {
            guard let text = text(element, "An ad account") else { continue }
            guard let id = Int64(text), id > 0 else {
                note(element.place, "An ad account cannot be '\(text.shortened)'. Write its id, such as 123456789: landfall doctor lists them.")
                continue
            }
            if ids.contains(id) {
                note(element.place, "'\(id)' is here a second time. Keep one of them.")
            } else {
                ids.append(id)
            }
        }
        return ids
    }
}

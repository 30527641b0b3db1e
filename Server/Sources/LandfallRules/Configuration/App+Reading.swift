// SPDX-License-Identifier: Apache-2.0
import Foundation

extension ConfigurationReader {
    mutating func app(_ node: ConfigurationNode) -> App? {
        let fields = fields(
            node, of: "'app'", required: ["id", "bundleId"],
            optional: ["name", "teamId", "scheme", "appStoreId", "appStoreProvider", "android", "association"]
        )
        guard let fields else { return nil }
        let id = text(fields["id"], "'id'").flatMap {
            isName($0, at: fields["id"]?.place ?? node.place, of: "An app") ? $0 : nil
        }
        let name = text(fields["name"], "'name'")
        let bundleID = matching(fields["bundleId"], "'bundleId'", "Write the app's bundle id, such as com.example.app.") {
            $0.count <= 155 && $0.allSatisfy { $0.isASCIIWord && $0 != "_" || $0 == "." || $0 == "-" }
        }
        let teamID = matching(fields["teamId"], "'teamId'", "Write the ten capitals and digits of Apple's team id.") {
            $0.count == 10 && $0.allSatisfy { $0.isASCIIWord && $0 != "_" && !$0.isLowercase }
        }
        let scheme = matching(fields["scheme"], "'scheme'", "Write the app's own URL scheme without '://', such as example.") {
            let isScheme = $0.first?.isLetter == true && $0.allSatisfy { $0.isASCIIWord && $0 != "_" || "+-.".contains($0) }
            return isScheme && !["http", "https"].contains($0.lowercased())
        }
        let appStoreID = matching(
            fields["appStoreId"], "'appStoreId'", "Write the digits of the App Store address, such as 1234567890."
        ) {
            Int64($0).map { $0 > 0 } ?? false
        }
        let provider = matching(
            fields["appStoreProvider"], "'appStoreProvider'",
            "Write the digits after 'pt=' in a campaign link of App Store Connect."
        ) {
            $0.count <= 20 && $0.allSatisfy { $0.isASCIIWord && $0.isNumber }
        }
        let android = fields["android"].flatMap { self.android($0) }
        let association = fields["association"].map { self.association($0) } ?? AppAssociation()
        guard let id, let bundleID else { return nil }
        return App(
            id: AppID(id), name: name ?? id, bundleID: bundleID, teamID: teamID, scheme: scheme?.lowercased(),
            appStoreID: appStoreID.flatMap { Int64($0) }, appStoreProvider: provider, android: android, association: association
        )
    }

    private mutating func android(_ node: ConfigurationNode) -> AndroidApp? {
        guard let fields = fields(node, of: "'android'", required: ["package"], optional: ["certificates"]) else { return nil }
        let package = matching(fields["package"], "'package'", "Write the app's package name, such as com.example.app.") {
            let labels = $0.split(separator: ".", omittingEmptySubsequences: false)
            return $0.count <= 255 && labels.count > 1
                && labels.allSatisfy { $0.first?.isLetter == true && $0.allSatisfy(\.isASCIIWord) }
        }
        let certificates = fields["certificates"].map { list($0, of: "'certificates'", most: 20) ?? [] } ?? []
        let fingerprints = certificates.compactMap { element in
            matching(element, "A certificate", "Write its SHA-256 fingerprint: 32 bytes in hexadecimal, with ':' between them.")
            {
                let bytes = $0.split(separator: ":", omittingEmptySubsequences: false)
                return bytes.count == 32 && bytes.allSatisfy { $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
            }?.uppercased()
        }
        return package.map { AndroidApp(package: $0, certificates: fingerprints) }
    }

    private mutating func association(_ node: ConfigurationNode) -> AppAssociation {
        var association = AppAssociation()
        let fields = fields(node, of: "'association'", optional: ["apps", "appClips", "exclude", "caseSensitive", "percentEncoded"])
        guard let fields else { return association }
        association.furtherApps = fields["apps"].map { apps($0, of: "'apps'", "An app") } ?? []
        association.clips = fields["appClips"].map { apps($0, of: "'appClips'", "An App Clip") } ?? []
        association.excluded = fields["exclude"].map { patterns($0, of: "'exclude'") } ?? []
        association.isCaseSensitive = flag(fields["caseSensitive"], "'caseSensitive'") ?? true
        association.isPercentEncoded = flag(fields["percentEncoded"], "'percentEncoded'") ?? true
        return association
    }

    /// Team ids with bundle ids.
    private mutating func apps(_ node: ConfigurationNode, of list: String, _ what: String) -> [String] {
        (self.list(node, of: list, most: 50) ?? []).compactMap { element in
            matching(element, what, "Write team id and bundle id, such as ABCDE12345.com.example.app.") {
                let team = $0.prefix { $0 != "." }
                return $0.count <= 166 && team.count == 10 && team.allSatisfy { $0.isASCIIWord && !$0.isLowercase }
                    && $0.count > team.count + 1 && $0.allSatisfy { $0.isASCIIWord || $0 == "." || $0 == "-" }
            }
        }
    }

    /// A text that must have a certain form.
    mutating func matching(
        _ node: ConfigurationNode?, _ what: String, _ advice: String, _ isRight: (String) -> Bool
    ) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        if isRight(text) { return text }
        note(node.place, "\(what) cannot be '\(text.shortened)'. \(advice)")
        return nil
    }
}

extension ConfigurationReader {
    /// Warns of links at which a browser finds no way on.
    mutating func checkWays(of app: App, _ domains: Domains, at place: ConfigurationNode.Place) {
        let hasWays = domains.brand.contains { $0.ways != PlatformWays() }
        guard !domains.brand.isEmpty, domains.universal.isEmpty, !hasWays, app.appStoreID == nil, app.android == nil else { return }
        warn(
            place,
            "In a browser, the links of this app lead nowhere: the app has no store and no web site. Add 'appStoreId' or 'android' to 'app', or the web site's host to 'universal'.")
    }
}

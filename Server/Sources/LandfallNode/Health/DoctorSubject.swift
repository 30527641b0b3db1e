// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
package import LandfallWire

/// What a configuration promises to the outside. `landfall doctor` compares it with what it finds there.
package struct DoctorSubject: Hashable, Sendable, Codable {
    /// A key that expires.
    package struct EndingKey: Hashable, Sendable, Codable {
        /// The public key `pk_…` itself, or the scopes of a server key.
        package let name: String
        package let isSDKKey: Bool
        package let endsAtMilliseconds: Int64
    }

    /// Nil for a file that is not published.
    package var revision: Int64?
    package let brandHosts: [String]
    package let universalHosts: [String]
    package let apiHosts: [String]
    /// `TEAMID.bundle.id`; nil without a team id.
    package let appID: String?
    /// `TEAMID.bundle.id.Clip` of the App Clips that the links start; absent from servers that know none.
    package var appClips: [String]?
    /// An SDK key that is valid now.
    package let sdkKey: String?
    package let endingKeys: [EndingKey]
    package let asksAppleAds: Bool
    /// What everyone sees, by the placement's id: the default locale first, then every other.
    package let paywalls: [String: [WirePaywall]]

    package init(_ configuration: Configuration, revision: Int64?, nowMs: Int64) {
        self.revision = revision
        brandHosts = configuration.domains.brand.map(\.host)
        universalHosts = configuration.domains.universal
        apiHosts = configuration.domains.api
        appID = configuration.app.teamID.map { "\($0).\(configuration.app.bundleID)" }
        appClips = configuration.app.association.clips
        sdkKey = configuration.keys.first { $0.isActive(nowMs: nowMs) }?.text
        endingKeys =
            configuration.keys.compactMap { key in
                key.expiresAtMs.map { EndingKey(name: key.text, isSDKKey: true, endsAtMilliseconds: $0) }
            }
            + configuration.serverKeys.compactMap { key in
                let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: ", ")
                return key.expiresAtMs.map { EndingKey(name: "for \(scopes)", isSDKKey: false, endsAtMilliseconds: $0) }
            }
        asksAppleAds = configuration.asksAppleAds
        paywalls = Dictionary(
            configuration.placements.map { ($0.id.rawValue, $0.everyone.paywall?.inEveryLocale ?? []) }, uniquingKeysWith: { first, _ in first })
    }

    /// The subject of a file. Its secrets may have any values.
    /// - Parameter served: the subject of the served configuration; its version is kept.
    /// - Throws: every problem at once, or why the file cannot be read.
    package init(file: String, like served: DoctorSubject?) throws {
        let configuration = try Configuration(
            yaml: try Configuration.text(ofFile: file), file: file, environment: { ProcessEnvironment.anySecret(of: $0) })
        self.init(configuration, revision: served?.revision, nowMs: ServerTime.live.nowMs())
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The paywalls that are bundled with the app. Everything readable is used: another format number, an unknown key or one broken
/// placement does not affect the rest.
struct FallbackFile: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var audience: AudienceID
        /// Nil: nothing is to be shown.
        var paywall: WirePaywall?
        var locales: [String: JSONValue]

        /// - Parameter locale: as ``PaywallKey`` writes it.
        fileprivate func remoteConfig(for locale: String) -> WirePaywall.RemoteConfig? {
            let own = paywall?.remoteConfig
            let found = LocaleFallback.first(for: locale) { code -> WirePaywall.RemoteConfig? in
                let wanted = PaywallKey.normalised(locale: code)
                if let found = locales.first(where: { PaywallKey.normalised(locale: $0.key) == wanted }) {
                    return .init(locale: found.key, value: found.value)
                }
                return own.flatMap { PaywallKey.normalised(locale: $0.locale) == wanted ? $0 : nil }
            }
            return found ?? own
        }
    }

    let revision: Int64
    let entries: [PlacementID: Entry]
    /// Placements that could not be read.
    let broken: [PlacementID]

    /// - Throws: ``LandfallError/Kind/invalidArgument``.
    init(_ data: Data) throws {
        let document: Document
        do {
            document = try WireCoding.decode(Document.self, from: data)
        } catch {
            throw LandfallError(.invalidArgument, detail: "The fallback file is not a JSON object with 'paywalls'.")
        }
        revision = document.revision
        entries = document.paywalls.reduce(into: [:]) { $0[PlacementID(rawValue: $1.key)] = $1.value.entry }
        broken = document.paywalls.filter { $0.value.entry == nil }.keys.sorted().map { PlacementID(rawValue: $0) }
        guard !entries.isEmpty || document.paywalls.isEmpty else {
            throw LandfallError(.invalidArgument, detail: "No paywall of the fallback file can be read.")
        }
    }

    /// The paywall with the remote config that ``LocaleFallback`` finds, else the paywall's own.
    func candidate(for key: PaywallKey) -> PaywallSelection.Candidate? {
        guard let entry = entries[key.placement] else { return nil }
        var paywall = entry.paywall
        paywall?.remoteConfig = entry.remoteConfig(for: key.locale)
        return .init(paywall: paywall, audience: entry.audience, origin: .bundled, revision: revision)
    }

    private struct Document: Decodable {
        let revision: Int64
        let paywalls: [String: Lenient]

        private enum Key: String, CodingKey { case revision, paywalls }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            revision = (try? container.decode(Int64.self, forKey: .revision)) ?? 0
            paywalls = try container.decode([String: Lenient].self, forKey: .paywalls)
        }
    }

    private struct Lenient: Decodable {
        let entry: Entry?

        private enum Key: String, CodingKey { case audience, paywall, nothing, locales }

        init(from decoder: any Decoder) throws {
            guard
                let container = try? decoder.container(keyedBy: Key.self),
                case let paywall = try? container.decode(WirePaywall.self, forKey: .paywall),
                paywall != nil || (try? container.decode(Bool.self, forKey: .nothing)) == true
            else {
                entry = nil
                return
            }
            entry = Entry(
                audience: (try? container.decode(AudienceID.self, forKey: .audience)) ?? .everyone,
                paywall: paywall,
                locales: (try? container.decode([String: JSONValue].self, forKey: .locales)) ?? [:]
            )
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// One placement and many profiles, to measure how long a decision takes: `Benchmarks/run --only decisions`.
package struct DecisionTrial: Sendable {
    private struct File: Decodable {
        struct Profile: Decodable {
            let country: String
            let language: String
            let appVersion: String
            let campaign: String
            let sessions: Double
            let plan: String
        }

        /// A `landfall.yaml` with the placement `paywall`.
        let yaml: String
        let profiles: [Profile]
    }

    private static let placement = PlacementID("paywall")

    private let snapshot: Snapshot
    private let known: [KnownFacts]
    private let facts: [AudienceFacts]

    /// - Parameter json: a trial in the form that `Benchmarks/deciding.py` writes.
    package init(json: String) throws {
        let file = try JSONDecoder().decode(File.self, from: Data(json.utf8))
        snapshot = Snapshot(try Configuration(yaml: file.yaml), revision: 1)
        known = file.profiles.map { profile in
            var device = DeviceFacts()
            device.locale = profile.language
            device.storeCountry = profile.country
            device.appVersion = profile.appVersion
            let attributes: [String: AttributeValue] = [
                "campaign": .string(profile.campaign), "sessions": .number(profile.sessions), "plan": .string(profile.plan),
            ]
            return KnownFacts(attribution: .notAttributed, link: nil, device: device, attributes: attributes, install: nil)
        }
        facts = known.map { AudienceFacts($0, nowMs: 0) }
    }

    /// The audience that each profile gets.
    package var chosen: [String] { facts.indices.map { decide($0)?.audience.rawValue ?? "" } }

    /// Makes this number of decisions for the profiles in turn, as for installs that are in memory.
    /// - Returns: how often an audience other than `everyone` was found, so that the compiler cannot remove a decision.
    package func decide(times: Int) -> Int {
        var found = 0, next = 0
        for _ in 0..<times {
            if decide(next)?.audience != .everyone { found += 1 }
            next = next + 1 == facts.count ? 0 : next + 1
        }
        return found
    }

    /// The same, but each decision first prepares the values of the install.
    package func decideAnew(times: Int) -> Int {
        var found = 0, next = 0
        for _ in 0..<times {
            let facts = AudienceFacts(known[next], nowMs: 0)
            if snapshot.decide(placement: Self.placement, locale: nil, facts: facts, pending: .nothing)?.audience != .everyone { found += 1 }
            next = next + 1 == known.count ? 0 : next + 1
        }
        return found
    }

    private func decide(_ profile: Int) -> Decision? {
        snapshot.decide(placement: Self.placement, locale: nil, facts: facts[profile], pending: .nothing)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// Why an install sees a paywall at one placement, now or at an earlier exposure: every audience in order, and each comparison
/// of an audience with the compared value.
package struct Explanation: Hashable, Sendable, Codable {
    /// The time of the values.
    package enum Time: String, Sendable, Codable { case now, exposure }
    package enum Answer: String, Sendable, Codable { case yes, no, unknown }
    package enum Reason: String, Sendable, Codable {
        case compared
        /// The install has no such value.
        case missing
        /// The value is on its way.
        case pending
        /// There is a value, but of another type than the rule needs.
        case type
    }
    /// Says whether a value was stored when the paywall was shown, or is only the present one.
    package enum ValueTime: String, Sendable, Codable { case then, now }

    package struct Condition: Hashable, Sendable, Codable {
        /// The place of the comparison in its audience: `any[1].not.country.is`.
        let path: String
        package let attribute: String
        let `operator`: String
        let expected: JSONValue
        package let value: JSONValue?
        /// The result of the comparison itself, without a `not` around it.
        package let result: Answer
        package let reason: Reason
        package let valueIs: ValueTime
    }

    package struct Audience: Hashable, Sendable, Codable {
        package let audience: String
        package let result: Answer
        /// False if an audience above it matched.
        package let reached: Bool
        package let conditions: [Condition]
    }

    package struct Chosen: Hashable, Sendable, Codable {
        package let audience: String
        package let paywall: String?
        package let experiment: String?
        package let variation: String?
    }

    /// An install that the configuration names under `testDevices`.
    package struct TestDevice: Hashable, Sendable, Codable {
        /// The choice that is served: the paywall for this placement, or the audience as whose member it counts.
        package enum Step: String, Sendable, Codable { case paywall, audience }

        package let name: String
        /// Nil if the configuration chooses nothing for it here, so that the audiences decide.
        package let step: Step?
        /// The place of the choice in the configuration: `testDevices.mayas-phone.paywalls.home`.
        package let reason: String?
        /// The choice of its audiences.
        package let instead: Chosen
    }

    /// What the phone reported that it showed.
    package struct Exposure: Hashable, Sendable, Codable {
        let eventId: String
        package let shownAtMilliseconds: Int64
        package let receivedAtMilliseconds: Int64
        package let audience: String?
        package let paywall: String?
        /// `matchingAudience`, `defaultAudience`, `cache` or `bundled`.
        package let origin: String?
        /// The version of the attribution when the exposure arrived; nil if it was not stored.
        let attributionVersion: Int64?
    }

    /// A value that has changed since the exposure.
    package struct Late: Hashable, Sendable, Codable {
        package let attribute: String
        package let then: JSONValue?
        package let now: JSONValue?
    }

    package let install: String
    package let profile: String
    package let placement: String
    /// The version of the configuration that decided.
    package let revision: Int64
    package let asOf: Time
    /// False while an answer that is on its way can still change the choice.
    package let final: Bool
    package let audiences: [Audience]
    /// How the experiment of the matching entry decided. Nil if the entry has none, or one that assigns nobody.
    package let draw: Drawing?
    /// The choice that follows from these values, or the choice for the test device.
    package let chosen: Chosen
    /// Nil for an install that is not a test device.
    package let testDevice: TestDevice?
    /// True if Apple's answer is that of developer mode.
    package let testPayload: Bool
    /// False if reports of campaigns and paywalls do not count the install, by the configuration that is served now.
    package let inReports: Bool
    /// Nil for `now`.
    package let exposure: Exposure?
    /// The values that arrived after the exposure, in the order of their names; empty for `now`.
    package let late: [Late]
    /// Names of the ids of Apple Ads among the values, by attribute and id; nil if no id has one.
    package var names: [String: [String: String]]?
    /// Custom product pages to which ads of these ids lead, by attribute and id; nil if none leads to one.
    package var productPages: [String: [String: [AppleAdsProductPage]]]?
}

// Null fields are written too, so that a reader of the document finds every field.
extension Explanation.Condition {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(attribute, forKey: .attribute)
        try container.encode(self.operator, forKey: .operator)
        try container.encode(expected, forKey: .expected)
        try container.encode(value, forKey: .value)
        try container.encode(result, forKey: .result)
        try container.encode(reason, forKey: .reason)
        try container.encode(valueIs, forKey: .valueIs)
    }
}

extension Explanation.Chosen {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(audience, forKey: .audience)
        try container.encode(paywall, forKey: .paywall)
        try container.encode(experiment, forKey: .experiment)
        try container.encode(variation, forKey: .variation)
    }
}

extension Explanation.TestDevice {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(step, forKey: .step)
        try container.encode(reason, forKey: .reason)
        try container.encode(instead, forKey: .instead)
    }
}

extension Explanation.Late {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(attribute, forKey: .attribute)
        try container.encode(then, forKey: .then)
        try container.encode(now, forKey: .now)
    }
}

extension Explanation {
    private enum CodingKeys: String, CodingKey {
        case install, profile, placement, revision, asOf, final, audiences, draw, chosen, testDevice, testPayload, inReports, exposure, late, names, productPages
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(install, forKey: .install)
        try container.encode(profile, forKey: .profile)
        try container.encode(placement, forKey: .placement)
        try container.encode(revision, forKey: .revision)
        try container.encode(asOf, forKey: .asOf)
        try container.encode(final, forKey: .final)
        try container.encode(audiences, forKey: .audiences)
        try container.encode(draw, forKey: .draw)
        try container.encode(chosen, forKey: .chosen)
        try container.encode(testDevice, forKey: .testDevice)
        try container.encode(testPayload, forKey: .testPayload)
        try container.encode(inReports, forKey: .inReports)
        try container.encode(exposure, forKey: .exposure)
        try container.encode(late, forKey: .late)
        try container.encodeIfPresent(names, forKey: .names)
        try container.encodeIfPresent(productPages, forKey: .productPages)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        install = try container.decode(String.self, forKey: .install)
        profile = try container.decode(String.self, forKey: .profile)
        placement = try container.decode(String.self, forKey: .placement)
        revision = try container.decode(Int64.self, forKey: .revision)
        asOf = try container.decode(Time.self, forKey: .asOf)
        final = try container.decode(Bool.self, forKey: .final)
        audiences = try container.decode([Audience].self, forKey: .audiences)
        draw = try container.decodeIfPresent(Drawing.self, forKey: .draw)
        chosen = try container.decode(Chosen.self, forKey: .chosen)
        testDevice = try container.decodeIfPresent(TestDevice.self, forKey: .testDevice)
        testPayload = try container.decodeIfPresent(Bool.self, forKey: .testPayload) ?? false
        inReports = try container.decodeIfPresent(Bool.self, forKey: .inReports) ?? true
        exposure = try container.decodeIfPresent(Exposure.self, forKey: .exposure)
        late = try container.decodeIfPresent([Late].self, forKey: .late) ?? []
        names = try container.decodeIfPresent([String: [String: String]].self, forKey: .names)
        productPages = try container.decodeIfPresent([String: [String: [AppleAdsProductPage]]].self, forKey: .productPages)
    }
}

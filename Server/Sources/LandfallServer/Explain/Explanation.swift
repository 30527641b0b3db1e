// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// Why an install sees a paywall at one placement, now or at an earlier exposure: every audience in order, and each comparison
/// of an audience with the compared value.
public struct Explanation: Hashable, Sendable, Codable {
    /// The time of the values.
    public enum Time: String, Sendable, Codable { case now, exposure }
    public enum Answer: String, Sendable, Codable { case yes, no, unknown }
    public enum Reason: String, Sendable, Codable {
        case compared
        /// The install has no such value.
        case missing
        /// The value is on its way.
        case pending
        /// There is a value, but of another type than the rule needs.
        case type
    }
    /// Says whether a value was stored when the paywall was shown, or is only the present one.
    public enum ValueTime: String, Sendable, Codable { case then, now }

    public struct Condition: Hashable, Sendable, Codable {
        /// The place of the comparison in its audience: `any[1].not.country.is`.
        public let path: String
        public let attribute: String
        public let `operator`: String
        public let expected: JSONValue
        public let value: JSONValue?
        /// The result of the comparison itself, without a `not` around it.
        public let result: Answer
        public let reason: Reason
        public let valueIs: ValueTime
    }

    public struct Audience: Hashable, Sendable, Codable {
        public let audience: String
        public let result: Answer
        /// False if an audience above it matched.
        public let reached: Bool
        public let conditions: [Condition]
    }

    public struct Chosen: Hashable, Sendable, Codable {
        public let audience: String
        public let paywall: String?
        public let experiment: String?
        public let variation: String?
    }

    /// An install that the configuration names under `testDevices`.
    public struct TestDevice: Hashable, Sendable, Codable {
        /// The choice that is served: the paywall for this placement, or the audience as whose member it counts.
        public enum Step: String, Sendable, Codable { case paywall, audience }

        public let name: String
        /// Nil if the configuration chooses nothing for it here, so that the audiences decide.
        public let step: Step?
        /// The place of the choice in the configuration: `testDevices.mayas-phone.paywalls.home`.
        public let reason: String?
        /// The choice of its audiences.
        public let instead: Chosen
    }

    /// What the phone reported that it showed.
    public struct Exposure: Hashable, Sendable, Codable {
        public let eventId: String
        public let shownAtMilliseconds: Int64
        public let receivedAtMilliseconds: Int64
        public let audience: String?
        public let paywall: String?
        /// `matchingAudience`, `defaultAudience`, `cache` or `bundled`.
        public let origin: String?
        /// The version of the attribution when the exposure arrived; nil if it was not stored.
        public let attributionVersion: Int64?
    }

    /// A value that has changed since the exposure.
    public struct Late: Hashable, Sendable, Codable {
        public let attribute: String
        public let then: JSONValue?
        public let now: JSONValue?
    }

    public let install: String
    public let profile: String
    public let placement: String
    /// The version of the configuration that decided.
    public let revision: Int64
    public let asOf: Time
    /// False while an answer that is on its way can still change the choice.
    public let final: Bool
    public let audiences: [Audience]
    /// How the experiment of the matching entry decided. Nil if the entry has none, or one that assigns nobody.
    public let draw: Drawing?
    /// The choice that follows from these values, or the choice for the test device.
    public let chosen: Chosen
    /// Nil for an install that is not a test device.
    public let testDevice: TestDevice?
    /// True if Apple's answer is that of developer mode.
    public let testPayload: Bool
    /// False if reports of campaigns and paywalls do not count the install, by the configuration that is served now.
    public let inReports: Bool
    /// Nil for `now`.
    public let exposure: Exposure?
    /// The values that arrived after the exposure, in the order of their names; empty for `now`.
    public let late: [Late]
}

// Null fields are written too, so that a reader of the document finds every field.
extension Explanation.Condition {
    public func encode(to encoder: any Encoder) throws {
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
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(audience, forKey: .audience)
        try container.encode(paywall, forKey: .paywall)
        try container.encode(experiment, forKey: .experiment)
        try container.encode(variation, forKey: .variation)
    }
}

extension Explanation.TestDevice {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(step, forKey: .step)
        try container.encode(reason, forKey: .reason)
        try container.encode(instead, forKey: .instead)
    }
}

extension Explanation.Late {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(attribute, forKey: .attribute)
        try container.encode(then, forKey: .then)
        try container.encode(now, forKey: .now)
    }
}

extension Explanation {
    private enum CodingKeys: String, CodingKey {
        case install, profile, placement, revision, asOf, final, audiences, draw, chosen, testDevice, testPayload, inReports, exposure, late
    }

    public func encode(to encoder: any Encoder) throws {
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
    }

    public init(from decoder: any Decoder) throws {
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
    }
}

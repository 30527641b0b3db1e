// SPDX-License-Identifier: Apache-2.0
/// One line of the first-open stream. Each is a JSON object whose `type` names the case; a client skips types it does not know.
public enum FirstOpenLine: Hashable, Sendable {
    case profile(WireProfile)
    /// The same, but the server's store has not taken the request's token, links and changes: send them again. On the wire a
    /// `profile` with `"stored": false`. Only the first profile of a stream can be this.
    case unstored(WireProfile)
    case attribution(Attribution)
    case paywall(PaywallAnswer)
    /// One wanted placement cannot be answered; the others are not affected.
    case problem(PlacementProblem)
    /// The link that was tapped before the app was installed; only if the request asks for it.
    case deferred(DeferredLinkAnswer)
    /// Only if the request names another version of the rules.
    case linkRules(WireLinkRules)
    case end(EndReason)
    /// A line of a newer server. The client skips it.
    case unknown(type: String)
}

/// Why a wanted placement has no paywall.
public struct PlacementProblem: Hashable, Sendable, Codable {
    public var placement: PlacementID
    public var code: ErrorCode
    public var message: String

    public init(placement: PlacementID, code: ErrorCode, message: String) {
        self.placement = placement
        self.code = code
        self.message = message
    }
}

/// Why a stream ended.
public struct EndReason: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everything is final.
    public static let final = EndReason("final")
    /// The hold has ended; something may still be pending.
    public static let holdOver = EndReason("holdOver")
    /// The node holds as many streams as it may; the answer was sent at once.
    public static let notHeld = EndReason("notHeld")
    /// A newer stream of the same profile replaced it.
    public static let replaced = EndReason("replaced")
    /// The server is stopping; ask again.
    public static let stopping = EndReason("stopping")
}

extension FirstOpenLine: Codable {
    private enum Key: String, CodingKey { case type, profile, stored, attribution, deferred, linkRules, reason, padding }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let type = try container.decode(String.self, forKey: .type)
        switch type {
        case "profile":
            let profile = try container.decode(WireProfile.self, forKey: .profile)
            self = try container.decodeIfPresent(Bool.self, forKey: .stored) ?? true ? .profile(profile) : .unstored(profile)
        case "attribution": self = .attribution(try container.decode(Attribution.self, forKey: .attribution))
        case "paywall": self = .paywall(try PaywallAnswer(from: decoder))
        case "problem": self = .problem(try PlacementProblem(from: decoder))
        case "deferred": self = .deferred(try container.decode(DeferredLinkAnswer.self, forKey: .deferred))
        case "linkRules": self = .linkRules(try container.decode(WireLinkRules.self, forKey: .linkRules))
        case "end": self = .end(try container.decodeIfPresent(EndReason.self, forKey: .reason) ?? .holdOver)
        default: self = .unknown(type: type)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .profile(let profile):
            try container.encode("profile", forKey: .type)
            try container.encode(profile, forKey: .profile)
        case .unstored(let profile):
            try container.encode("profile", forKey: .type)
            try container.encode(profile, forKey: .profile)
            try container.encode(false, forKey: .stored)
        case .attribution(let attribution):
            try container.encode("attribution", forKey: .type)
            try container.encode(attribution, forKey: .attribution)
        case .paywall(let answer):
            try container.encode("paywall", forKey: .type)
            try answer.encode(to: encoder)
        case .problem(let problem):
            try container.encode("problem", forKey: .type)
            try problem.encode(to: encoder)
        case .deferred(let answer):
            try container.encode("deferred", forKey: .type)
            try container.encode(answer, forKey: .deferred)
        case .linkRules(let rules):
            try container.encode("linkRules", forKey: .type)
            try container.encode(rules, forKey: .linkRules)
        case .end(let reason):
            try container.encode("end", forKey: .type)
            try container.encode(reason, forKey: .reason)
        case .unknown(let type):
            try container.encode(type, forKey: .type)
        }
    }
}

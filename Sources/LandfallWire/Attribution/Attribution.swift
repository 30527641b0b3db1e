// SPDX-License-Identifier: Apache-2.0
/// The state of an install's attribution: where did this user come from?
public enum Attribution: Hashable, Sendable {
    /// There is no answer yet, and none comes within this number of milliseconds (0: a request is under way).
    case pending(nextAnswerNotBefore: Int64)
    case attributed(AttributionDetails)
    /// The answer is that no ad or link brought this install (organic).
    case notAttributed
    /// There is no answer in this launch; waiting is useless.
    case unavailable(UnavailableReason)

    public var isPending: Bool { if case .pending = self { true } else { false } }
}

/// Why there is no answer from Apple.
public struct UnavailableReason: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The phone sent no token and announced none.
    public static let noToken = UnavailableReason("noToken")
    /// The platform issues no tokens.
    public static let unsupported = UnavailableReason("unsupported")
    /// The app or the user turned collection off.
    public static let collectionOff = UnavailableReason("collectionOff")
    /// Apple answered 404 three times. The next three launches send a fresh token in the background.
    public static let notFound = UnavailableReason("notFound")
    /// Apple answered 400.
    public static let invalidToken = UnavailableReason("invalidToken")
    /// Apple gave no usable answer in the token's 24 hours.
    public static let expired = UnavailableReason("expired")
    /// Another install has sent the same token before.
    public static let tokenReused = UnavailableReason("tokenReused")
}

extension Attribution: Codable {
    private enum Key: String, CodingKey { case state, reason, nextAnswerNotBefore }
    private enum State: String, Codable { case pending, attributed, notAttributed, unavailable }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let state = try container.decode(String.self, forKey: .state)
        switch State(rawValue: state) {
        case .pending:
            self = .pending(nextAnswerNotBefore: try container.decodeIfPresent(Int64.self, forKey: .nextAnswerNotBefore) ?? 0)
        case .attributed: self = .attributed(try AttributionDetails(from: decoder))
        case .notAttributed: self = .notAttributed
        case .unavailable:
            self = .unavailable(try container.decodeIfPresent(UnavailableReason.self, forKey: .reason) ?? .noToken)
        case nil: self = .unavailable(UnavailableReason(state))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .pending(let milliseconds):
            try container.encode(State.pending, forKey: .state)
            try container.encode(milliseconds, forKey: .nextAnswerNotBefore)
        case .attributed(let details):
            try container.encode(State.attributed, forKey: .state)
            try details.encode(to: encoder)
        case .notAttributed: try container.encode(State.notAttributed, forKey: .state)
        case .unavailable(let reason):
            try container.encode(State.unavailable, forKey: .state)
            try container.encode(reason, forKey: .reason)
        }
    }
}

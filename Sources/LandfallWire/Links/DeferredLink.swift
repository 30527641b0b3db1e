// SPDX-License-Identifier: Apache-2.0

/// Asks for the link that was tapped before the app was installed: in a first open, or as the body of
/// `POST /v1/links/deferred`.
public struct DeferredLinkRequest: Hashable, Sendable, Codable {
    /// The text that the link's page put on the pasteboard, or the code that it showed: 1…512 visible ASCII characters. nil
    /// asks for a link that can be found without a token (only if the team has enabled matching by address).
    public var token: String?

    public init(token: String? = nil) { self.token = token }
}

/// The link that was tapped before the app was installed.
public struct DeferredLink: Hashable, Sendable, Codable {
    /// How the click was found.
    public struct Match: WireIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let pasteboard = Match("pasteboard")
        public static let code = Match("code")
        /// By network address: a guess, and fingerprinting in Apple's terms; off by default.
        public static let address = Match("address")
    }

    /// The link that was tapped.
    public var original: String
    /// Where it leads.
    public var resolved: String
    public var matchedBy: Match
    /// The time since the tap, in milliseconds.
    public var ageMilliseconds: Int64

    public init(original: String, resolved: String, matchedBy: Match, ageMilliseconds: Int64) {
        self.original = original
        self.resolved = resolved
        self.matchedBy = matchedBy
        self.ageMilliseconds = ageMilliseconds
    }
}

/// Whether there is such a link. An install always gets the same answer; another install gets none.
public enum DeferredLinkAnswer: Hashable, Sendable {
    /// Not known yet.
    case pending
    case none
    case link(DeferredLink)
}

extension DeferredLinkAnswer: Codable {
    private enum Key: String, CodingKey { case state, link }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(String.self, forKey: .state) {
        case "link": self = .link(try container.decode(DeferredLink.self, forKey: .link))
        case "pending": self = .pending
        default: self = .none
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .pending: try container.encode("pending", forKey: .state)
        case .none: try container.encode("none", forKey: .state)
        case .link(let link):
            try container.encode("link", forKey: .state)
            try container.encode(link, forKey: .link)
        }
    }
}

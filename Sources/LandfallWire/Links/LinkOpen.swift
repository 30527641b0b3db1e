// SPDX-License-Identifier: Apache-2.0

/// Body of `POST /v1/links/open`: a link that reached the app, or was tapped in it. A click is recorded once per key.
public struct LinkOpenRequest: Hashable, Sendable, Codable {
    public var url: String
    public var key: IdempotencyKey
    /// How long the link waited on the phone: 0…30 days; longer counts as 30 days.
    public var ageMilliseconds: Int64
    /// False only asks where the link leads: for a link that was tapped inside the app. Absent means true.
    public var recordsClick: Bool

    public init(url: String, key: IdempotencyKey, ageMilliseconds: Int64 = 0, recordsClick: Bool = true) {
        self.url = url
        self.key = key
        self.ageMilliseconds = ageMilliseconds
        self.recordsClick = recordsClick
    }

    private enum CodingKeys: String, CodingKey { case url, key, ageMilliseconds, recordsClick }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        key = try container.decodeIfPresent(IdempotencyKey.self, forKey: .key) ?? .unrepeated()
        ageMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .ageMilliseconds) ?? 0
        recordsClick = try container.decodeIfPresent(Bool.self, forKey: .recordsClick) ?? true
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try container.encode(key, forKey: .key)
        try container.encode(ageMilliseconds, forKey: .ageMilliseconds)
        if !recordsClick { try container.encode(false, forKey: .recordsClick) }
    }
}

/// The result for a link.
public struct LinkStatus: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A short link; `resolved` is where it leads.
    public static let resolved = LinkStatus("resolved")
    /// Not a short link; `resolved` is the original.
    public static let passedThrough = LinkStatus("passedThrough")
    /// On a brand domain, but not one of its links.
    public static let notFound = LinkStatus("notFound")
    public static let expired = LinkStatus("expired")
    /// The server did not answer in time. Only the phone reports this.
    public static let timedOut = LinkStatus("timedOut")
    /// The server cannot be reached. Only the phone reports this.
    public static let offline = LinkStatus("offline")
    /// The app or the person turned collection off, and the link needs the server. Only the phone reports this.
    public static let disabled = LinkStatus("disabled")
    /// A link that must not be followed.
    public static let invalid = LinkStatus("invalid")
}

/// Answer of `POST /v1/links/open`.
public struct LinkOpenAnswer: Hashable, Sendable, Codable {
    public var status: LinkStatus
    /// The link that was sent.
    public var original: String
    /// Where it leads; the original unless ``status`` is ``LinkStatus/resolved``.
    public var resolved: String
    /// The person after this click: `profile` and `attribution` beside the other fields. Nil if no click of an install was
    /// recorded, so that nothing about the person has changed.
    public var person: ProfileAnswer?

    public init(status: LinkStatus, original: String, resolved: String? = nil, person: ProfileAnswer? = nil) {
        self.status = status
        self.original = original
        self.resolved = resolved ?? original
        self.person = person
    }

    private enum CodingKeys: String, CodingKey { case status, original, resolved, profile, attribution }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(LinkStatus.self, forKey: .status)
        original = try container.decode(String.self, forKey: .original)
        resolved = try container.decodeIfPresent(String.self, forKey: .resolved) ?? original
        let profile = try container.decodeIfPresent(WireProfile.self, forKey: .profile)
        let attribution = try container.decodeIfPresent(Attribution.self, forKey: .attribution)
        if let profile, let attribution { person = ProfileAnswer(profile: profile, attribution: attribution) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status, forKey: .status)
        try container.encode(original, forKey: .original)
        try container.encode(resolved, forKey: .resolved)
        try container.encodeIfPresent(person?.profile, forKey: .profile)
        try container.encodeIfPresent(person?.attribution, forKey: .attribution)
    }
}

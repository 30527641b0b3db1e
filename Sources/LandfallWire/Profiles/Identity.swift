// SPDX-License-Identifier: Apache-2.0
/// Body of `POST /v1/identify`.
public struct IdentifyRequest: Hashable, Sendable, Codable {
    public var key: IdempotencyKey
    /// The team's own id of the person: 1…512 bytes of UTF-8.
    public var customerId: String
    /// A JWT of the team's backend (`sub` = customer id, `aud` = bundle id, at most 10 minutes). Without it the id is attached
    /// to this profile, and no other profile is revealed or joined.
    public var identityToken: String?

    public init(key: IdempotencyKey, customerId: String, identityToken: String? = nil) {
        self.key = key
        self.customerId = customerId
        self.identityToken = identityToken
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decodeIfPresent(IdempotencyKey.self, forKey: .key) ?? .unrepeated()
        customerId = try container.decode(String.self, forKey: .customerId)
        identityToken = try container.decodeIfPresent(String.self, forKey: .identityToken)
    }
}

/// Body of `POST /v1/logout`: the install gets a fresh, anonymous profile; its attribution stays.
public struct LogoutRequest: Hashable, Sendable, Codable {
    public var key: IdempotencyKey
    public init(key: IdempotencyKey) { self.key = key }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decodeIfPresent(IdempotencyKey.self, forKey: .key) ?? .unrepeated()
    }
}

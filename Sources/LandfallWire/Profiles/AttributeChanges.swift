// SPDX-License-Identifier: Apache-2.0
/// Body of `POST /v1/profiles/me/attributes`: applied as a whole or not at all.
public struct AttributeChanges: Hashable, Sendable, Codable {
    public var key: IdempotencyKey
    /// Values to set; `null` removes the attribute. At most 30 attributes a profile, keys of at most 30 `[A-Za-z0-9._-]`,
    /// strings of at most 200 bytes of UTF-8.
    public var attributes: [String: AttributeValue?]

    /// The epoch of the profile that the changes are about. If the installation has shown another profile since, the server leaves
    /// them out. Nil: they are about the person of the installation when they arrive.
    public var epoch: Int64?

    public init(key: IdempotencyKey, attributes: [String: AttributeValue?], epoch: Int64? = nil) {
        self.key = key
        self.attributes = attributes
        self.epoch = epoch
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decodeIfPresent(IdempotencyKey.self, forKey: .key) ?? .unrepeated()
        attributes = try container.decode([String: AttributeValue?].self, forKey: .attributes)
        epoch = try container.decodeIfPresent(Int64.self, forKey: .epoch)
    }
}

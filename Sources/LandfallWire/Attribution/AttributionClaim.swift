// SPDX-License-Identifier: Apache-2.0
/// Body of `POST /v1/attribution`: another provider's attribution. Stored as unverified.
public struct AttributionClaim: Hashable, Sendable, Codable {
    public enum Status: String, Sendable, Codable, CaseIterable {
        case organic, nonOrganic = "non_organic", unknown
    }

    public var key: IdempotencyKey
    /// The provider, for example `appsflyer`; 1…64 of `[a-z0-9_.-]`, not one of the server's own sources.
    public var source: AttributionSource
    public var status: Status
    /// At most 200 bytes of UTF-8 each.
    public var channel: String?
    public var campaign: String?
    public var adGroup: String?
    public var adSet: String?
    public var creative: String?
    /// How long the claim waited on the phone: 0…30 days; longer counts as 30 days.
    public var ageMilliseconds: Int64

    public init(key: IdempotencyKey, source: AttributionSource, status: Status, ageMilliseconds: Int64 = 0) {
        self.key = key
        self.source = source
        self.status = status
        self.ageMilliseconds = ageMilliseconds
    }

    private enum CodingKeys: String, CodingKey {
        case key, source, status, channel, campaign, adGroup = "ad_group", adSet = "ad_set", creative, ageMilliseconds
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decodeIfPresent(IdempotencyKey.self, forKey: .key) ?? .unrepeated()
        source = try container.decode(AttributionSource.self, forKey: .source)
        status = try container.decodeIfPresent(Status.self, forKey: .status) ?? .unknown
        channel = try container.decodeIfPresent(String.self, forKey: .channel)
        campaign = try container.decodeIfPresent(String.self, forKey: .campaign)
        adGroup = try container.decodeIfPresent(String.self, forKey: .adGroup)
        adSet = try container.decodeIfPresent(String.self, forKey: .adSet)
        creative = try container.decodeIfPresent(String.self, forKey: .creative)
        ageMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .ageMilliseconds) ?? 0
    }
}

// SPDX-License-Identifier: Apache-2.0
/// Body of `POST /v1/first-open`: the phone's state and what it asks for.
public struct FirstOpenRequest: Hashable, Sendable, Codable {
    public struct Wanted: Hashable, Sendable, Codable {
        public var id: PlacementID
        public var locale: String?

        public init(id: PlacementID, locale: String? = nil) {
            self.id = id
            self.locale = locale
        }
    }

    /// A link that the phone accepted and has not recorded yet.
    public struct WaitingLink: Hashable, Sendable, Codable {
        public var key: IdempotencyKey
        public var url: String
        /// 0…30 days.
        public var ageMilliseconds: Int64

        public init(key: IdempotencyKey, url: String, ageMilliseconds: Int64) {
            self.key = key
            self.url = url
            self.ageMilliseconds = ageMilliseconds
        }
    }

    public var device: DeviceFacts
    public var adToken: AdToken
    /// Whether the phone is about to bring what its person has bought.
    public var purchases: PurchaseNews
    /// At most 64.
    public var links: [WaitingLink]
    /// Asks for the link that was tapped before the app was installed; nil if not wanted.
    public var deferred: DeferredLinkRequest?
    /// At most 32.
    public var placements: [Wanted]
    /// Attributes that every arrival of the request sets again; a value that must not overwrite a newer one belongs in a
    /// change.
    public var attributes: [String: AttributeValue]
    /// Attribute changes that the server may not have, the oldest first; at most 64. Each is applied once, whichever request
    /// brings it and however often.
    public var attributeChanges: [AttributeChanges]
    /// The phone's copy of its assignments, for a server that lost them: at most the newest 32. Nil if it has none.
    public var assignments: [Assignment]?
    /// How long the server may hold the stream: 0…30,000 ms.
    public var holdMilliseconds: Int64

    public init(
        device: DeviceFacts, adToken: AdToken, purchases: PurchaseNews = .none, links: [WaitingLink] = [],
        deferred: DeferredLinkRequest? = nil, placements: [Wanted],
        attributes: [String: AttributeValue] = [:], attributeChanges: [AttributeChanges] = [],
        assignments: [Assignment]? = nil, holdMilliseconds: Int64
    ) {
        self.device = device
        self.adToken = adToken
        self.purchases = purchases
        self.links = links
        self.deferred = deferred
        self.placements = placements
        self.attributes = attributes
        self.attributeChanges = attributeChanges
        self.assignments = assignments
        self.holdMilliseconds = holdMilliseconds
    }

    private enum CodingKeys: String, CodingKey {
        case device, adToken, purchases, links, deferred, placements, attributes, attributeChanges, assignments
        case holdMilliseconds
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        device = try container.decodeIfPresent(DeviceFacts.self, forKey: .device) ?? DeviceFacts()
        adToken = try container.decodeIfPresent(AdToken.self, forKey: .adToken) ?? .none(.noToken)
        purchases = try container.decodeIfPresent(PurchaseNews.self, forKey: .purchases) ?? .none
        links = try container.decodeIfPresent([WaitingLink].self, forKey: .links) ?? []
        deferred = try container.decodeIfPresent(DeferredLinkRequest.self, forKey: .deferred)
        placements = try container.decodeIfPresent([Wanted].self, forKey: .placements) ?? []
        attributes = try container.decodeIfPresent([String: AttributeValue].self, forKey: .attributes) ?? [:]
        attributeChanges = try container.decodeIfPresent([AttributeChanges].self, forKey: .attributeChanges) ?? []
        assignments = try container.decodeIfPresent([Assignment].self, forKey: .assignments)
        holdMilliseconds = try container.decodeIfPresent(Int64.self, forKey: .holdMilliseconds) ?? 0
    }
}

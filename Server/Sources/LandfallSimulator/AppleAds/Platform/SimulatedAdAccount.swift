// SPDX-License-Identifier: Apache-2.0

/// What an ad account holds: campaigns with ad groups, keywords and ads, the same for the same seed. One campaign and one keyword of each
/// other are deleted. The second ad of each campaign leads to a custom product page.
struct SimulatedAdAccount: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case campaigns, adgroups, keywords, ads
    }

    struct Entity: Hashable, Sendable {
        let kind: Kind
        let id: Int64
        let name: String
        /// Of a campaign its own id.
        let campaign: Int64
        /// Of an ad group its own id; nil for a campaign.
        var adGroup: Int64?
        var matchType: String?
        /// Of an ad.
        var creative: Int64?
        var isDeleted = false
    }

    /// What an ad shows.
    struct Creative: Hashable, Sendable {
        let id: Int64
        let name: String
        /// Nil for the app's usual page.
        let page: String?
        let isDeleted: Bool
    }

    /// The custom product page, as App Store Connect has it.
    static let pageID = "45812c9b-c296-43d3-c6a0-c5a02f74bf6e", pageName = "Summer"

    static let id: Int64 = 123_456_789
    static let name = "Sample Ads"
    static let countries = ["DE", "JP", "US"]
    static let currency = "USD"

    let entities: [Entity]
    let creatives: [Creative]

    private static let names = ["Brand", "Competitors", "Category", "Discovery", "Autumn"]
    private static let words = ["sample app", "habit tracker", "daily planner", "to do list", "calm focus", "morning routine"]

    init(seed: UInt64) {
        var entities: [Entity] = [], creatives: [Creative] = []
        let base = 600_000_000 + Int64(seed % 1_000) * 100_000
        for (number, name) in Self.names.enumerated() {
            let isGone = number == Self.names.count - 1
            // The first of each are those of a simulated token that names no others.
            let campaign = number == 0 ? 542_370_539 : base + Int64(number)
            entities.append(Entity(kind: .campaigns, id: campaign, name: name, campaign: campaign, isDeleted: isGone))
            for group in 0..<2 {
                let isFirst = number == 0 && group == 0, place = Int64(number * 10 + group)
                let adGroup = isFirst ? 542_317_095 : base + 1_000 + place
                entities.append(
                    Entity(
                        kind: .adgroups, id: adGroup, name: "\(name) \(group == 0 ? "exact" : "broad")", campaign: campaign, adGroup: adGroup,
                        isDeleted: isGone))
                entities.append(
                    Entity(
                        kind: .ads, id: isFirst ? 542_317_136 : base + 2_000 + place, name: "\(name) \(group == 0 ? "default" : "summer") page",
                        campaign: campaign, adGroup: adGroup, creative: base + 4_000 + place, isDeleted: isGone))
                creatives.append(
                    Creative(
                        id: base + 4_000 + place, name: "\(name) \(group)", page: group == 0 ? nil : Self.pageID, isDeleted: isGone))
                for word in 0..<3 {
                    entities.append(
                        Entity(
                            kind: .keywords, id: isFirst && word == 0 ? 87_675_432 : base + 3_000 + place * 10 + Int64(word),
                            name: Self.words[(number + group * 3 + word) % Self.words.count], campaign: campaign, adGroup: adGroup,
                            matchType: group == 0 ? "EXACT" : "BROAD", isDeleted: isGone || group == 1 && word == 2))
                }
            }
        }
        self.entities = entities
        self.creatives = creatives
    }

    /// What an entity's numbers are the sum of.
    func keywords(under entity: Entity) -> [Entity] {
        entities.filter { keyword in
            guard keyword.kind == .keywords else { return false }
            switch entity.kind {
            case .campaigns: return keyword.campaign == entity.campaign
            case .adgroups, .ads: return keyword.adGroup == entity.adGroup
            case .keywords: return keyword.id == entity.id
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Names beside the numbers of Apple Ads. An ad also has the product page that this person saw.
extension ProfileDocument {
    /// The same document with the names that are known.
    /// - Throws: the errors of the store.
    func named(by stored: AppleAdsNames) async throws -> ProfileDocument {
        let keys = facts.compactMap(\.key) + (attribution?.claims ?? []).flatMap(\.details).compactMap(\.key)
        let names = try await stored.names(of: keys)
        guard !names.isEmpty else { return self }
        let pages = try await stored.pages(of: names.keys.filter { $0.kind == .ad })
        func name(_ key: AppleAdsNames.Key?) -> AdName? {
            key.flatMap { key in names[key].map { AdName(name: $0, productPages: pages[key] ?? []) } }
        }
        var named = self
        for index in facts.indices { named.facts[index].appleAds = name(facts[index].key) }
        for (place, claim) in (attribution?.claims ?? []).enumerated() {
            for index in claim.details.indices { named.attribution?.claims[place].details[index].appleAds = name(claim.details[index].key) }
        }
        return named
    }
}

extension ProfileDocument.Fact {
    fileprivate var key: AppleAdsNames.Key? {
        AppleAdsKind(attribute: name).flatMap { kind in Int64(value).map { AppleAdsNames.Key(kind, $0) } }
    }
}

extension ProfileDetail {
    private static let kinds: [String: AppleAdsKind] = ["campaignId": .campaign, "adGroupId": .adGroup, "keywordId": .keyword, "adId": .ad]

    /// Of a detail of a claim.
    fileprivate var key: AppleAdsNames.Key? {
        Self.kinds[name].flatMap { kind in Int64(value).map { AppleAdsNames.Key(kind, $0) } }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Ids of Apple Ads with their names, for the comparisons of an audience. The file has the ids; the names are for people.
struct AppleAdsSuggestions: Sendable {
    /// Of one attribute.
    private static let most = 50

    /// By attribute: the newest ids of its kind, and those that the rule compares with.
    private(set) var ids: [String: [String]] = [:]
    private var names: [String: [String: String]] = [:]

    init() {}

    /// Reads only what the rule looks at.
    init(for rule: AudienceRule, _ stored: AppleAdsNames) async throws {
        for (attribute, lines) in Dictionary(grouping: rule.lines.map(\.line), by: \.attribute) {
            guard let kind = AppleAdsKind(attribute: attribute) else { continue }
            let newest = try await stored.newest(kind, most: Self.most)
            let compared = lines.flatMap { $0.value.split(separator: ",") }.compactMap { Int64($0.trimmingPrefix { $0 == " " }) }
            let known = try await stored.names(of: compared.map { AppleAdsNames.Key(kind, $0) })
            ids[attribute] = newest.map { String($0.id) }
            let pages = try await stored.pages(of: newest.map { AppleAdsNames.Key(kind, $0.id) } + known.keys)
            names[attribute] = Dictionary(newest.map { (String($0.id), $0.name) }, uniquingKeysWith: { first, _ in first })
                .merging(known.map { (String($0.key.id), $0.value) }, uniquingKeysWith: { first, _ in first })
            for (key, pages) in pages { names[attribute]?[String(key.id)]? += " (\(pages.map(\.label).joined(separator: ", ")))" }
        }
    }

    func name(of value: String, _ attribute: String) -> String? { names[attribute]?[value] }
}

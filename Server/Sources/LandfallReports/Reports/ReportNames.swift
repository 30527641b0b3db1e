// SPDX-License-Identifier: Apache-2.0
package import LandfallServer

/// Names beside the ids of Apple Ads in a report. Rows are counted by ids: a name may change.
extension ReportDocument {
    private static let kinds: [String: AppleAdsKind] = ["campaign": .campaign, "adGroup": .adGroup, "keyword": .keyword]

    /// - Returns: nil if the value is no id, or its name is not known.
    package func name(of value: String?, _ field: String) -> String? { value.flatMap { names?[field]?[$0] } }

    /// The same document with the names of the ids in its keys. Links have campaigns of their own, without ids.
    /// - Throws: the errors of the store.
    package func named(by stored: AppleAdsNames) async throws -> ReportDocument {
        guard report != ReportKind.links.rawValue else { return self }
        let keys = by.flatMap { field -> [AppleAdsNames.Key] in
            guard let kind = Self.kinds[field] else { return [] }
            return rows.compactMap { ($0.key[field] ?? nil).flatMap { Int64($0) } }.map { AppleAdsNames.Key(kind, $0) }
        }
        let found = try await stored.names(of: keys)
        guard !found.isEmpty else { return self }
        var named = self, names: [String: [String: String]] = [:]
        for (field, kind) in Self.kinds where by.contains(field) {
            let ofField = found.filter { $0.key.kind == kind }.map { (String($0.key.id), $0.value) }
            if !ofField.isEmpty { names[field] = Dictionary(ofField, uniquingKeysWith: { first, _ in first }) }
        }
        named.names = names
        return named
    }
}

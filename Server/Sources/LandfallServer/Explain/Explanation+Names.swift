// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Names of the ids of Apple Ads that are compared. The decision is about ids: a name may change.
extension Explanation {
    /// The same explanation with the names that are known.
    /// - Throws: the errors of the store.
    func named(by stored: AppleAdsNames) async throws -> Explanation {
        let compared = audiences.flatMap(\.conditions).flatMap { condition in
            [condition.expected, condition.value].compactMap(\.self).map { (condition.attribute, $0) }
        }
        let arrived = late.flatMap { late in [late.then, late.now].compactMap(\.self).map { (late.attribute, $0) } }
        let keys = (compared + arrived).flatMap { attribute, value -> [AppleAdsNames.Key] in
            guard let kind = AppleAdsKind(attribute: attribute) else { return [] }
            return Self.ids(in: value).map { AppleAdsNames.Key(kind, $0) }
        }
        let found = try await stored.names(of: keys)
        guard !found.isEmpty else { return self }
        let pages = try await stored.pages(of: found.keys)
        var named = self
        named.names = Self.byAttribute(found)
        named.productPages = pages.isEmpty ? nil : Self.byAttribute(pages)
        return named
    }

    private static func byAttribute<Value>(_ values: [AppleAdsNames.Key: Value]) -> [String: [String: Value]] {
        values.reduce(into: [:]) { named, value in named[value.key.kind.attribute, default: [:]][String(value.key.id)] = value.value }
    }

    private static func ids(in value: JSONValue) -> [Int64] {
        switch value {
        case .string(let text): Int64(text).map { [$0] } ?? []
        case .integer(let number): [number]
        case .array(let values): values.flatMap { ids(in: $0) }
        default: []
        }
    }
}

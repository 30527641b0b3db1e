// SPDX-License-Identifier: Apache-2.0
package import LandfallServer

/// A report in the form that all callers get: `GET /v1/reports/…`, `landfall report … --json`.
package struct ReportDocument: Hashable, Sendable, Codable {
    package enum Unit: String, Hashable, Sendable, Codable {
        case count, ratio, milliseconds, milliunits

        /// A server of another version may have further units: their values are read as counts.
        package init(from decoder: any Decoder) throws {
            self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .count
        }
    }

    /// The description of one value.
    package struct Column: Hashable, Sendable, Codable {
        package let name: String
        package let definition: String
        package let unit: Unit
        /// Of a metric: for how many days after the first open, or after the first exposure, something counts. Absent for other columns.
        package let windowDays: Int64?
    }

    package struct Row: Hashable, Sendable, Codable {
        /// The key, by the fields of ``ReportDocument/by``; null if the counted things have no such field.
        package let key: [String: String?]
        /// The values, by the names of the columns; null if a value cannot be known. Counts are whole numbers.
        package let values: [String: Double?]
    }

    package let report: String
    /// The first day, in the form 2026-11-01.
    package let from: String
    /// The last day, included.
    package let to: String
    package let timeZone: String
    /// Unix milliseconds: the report contains everything that the server received before.
    package let completeToMilliseconds: Int64
    package let by: [String]
    package let columns: [Column]
    package let rows: [Row]
    package let totals: [String: Double?]
    /// Names of ids of Apple Ads in the keys, by field and id. Absent if no id has one.
    package var names: [String: [String: String]]?
    /// Custom product pages of ads of the ids in the keys, by field and id. Absent if none leads to one.
    package var productPages: [String: [String: [AppleAdsProductPage]]]?

    package init(
        report: String, from: String, to: String, timeZone: String, completeToMilliseconds: Int64, by: [String], columns: [Column],
        rows: [Row], totals: [String: Double?], names: [String: [String: String]]? = nil
    ) {
        self.report = report
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.completeToMilliseconds = completeToMilliseconds
        self.by = by
        self.columns = columns
        self.rows = rows
        self.totals = totals
        self.names = names
    }
}

/// Names beside the ids of Apple Ads in a report. Rows are counted by ids: a name may change.
extension ReportDocument {
    private static let kinds: [String: AppleAdsKind] = ["campaign": .campaign, "adGroup": .adGroup, "keyword": .keyword]

    /// - Returns: nil if the value is no id, or its name is not known.
    package func name(of value: String?, _ field: String) -> String? { value.flatMap { names?[field]?[$0] } }

    package func productPages(of value: String?, _ field: String) -> [AppleAdsProductPage] {
        value.flatMap { productPages?[field]?[$0] } ?? []
    }

    /// The same document with the names of the ids in its keys. Links have campaigns of their own, without ids.
    /// - Parameter shown: only the ids of these rows get their names; nil for all.
    /// - Throws: the errors of the store.
    package func named(by stored: AppleAdsNames, of shown: ArraySlice<Row>? = nil) async throws -> ReportDocument {
        guard report != ReportKind.links.rawValue else { return self }
        let shown = shown ?? rows[...]
        let keys = by.flatMap { field -> [AppleAdsNames.Key] in
            guard let kind = Self.kinds[field] else { return [] }
            return shown.compactMap { ($0.key[field] ?? nil).flatMap { Int64($0) } }.map { AppleAdsNames.Key(kind, $0) }
        }
        let found = try await stored.names(of: keys)
        guard !found.isEmpty else { return self }
        var named = self
        named.names = byField(found)
        let pages = try await stored.pages(of: found.keys)
        named.productPages = pages.isEmpty ? nil : byField(pages)
        return named
    }

    private func byField<Value>(_ values: [AppleAdsNames.Key: Value]) -> [String: [String: Value]] {
        var named: [String: [String: Value]] = [:]
        for (field, kind) in Self.kinds where by.contains(field) {
            let ofField = values.filter { $0.key.kind == kind }.map { (String($0.key.id), $0.value) }
            if !ofField.isEmpty { named[field] = Dictionary(ofField, uniquingKeysWith: { first, _ in first }) }
        }
        return named
    }
}

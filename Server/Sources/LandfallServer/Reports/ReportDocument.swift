// SPDX-License-Identifier: Apache-2.0

/// A report in the form that all callers get: `GET /v1/reports/…`, `landfall report … --json`.
public struct ReportDocument: Hashable, Sendable, Codable {
    /// The description of one value.
    public struct Column: Hashable, Sendable, Codable {
        public let name: String
        public let definition: String
        /// `count`, `ratio`, `milliseconds` or `milliunits`.
        public let unit: String
        /// Of a metric: for how many days after the first open, or after the first exposure, something counts. Absent for other columns.
        public let windowDays: Int64?
    }

    public struct Row: Hashable, Sendable, Codable {
        /// The key, by the fields of ``ReportDocument/by``; null if the counted things have no such field.
        public let key: [String: String?]
        /// The values, by the names of the columns; null if a value cannot be known. Counts are whole numbers.
        public let values: [String: Double?]
    }

    public let report: String
    /// The first day, in the form 2026-11-01.
    public let from: String
    /// The last day, included.
    public let to: String
    public let timeZone: String
    /// Unix milliseconds: the report contains everything that the server received before.
    public let completeToMilliseconds: Int64
    public let by: [String]
    public let columns: [Column]
    public let rows: [Row]
    public let totals: [String: Double?]
}

// SPDX-License-Identifier: Apache-2.0

/// A report as everybody gets it: `GET /v1/reports/…`, `landfall report … --json`.
public struct ReportDocument: Hashable, Sendable, Codable {
    /// What one of the values is.
    public struct Column: Hashable, Sendable, Codable {
        public let name: String
        public let definition: String
        /// `count`, `ratio` or `milliunits`.
        public let unit: String
    }

    public struct Row: Hashable, Sendable, Codable {
        /// By the fields of ``ReportDocument/by``; null where what is counted has none.
        public let key: [String: String?]
        /// By the names of the columns; null where it cannot be known. Counts are whole numbers.
        public let values: [String: Double?]
    }

    public let report: String
    /// The first day, as 2026-11-01.
    public let from: String
    /// The last day, itself included.
    public let to: String
    public let timeZone: String
    /// Unix milliseconds: what the server received before is all in here.
    public let completeToMilliseconds: Int64
    public let by: [String]
    public let columns: [Column]
    public let rows: [Row]
    public let totals: [String: Double?]
}

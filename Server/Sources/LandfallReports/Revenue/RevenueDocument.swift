// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Revenue in the form that all callers get: `GET /v1/reports/revenue`, `landfall revenue … --json`.
package struct RevenueDocument: Hashable, Sendable, Codable {
    /// The words of keys that have no name of their own.
    package static let unknown = ChainOrigin.unknown
    /// Of a purchase that is older than the first open of the install that brought it.
    package static let before = ChainOrigin.before

    package struct Row: Hashable, Sendable {
        /// By the names of ``RevenueDocument/by``.
        package let key: [String: String]
        package internal(set) var values: RevenueValues

        package init(key: [String: String], values: RevenueValues) { (self.key, self.values) = (key, values) }
    }

    /// Money that no rate converts. It is in no row.
    package struct Unconverted: Hashable, Sendable, Codable {
        package let currency: String
        /// Nil for readers who may not see what few people paid, as are the refunds.
        package let grossMilliunits: Int64?
        package let refundsMilliunits: Int64?

        package init(currency: String, grossMilliunits: Int64?, refundsMilliunits: Int64?) {
            (self.currency, self.grossMilliunits, self.refundsMilliunits) = (currency, grossMilliunits, refundsMilliunits)
        }
    }

    /// What a report found that computed everything again from what Apple signed.
    package struct Verified: Hashable, Sendable, Codable {
        package let originals: Int64
        /// What is stored otherwise than the originals say, one sentence each; at most 100.
        package let differences: [String]

        package init(originals: Int64, differences: [String]) { (self.originals, self.differences) = (originals, differences) }
    }

    /// The configured one, or the only one in which something was paid. Nil: several currencies, and none is configured; then nothing
    /// is converted.
    package let currency: String?
    package let by: [String]
    package let view: RevenueView
    /// The first day, in the form 2026-11-01.
    package let from: String
    /// The last day, included.
    package let to: String
    /// Always UTC.
    package let timeZone: String
    package internal(set) var rows: [Row]
    package internal(set) var totals: RevenueValues
    package internal(set) var unconverted: [Unconverted]
    /// What of the totals comes from people who were erased since.
    package internal(set) var erased: RevenueValues
    package let verified: Verified?

    package init(
        currency: String?, by: [String], view: RevenueView, from: String, to: String, timeZone: String = "UTC", rows: [Row],
        totals: RevenueValues, unconverted: [Unconverted], erased: RevenueValues, verified: Verified?
    ) {
        self.currency = currency
        self.by = by
        self.view = view
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.rows = rows
        self.totals = totals
        self.unconverted = unconverted
        self.erased = erased
        self.verified = verified
    }
}

extension RevenueDocument {
    /// A currency that is not known is null; what was not asked for is missing.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(currency, forKey: .currency)
        try container.encode(by, forKey: .by)
        try container.encode(view, forKey: .view)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encode(timeZone, forKey: .timeZone)
        try container.encode(rows, forKey: .rows)
        try container.encode(totals, forKey: .totals)
        try container.encode(unconverted, forKey: .unconverted)
        try container.encode(erased, forKey: .erased)
        try container.encodeIfPresent(verified, forKey: .verified)
    }
}

/// The values of one row, by their columns. A value that cannot be known is missing here, and null in JSON.
package struct RevenueValues: Hashable, Sendable {
    /// Counts and milliunits.
    package var numbers: [RevenueColumn: Int64]
    package var ratios: [RevenueColumn: Double]
    /// The columns of the view, in its order.
    package let columns: [RevenueColumn]
    /// Some of those whose money this is, numbered for one report alone: up to ``RevenueDocument/leastPayers`` and a few, so that few can
    /// be told from enough. Nil: nobody asked. It is not written.
    package internal(set) var payers: Set<Int>?

    package init(_ columns: [RevenueColumn], numbers: [RevenueColumn: Int64] = [:], ratios: [RevenueColumn: Double] = [:]) {
        (self.columns, self.numbers, self.ratios) = (columns, numbers, ratios)
    }
}

extension RevenueValues: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ColumnKey.self)
        self.init(RevenueColumn.allCases.filter { container.contains(ColumnKey($0.rawValue)) })
        try read(container)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        try write(to: &container)
    }

    fileprivate mutating func read(_ container: KeyedDecodingContainer<ColumnKey>) throws {
        for column in columns {
            let key = ColumnKey(column.rawValue)
            if column.unit == .ratio {
                ratios[column] = try container.decodeIfPresent(Double.self, forKey: key)
            } else {
                numbers[column] = try container.decodeIfPresent(Int64.self, forKey: key)
            }
        }
    }

    fileprivate func write(to container: inout KeyedEncodingContainer<ColumnKey>) throws {
        for column in columns {
            let key = ColumnKey(column.rawValue)
            if column.unit == .ratio {
                try container.encode(ratios[column], forKey: key)
            } else {
                try container.encode(numbers[column], forKey: key)
            }
        }
    }
}

extension RevenueDocument.Row: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ColumnKey.self)
        key = try container.decode([String: String].self, forKey: ColumnKey("key"))
        values = try RevenueValues(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnKey.self)
        try container.encode(key, forKey: ColumnKey("key"))
        try values.write(to: &container)
    }
}

private struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

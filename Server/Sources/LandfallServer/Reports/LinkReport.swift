// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// How often links were followed: clicks by day, link, campaign or platform.
struct LinkReport: Sendable {
    static let name = "links"
    /// More are no help to a reader, and no memory to the node.
    static let mostRows = 10_000

    /// What rows may be told apart by.
    enum Field: String, CaseIterable, Sendable {
        case day, host, path, campaign, adGroup, creative, channel, platform, country
    }

    /// What is counted. In this order everywhere.
    enum Figure: String, CaseIterable, Sendable {
        case clicks, uniqueClicks, expiredClicks, machineRequests, appOpens, unprovenAppOpens

        var definition: String {
            switch self {
            case .clicks: "Stored clicks of people in browsers, on links that led somewhere."
            case .uniqueClicks: "The same, each visitor of one link on one day once."
            case .expiredClicks: "Stored clicks of people in browsers, on links that were over."
            case .machineRequests: "Stored requests of bots, previews, prefetches and HEAD."
            case .appOpens: "Links that reached the app, told by installs that proved who they are, on the day when they told it."
            case .unprovenAppOpens: "The same, told with the SDK key alone."
            }
        }
    }

    /// As bytes: what identifies is compared as the databases do.
    typealias Key = [[UInt8]?]

    let days: ReportDays
    /// In the order of the question, each once.
    let by: [Field]

    /// - Parameter by: names of fields with commas between; nil is host and path, empty is one row of all.
    /// - Throws: `invalid_value`.
    init(days: ReportDays, by text: String?) throws(RequestError) {
        self.days = days
        guard let text else {
            by = [.host, .path]
            return
        }
        var fields: [Field] = []
        for name in text.split(separator: ",") {
            guard let field = Field(rawValue: String(name)), !fields.contains(field) else {
                let known = Field.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("by", "fields of \(known), each once, with commas between.")
            }
            fields.append(field)
        }
        by = fields
    }

    /// - Parameters:
    ///   - counts: by key, in the order of ``by``; the figures in their order.
    ///   - keptFromMs: clicks before this may be deleted.
    func document(_ counts: [Key: [Int64]], keptFromMs: Int64, nowMs: Int64) -> ReportDocument {
        let rows = counts.sorted { precedes($0, $1) }
        var totals = Figure.allCases.map { _ in Int64(0) }
        for row in rows { for index in totals.indices { totals[index] += row.value[index] } }
        // Clicks of the earliest days may be deleted already: then the totals are not known.
        let isWhole = days.days.lowerBound * ReportDays.dayMs >= keptFromMs
        return ReportDocument(
            report: Self.name, from: days.from, to: days.to, timeZone: "UTC",
            completeToMilliseconds: min(nowMs, days.endMs), by: by.map(\.rawValue),
            columns: Figure.allCases.map { .init(name: $0.rawValue, definition: $0.definition, unit: "count") },
            rows: rows.map { key, values in
                let texts = key.map { $0.map { String(decoding: $0, as: UTF8.self) } }
                return .init(
                    key: Dictionary(zip(by.map(\.rawValue), texts)) { first, _ in first },
                    values: Self.named(values, isKnown: true))
            },
            totals: Self.named(totals, isKnown: isWhole)
        )
    }

    private static func named(_ values: [Int64], isKnown: Bool) -> [String: Int64?] {
        Dictionary(zip(Figure.allCases.map(\.rawValue), values.map { isKnown ? $0 : nil })) { first, _ in first }
    }

    /// Days in their order, then what was followed most, then by name.
    private func precedes(_ one: (key: Key, value: [Int64]), _ other: (key: Key, value: [Int64])) -> Bool {
        if let day = by.firstIndex(of: .day), let first = one.key[day], let second = other.key[day], first != second {
            return first.lexicographicallyPrecedes(second)
        }
        if one.value != other.value { return other.value.lexicographicallyPrecedes(one.value) }
        let pair = zip(one.key, other.key).first { $0 != $1 }
        return pair.map { ($0 ?? []).lexicographicallyPrecedes($1 ?? []) } ?? false
    }
}

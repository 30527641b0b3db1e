// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer

/// What the rows of another report have earned: the net of purchases on the same days, by everybody whom these rows brought or sold to.
struct RowNets: Hashable, Sendable {
    let currency: String
    /// Of everything, also of what is in no row.
    let total: Int64?
    private let nets: [[String: String]: Int64]
    private let dimensions: [RevenueDimension]

    /// Nil if nothing was paid on these days, or if revenue has no such rows.
    init?(_ document: RevenueDocument, _ dimensions: [RevenueDimension]) {
        guard let currency = document.currency, document.totals.numbers[.purchases] ?? 0 > 0 || document.totals.numbers[.refunds] ?? 0 > 0 else {
            return nil
        }
        self.currency = currency
        self.dimensions = dimensions
        total = document.totals.numbers[.netMilliunits]
        nets = Dictionary(document.rows.compactMap { row in row.values.numbers[.netMilliunits].map { (row.key, $0) } }) { first, _ in first }
    }

    /// Nil where it is not known: also where revenue has no such row, since few payers may be left out or be in another one.
    func net(of key: [String: String?]) -> Int64? {
        var names: [String: String] = [:]
        for dimension in dimensions {
            let name = dimension.rawValue
            names[name] = (dimension == .link && key["host"] != nil ? Self.address(key) : key[name] ?? nil) ?? RevenueDocument.unknown
        }
        return nets[names]
    }

    private static func address(_ key: [String: String?]) -> String? {
        guard let host = key["host"] ?? nil, let path = key["path"] ?? nil else { return nil }
        return host + path
    }
}

extension ReportName {
    /// By what revenue has the rows of this report; nil if it does not have them.
    func revenueDimensions(_ fields: [String]) -> [RevenueDimension]? {
        switch self {
        case .links where fields == ["host", "path"]: return [.link]
        case .campaigns, .links, .paywalls:
            // Its countries are those of the App Store.
            let dimensions = fields.compactMap { RevenueDimension(rawValue: $0) }
            let isShared = dimensions.count == fields.count && !dimensions.contains { [.day, .country].contains($0) }
            return isShared && !fields.isEmpty ? dimensions : nil
        case .funnel, .retention: return nil
        }
    }
}

extension FilteredReport {
    /// The nets of the report's rows; nil if nothing was paid, or if revenue has no such rows. Its days are those of UTC.
    func nets(_ days: ReportDays) async throws -> RowNets? {
        guard query.filters.isEmpty, let dimensions = query.report.revenueDimensions(query.fields) else { return nil }
        let utc = try ReportDays(days.days.lowerBound, days.days.upperBound, in: .utc)
        let request = RevenueRequest(.purchase, by: dimensions, utc)
        return try await reports.revenueBeside(request, snapshot, at: moment, isMerging: isMerging).flatMap { RowNets($0, dimensions) }
    }
}

extension Reports {
    /// Revenue for a page that is about something else: the page comes without it if it has too many rows, and while other reports read
    /// rows. It waits for none of them.
    func revenueBeside(_ request: RevenueRequest, _ snapshot: Snapshot, at moment: Moment, isMerging: Bool) async throws -> RevenueDocument? {
        var request = request
        request.countsPayers = isMerging
        do {
            let document = try await answer(request, snapshot, at: moment, within: .zero)
            return isMerging ? document.forEverybody() ?? document : document
        } catch is LimitReached {
            return nil
        } catch is RevenueError {
            return nil
        }
    }
}

extension Words {
    var net: String { translate("Net revenue") }
    var netOfDays: String { translate("What was paid on these days (in UTC), without refunds.") }
    var netOfRow: String {
        translate("What was paid on these days (in UTC), without refunds, by everybody whom the row has ever brought or sold to. The report of revenue has more; the files here do not have it.")
    }
}

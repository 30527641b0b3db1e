// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallWire

/// What Apple Ads cost on the days of cohorts, in the currency of the figures.
struct CohortSpend: Sendable {
    private struct Place: Hashable {
        let day: Int64
        let id: Int64
    }

    /// What Apple Ads has numbers for. An ad group is of one campaign, and a keyword of one ad group: the finest one tells rows apart.
    private static let named: [(dimension: RevenueDimension, kind: AppleAdsKind)] = [
        (.keyword, .keyword), (.adGroup, .adGroup), (.campaign, .campaign),
    ]

    /// Days that Apple was asked about; nil if none was, or the figures have no currency.
    private let known: ClosedRange<Int64>?
    /// Of all campaigns, by day. Wider than any amount, as in ``RevenueSums``.
    private var totals: [Int64: Int128] = [:]
    private var sums: [Place: Int128] = [:]
    /// Days with money that no rate converts.
    private var unconverted: Set<Int64> = []

    /// - Parameter currency: of the figures.
    init(_ spend: AppleAdsSpend, _ request: RevenueRequest, _ rules: MoneyRules, currency: String?) async throws {
        known = currency == nil ? nil : try await spend.days().map { Int64($0.lowerBound)...Int64($0.upperBound) }
        guard known != nil else { return }
        let days = Int(request.days.days.lowerBound)...Int(request.days.days.upperBound), pricing = Pricing(rules, currency: currency)
        for row in try await spend.rows(.campaign, on: days) {
            if let amount = pricing.amount(of: row) { totals[Int64(row.day), default: 0] += amount } else { unconverted.insert(Int64(row.day)) }
        }
        guard let (_, kind) = Self.named.first(where: { request.by.contains($0.dimension) }) else { return }
        for row in try await spend.rows(kind, on: days) {
            if let amount = pricing.amount(of: row) { sums[Place(day: Int64(row.day), id: row.id), default: 0] += amount }
        }
    }

    /// - Parameter key: of the row, without the day; empty for the totals.
    /// - Returns: nil where it cannot be known: for other sources, for what Apple Ads does not name, and for days that were not read.
    func milliunits(_ days: ClosedRange<Int64>, _ key: [RevenueDimension: [UInt8]?]) -> Int64? {
        guard let known, known.contains(days.lowerBound), known.contains(days.upperBound), unconverted.isDisjoint(with: days) else { return nil }
        if let source = key[.source], source != Array(AttributionSource.appleAds.rawValue.utf8) { return nil }
        guard key.keys.allSatisfy({ dimension in dimension == .source || Self.named.contains { $0.dimension == dimension } }) else { return nil }
        guard let (dimension, _) = Self.named.first(where: { key[$0.dimension] != nil }) else {
            return Int64(exactly: days.reduce(0 as Int128) { $0 + (totals[$1] ?? 0) })
        }
        guard let text = key[dimension] ?? nil, let id = Int64(String(decoding: text, as: UTF8.self)) else { return nil }
        return Int64(exactly: days.reduce(0 as Int128) { $0 + (sums[Place(day: $1, id: id)] ?? 0) })
    }
}

extension Pricing {
    /// Nil if there is no rate for that day.
    fileprivate func amount(of row: AppleAdsSpend.Row) -> Int128? {
        let whole = Charge.Fraction(numerator: 1, denominator: 1)
        let price = price(
            Terms(
                kind: .purchase, currency: row.currency, milliunits: row.milliunits, part: whole, upgradeCredit: nil, storefront: nil,
                purchaseDay: row.day, isAfterYear: false))
        return price.map { Int128($0.gross) }
    }
}

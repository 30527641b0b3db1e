// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallWire

/// What Apple Ads cost on the days of a report, in the currency of the figures, and the installs that Apple counts for it.
struct AdSpend: Sendable {
    /// What Apple Ads cost or brought for a row: on these days, of what the key names besides the day. Nil where it cannot be known.
    typealias OfRow = (_ days: ClosedRange<Int64>, _ key: [RevenueDimension: [UInt8]?]) -> Int64?

    /// Wider than any amount, as in ``RevenueSums``.
    private struct Cost {
        var milliunits: Int128 = 0
        var installs: Int128 = 0

        mutating func add(_ amount: Int128?, _ row: AppleAdsSpend.Row) {
            milliunits += amount ?? 0
            installs += Int128(row.installs)
        }
    }

    /// What a row is about.
    private enum Cut { case all, id(AppleAdsKind, Int64) }

    private struct Place: Hashable {
        let day: Int64
        let kind: AppleAdsKind
        let id: Int64
    }

    /// What Apple Ads has numbers for. An ad group is of one campaign, and a keyword of one ad group: the finest one tells rows apart.
    private static let named: [(dimension: RevenueDimension, kind: AppleAdsKind)] = [
        (.keyword, .keyword), (.adGroup, .adGroup), (.campaign, .campaign),
    ]

    /// Days that Apple was asked about; nil if none was, or the figures have no currency.
    private let known: ClosedRange<Int64>?
    /// Of all campaigns, by day.
    private var totals: [Int64: Cost] = [:]
    private var sums: [Place: Cost] = [:]
    /// Days with money that no rate converts.
    private var unconverted: Set<Int64> = []

    /// - Parameter currency: of the figures.
    init(_ spend: AppleAdsSpend, _ request: RevenueRequest, _ rules: MoneyRules, currency: String?) async throws {
        known = currency == nil ? nil : try await spend.days().map { Int64($0.lowerBound)...Int64($0.upperBound) }
        guard known != nil else { return }
        let days = Int(request.days.days.lowerBound)...Int(request.days.days.upperBound), pricing = Pricing(rules, currency: currency)
        for row in try await spend.rows(.campaign, on: days) {
            let amount = pricing.amount(of: row)
            totals[Int64(row.day), default: Cost()].add(amount, row)
            if amount == nil { unconverted.insert(Int64(row.day)) }
        }
        // That of rows, and that of the totals.
        let finest = [request.read, Array(request.filters.keys)].compactMap { read in Self.named.first { read.contains($0.dimension) }?.kind }
        for kind in Set(finest) {
            for row in try await spend.rows(kind, on: days) {
                sums[Place(day: Int64(row.day), kind: kind, id: row.id), default: Cost()].add(pricing.amount(of: row), row)
            }
        }
    }

    /// - Parameter key: of the row, without the day; empty for the totals.
    /// - Returns: nil where it cannot be known: for other sources, for what Apple Ads does not name, and for days that were not read.
    func milliunits(_ days: ClosedRange<Int64>, _ key: [RevenueDimension: [UInt8]?]) -> Int64? {
        guard unconverted.isDisjoint(with: days), let cut = cut(days, key) else { return nil }
        return Int64(exactly: costs(days, cut).reduce(0 as Int128) { $0 + $1.milliunits })
    }

    /// Apple's count for a row of Apple Ads.
    /// - Parameter key: as in ``milliunits(_:_:)``; without one a row has the installs of all sources.
    func installs(_ days: ClosedRange<Int64>, _ key: [RevenueDimension: [UInt8]?]) -> Int64? {
        guard !key.isEmpty, let cut = cut(days, key) else { return nil }
        return Int64(exactly: costs(days, cut).reduce(0 as Int128) { $0 + $1.installs })
    }

    private func costs(_ days: ClosedRange<Int64>, _ cut: Cut) -> [Cost] {
        days.compactMap { day in
            switch cut {
            case .all: totals[day]
            case .id(let kind, let id): sums[Place(day: day, kind: kind, id: id)]
            }
        }
    }

    /// Nil where Apple Ads has no numbers.
    private func cut(_ days: ClosedRange<Int64>, _ key: [RevenueDimension: [UInt8]?]) -> Cut? {
        guard let known, known.contains(days.lowerBound), known.contains(days.upperBound) else { return nil }
        if let source = key[.source], source != Array(AttributionSource.appleAds.rawValue.utf8) { return nil }
        guard key.keys.allSatisfy({ dimension in dimension == .source || Self.named.contains { $0.dimension == dimension } }) else { return nil }
        guard let (dimension, kind) = Self.named.first(where: { key[$0.dimension] != nil }) else { return .all }
        guard let text = key[dimension] ?? nil, let id = Int64(String(decoding: text, as: UTF8.self)) else { return nil }
        return .id(kind, id)
    }
}

extension RevenueValues {
    /// - Parameters:
    ///   - spent: nil where it cannot be known.
    ///   - proceeds: nil for amounts of several currencies, which are no sum.
    mutating func compare(_ proceeds: Int128?, with spent: Int64?) {
        guard let spent else { return }
        numbers[.spendMilliunits] = spent
        if spent > 0, let proceeds { ratios[.roas] = Double(proceeds) / Double(spent) }
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

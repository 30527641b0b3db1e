// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules

/// Groups charges and adds them up, by the rates, taxes and commissions of now: no sum is stored.
struct RevenueReport {
    /// More groups would take too much of the node's memory.
    static let mostGroups = 200_000
    /// Different terms whose prices are remembered.
    private static let mostPrices = 100_000

    private typealias Groups = [ReportSheet.Key: RevenueSums]

    private let request: RevenueRequest
    private let filter: RevenueFilter
    private let rules: MoneyRules
    private let mostGroups: Int
    private let mostRows: Int
    private let pricing: Pricing
    /// Of each currency that was paid in: prices that are not converted.
    private var ownPricings: [String: Pricing] = [:]
    /// Equal terms are priced once.
    private var prices: [Pricing.Terms: Priced] = [:]
    /// By the currency of the amounts.
    private var groups: [String: Groups] = [:]
    private var trials: Groups = [:]
    private var groupCount = 0
    private var erased: [String: RevenueSums] = [:]
    private var erasedTrials = RevenueSums()

    private struct Priced {
        let price: Pricing.Price
        /// The one of the figures, or the charge's own if no rate converts it.
        let currency: String
    }

    init(_ request: RevenueRequest, _ rules: MoneyRules, mostGroups: Int = Self.mostGroups, mostRows: Int = ReportSheet.mostRows) {
        (self.request, self.rules, self.mostGroups, self.mostRows) = (request, rules, mostGroups, mostRows)
        filter = RevenueFilter(request.filters)
        pricing = Pricing(rules)
    }

    /// - Throws: ``RevenueError/tooManyGroups``.
    mutating func add(_ charge: RevenueCharge) throws(RevenueError) {
        guard filter.has(charge) else { return }
        let key: ReportSheet.Key = request.by.map { charge[$0] }
        if charge.terms.kind == .trial {
            let sums = RevenueSums(charge, nil)
            groupCount += Self.add(sums, key, to: &trials)
            if charge.isErased { erasedTrials += sums }
        } else if let priced = priced(charge.terms) {
            let sums = RevenueSums(charge, priced.price)
            groupCount += Self.add(sums, key, to: &groups[priced.currency, default: [:]])
            if charge.isErased { erased[priced.currency, default: RevenueSums()] += sums }
        }
        guard groupCount <= mostGroups else { throw .tooManyGroups }
    }

    /// - Returns: how many groups are new.
    private static func add(_ sums: RevenueSums, _ key: ReportSheet.Key, to groups: inout Groups) -> Int {
        let count = groups.count
        groups[key, default: RevenueSums()] += sums
        return groups.count - count
    }

    mutating func add(_ charges: RevenueCharges) throws(RevenueError) {
        switch charges {
        case .one(let charge): try add(charge)
        case .day(let day): try add(day)
        }
    }

    /// Equal charges are priced once, and the groups of a day are looked for once.
    private mutating func add(_ day: ChargeDay) throws(RevenueError) {
        /// What of a charge but its origin tells groups apart.
        struct Side: Hashable { var product, country, currency, amount: String? }
        let isBy = (product: request.by.contains(.product), country: request.by.contains(.country), currency: request.by.contains(.currency))
        var sides: [Side: Int] = [:], samples: [(charge: RevenueCharge, currency: String?)] = []
        var places: [Int: Int] = [:], sums: [(side: Int, origin: Int, sums: RevenueSums)] = []
        let isWanted = day.origins.map { filter.has($0) }
        for lot in day.lots {
            var charge = RevenueCharge(lot.kind, on: day.day)
            guard filter.hasPaid(charge) else { continue }
            let terms = lot.kind.terms, isTrial = terms.kind == .trial
            let priced = isTrial ? nil : priced(terms)
            guard isTrial || priced != nil else { continue }
            let side = Side(
                product: isBy.product ? charge.product : nil, country: isBy.country ? terms.storefront : nil,
                currency: isBy.currency ? terms.currency : nil, amount: priced?.currency)
            let known = sides[side] ?? samples.count
            if known == samples.count {
                sides[side] = known
                samples.append((charge, priced?.currency))
            }
            for cell in day.cells[lot.cells] where isWanted[cell.origin] {
                let key = known * day.origins.count + cell.origin, place = places[key] ?? sums.count
                if place == sums.count {
                    places[key] = place
                    sums.append((known, cell.origin, RevenueSums()))
                }
                charge.count = cell.count
                sums[place].sums += RevenueSums(charge, priced?.price)
            }
        }
        for (side, origin, sums) in sums {
            var charge = samples[side].charge
            charge.origin = day.origins[origin]
            let key: ReportSheet.Key = request.by.map { charge[$0] }
            if let currency = samples[side].currency {
                groupCount += Self.add(sums, key, to: &groups[currency, default: [:]])
            } else {
                groupCount += Self.add(sums, key, to: &trials)
            }
        }
        guard groupCount <= mostGroups else { throw .tooManyGroups }
    }

    /// Nil for no charge that the App Store signed: its own currency prices it.
    private mutating func priced(_ terms: Pricing.Terms) -> Priced? {
        var terms = terms
        terms.purchaseDay = pricing.firstDay(with: terms.purchaseDay)
        if let known = prices[terms] { return known }
        let priced: Priced?
        if let currency = rules.currency, let price = pricing.price(terms) {
            priced = Priced(price: price, currency: currency)
        } else {
            priced = ownPricing(terms.currency).price(terms).map { Priced(price: $0, currency: terms.currency) }
        }
        if prices.count >= Self.mostPrices { prices.removeAll() }
        prices[terms] = priced
        return priced
    }

    private mutating func ownPricing(_ currency: String) -> Pricing {
        if let known = ownPricings[currency] { return known }
        var own = rules
        (own.currency, own.rates) = (nil, [])
        let pricing = Pricing(own, currency: currency)
        ownPricings[currency] = pricing
        return pricing
    }

    /// Of the amounts: the configured one, or the only one that was paid in.
    var currency: String? { rules.currency ?? (groups.count == 1 ? groups.keys.first : nil) }

    func document(verified: RevenueDocument.Verified? = nil, spend: AdSpend.OfRow = { _, _ in nil }) -> RevenueDocument {
        let currency = currency
        var rows = trials, erased = erasedTrials
        if let currency {
            rows.merge(groups[currency] ?? [:]) { one, other in Self.sum([one, other]) }
            erased += self.erased[currency] ?? RevenueSums()
        }
        let unconverted = groups.filter { $0.key != currency }.map { code, groups in
            let sums = Self.sum(groups.values)
            return RevenueDocument.Unconverted(
                currency: code, grossMilliunits: Int64(clamping: sums.gross), refundsMilliunits: Int64(clamping: sums.refunds))
        }
        let by = request.by.map(\.rawValue)
        return RevenueDocument(
            currency: currency, by: by, view: request.view, from: request.days.from, to: request.days.to,
            rows: capped(rows).sorted { precedes($0, $1) }.map { key, sums in
                let texts = key.map { String(decoding: $0 ?? [], as: UTF8.self) }
                return .init(key: Dictionary(uniqueKeysWithValues: zip(by, texts)), values: values(sums, of: key, spend))
            },
            totals: values(Self.sum(rows.values), of: nil, spend), unconverted: unconverted.sorted { $0.currency < $1.currency }, erased: erased.values,
            verified: verified)
    }

    /// - Parameter key: nil for the totals.
    private func values(_ sums: RevenueSums, of key: ReportSheet.Key?, _ spend: AdSpend.OfRow) -> RevenueValues {
        var values = sums.values, names = request.names(request.by, key ?? [])
        let day = names.removeValue(forKey: .day).map { ReportDays.day(String(decoding: $0 ?? [], as: UTF8.self)) }
        values.compare(sums.proceeds, with: spend((day ?? nil).map { $0...$0 } ?? request.days.days, names))
        return values
    }

    private static func sum(_ sums: some Sequence<RevenueSums>) -> RevenueSums { sums.reduce(into: RevenueSums()) { $0 += $1 } }

    private var day: Int? { request.by.firstIndex(of: .day) }

    /// The largest rows. The others are one row that is called ``DayCells/other``; one for each day if rows have days.
    private func capped(_ rows: Groups) -> Groups {
        guard rows.count > mostRows else { return rows }
        let kept = max(0, mostRows - (day == nil ? 1 : Int(ReportDays.most)))
        let ranked = rows.sorted { Self.isLarger($0, $1) }
        let other = Array(DayCells.other.utf8)
        return ranked.dropFirst(kept).reduce(into: Groups(uniqueKeysWithValues: ranked.prefix(kept).map { ($0.key, $0.value) })) { capped, row in
            capped[row.key.indices.map { $0 == day ? row.key[$0] : other }, default: RevenueSums()] += row.value
        }
    }

    /// Days in their order, then the largest net first, then by name.
    private func precedes(_ one: (key: ReportSheet.Key, value: RevenueSums), _ other: (key: ReportSheet.Key, value: RevenueSums)) -> Bool {
        if let day, let first = one.key[day], let second = other.key[day], first != second { return first.lexicographicallyPrecedes(second) }
        return Self.isLarger(one, other)
    }

    private static func isLarger(
        _ one: (key: ReportSheet.Key, value: RevenueSums), _ other: (key: ReportSheet.Key, value: RevenueSums)
    ) -> Bool {
        one.value.net == other.value.net ? ReportSheet.precedes(one.key, other.key) : one.value.net > other.value.net
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallResults
import LandfallRules
import LandfallServer

/// What one unit bought after its first exposure, as metrics count it.
struct UnitPurchases: Sendable {
    /// A purchase, or money that came back for one.
    struct Charge: Sendable {
        let transaction: String
        let isPurchase: Bool
        let product: String
        let purchasedAtMs: Int64
        let currency: String
        let milliunits: Int64
        let part: LandfallPurchases.Charge.Fraction
        let quantity: Int64
    }

    let unit: InstallKey
    let epoch: Int64
    let variation: String
    let exposedAtMs: Int64
    /// By chain and transaction: a purchase with all that came back for it, in any order.
    private var charges: [[String]: [Charge]] = [:]

    init(unit: InstallKey, epoch: Int64, variation: String, exposedAtMs: Int64) {
        (self.unit, self.epoch, self.variation, self.exposedAtMs) = (unit, epoch, variation, exposedAtMs)
    }

    mutating func add(_ charge: Charge, of chain: String) { charges[[chain, charge.transaction], default: []].append(charge) }

    private func counts(_ charge: Charge, _ windowMs: Int64) -> Bool {
        CountedExperiment.counts(charge.purchasedAtMs, since: exposedAtMs, windowMs: windowMs)
    }

    /// When it first paid for one of these products within the window. A purchase stays one when its money came back.
    func firstAtMs(_ purchases: Metric.Purchases, windowMs: Int64) -> Int64? {
        charges.values.joined().filter { $0.isPurchase && purchases.covers($0.product) && counts($0, windowMs) }.map(\.purchasedAtMs).min()
    }

    struct Paid: Sendable {
        /// What the unit had paid in all before and after each day on which that grew; in order.
        var steps: [(day: Int64, step: Payments.Step)] = []
        /// Of one piece, in milliunits; 0 if nothing was bought.
        var highestPrice: Int64 = 0
        /// Of purchases whose currency has no rate.
        var unconverted: Set<String> = []

        /// In milliunits.
        var milliunits: Int64 { steps.last?.step.after ?? 0 }
    }

    /// What it paid within the window, less all that has come back for it until now.
    func paid(windowMs: Int64, _ pricing: Pricing) -> Paid {
        var paid = Paid(), net: [Int64: Int64] = [:]
        for charges in charges.values {
            guard let purchase = charges.first(where: \.isPurchase), counts(purchase, windowMs) else { continue }
            let prices = charges.map { pricing.price(.init($0)) }
            guard prices.allSatisfy({ $0 != nil }) else {
                paid.unconverted.insert(purchase.currency)
                continue
            }
            var left: Int64 = 0
            for case let price? in prices {
                left = min(left + min(price.gross, Payments.most), Payments.most)
                // A price may leave milliunits behind when its parts are rounded up.
                if purchase.quantity > 0 { paid.highestPrice = max(paid.highestPrice, min(price.gross / purchase.quantity, Payments.most)) }
            }
            for case let price? in prices { left = max(0, left - min(price.refunds, Payments.most)) }
            let day = CountedExperiment.day(purchase.purchasedAtMs)
            net[day] = min(net[day, default: 0] + left, Payments.most)
        }
        var sum: Int64 = 0
        for (day, more) in net.sorted(by: { $0.key < $1.key }) where more > 0 && sum < Payments.most {
            let after = min(sum + more, Payments.most)
            paid.steps.append((day, Payments.Step(from: sum, to: after)))
            sum = after
        }
        return paid
    }
}

extension Pricing.Terms {
    /// Without what says how much of a price the developer gets.
    fileprivate init(_ charge: UnitPurchases.Charge) {
        self.init(
            kind: charge.isPurchase ? .purchase : .refund, currency: charge.currency, milliunits: charge.milliunits, part: charge.part,
            upgradeCredit: nil, storefront: nil, purchaseDay: Int(ReportZone.utc.day(ofMs: charge.purchasedAtMs)), isAfterYear: false)
    }
}

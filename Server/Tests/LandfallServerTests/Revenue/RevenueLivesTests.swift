// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallSimulator
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Revenue of whole lives", .timeLimit(.minutes(3)))
struct RevenueLivesTests {
    @Test(
        "has the same sums by days, sources, countries, products and all others, to the milliunit, also after moves, refunds, other rates and erasure",
        arguments: [1, 2, 3, 4] as [UInt64])
    func sums(seed: UInt64) async throws {
        try await RevenueLives.run(seed: seed) { lives in
            let bought = try await lives.sums("bought")
            try await lives.move()
            let moved = try await lives.sums("moved")
            let back = try await lives.refund()
            let refunded = try await lives.sums("refunded")
            lives.changeRates()
            let changed = try await lives.sums("changed")
            let proven = try await lives.report(.purchase, by: [.source], isVerified: true)
            let cuts = try await lives.cuts()
            for number in RevenueLives.people { _ = try await lives.server.send(.delete, WirePath.profile, phone: Phone(number)) }
            let erased = try await lives.sums("erased")

            #expect(bought.numbers[.grossMilliunits] ?? 0 > 0, "seed \(seed)")
            #expect(moved == bought, "seed \(seed)")
            #expect(refunded.numbers[.grossMilliunits] == bought.numbers[.grossMilliunits], "seed \(seed)")
            #expect(refunded.numbers[.refundsMilliunits] == bought.numbers[.refundsMilliunits].map { $0 + back }, "seed \(seed)")
            #expect(changed.numbers[.purchases] ?? 0 > refunded.numbers[.purchases] ?? 0, "A rate for pounds, seed \(seed)")
            #expect(proven.verified?.differences == [] && proven.totals == changed, "seed \(seed)")
            #expect(erased == changed, "seed \(seed)")
            #expect(try await lives.cuts() == cuts, "seed \(seed)")
            #expect(try await lives.report(.purchase, by: []).erased.numbers == changed.numbers, "seed \(seed)")
            #expect(try await lives.server.counts(["install", "charge"]) == [0, 0], "seed \(seed)")
        }
    }
}

/// Six people with four drawn purchases each, of 300 days, in four countries and currencies. Half of them have a source from the start.
private struct RevenueLives: Sendable {
    static let people = 1...6
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let today = nowMs / Retention.dayMs

    let server: TestServer
    private let seed: UInt64
    private let store: SignedStore
    private let lives: [(owner: Int, life: PurchaseLife)]

    static func run(seed: UInt64, _ body: @Sendable (RevenueLives) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: nowMs), drawn = try draw(seed)
        try await TestServer.run(configuration: configuration(euro: "1.10", pound: nil), trust: store.trust()) { server in
            let lives = RevenueLives(server: server, seed: seed, store: store, lives: drawn)
            try await lives.play()
            try await body(lives)
        }
    }

    private static func configuration(euro: String, pound: String?) -> Configuration {
        var configuration = Configuration.sample()
        var rules = RevenueStory.rules(euro: euro, pound: pound)
        // Rates that begin before these lives, and change within them.
        rules.rates = zip(rules.rates, [400, 160]).map { RateDay(day: $0.day - $1, rates: $0.rates) }
        configuration.purchases.money = rules
        return configuration
    }

    /// A purchase without an environment is refused, so none is drawn here; nor are seats, each of whose refunds counts once its person is
    /// erased. Nobody draws the last two purchases: one is refunded, and one is in pounds.
    private static func draw(_ seed: UInt64) throws -> [(owner: Int, life: PurchaseLife)] {
        let prices: [(storefront: String, currency: String, milliunits: Int64)] = [
            ("USA", "USD", 9_990), ("DEU", "EUR", 8_990), ("JPN", "JPY", 1_500_000), ("GBR", "GBP", 4_990),
        ]
        let plain = "sim.renewals=2"
        var random = SeededRandom(seed: seed), lives: [(owner: Int, life: PurchaseLife)] = []
        func add(_ product: String, _ price: Int, to owner: Int, daysAgo: Int64) throws {
            let price = prices[price]
            let purchase = SimulatedPurchase(
                productId: product, storefront: price.storefront, priceMilliunits: price.milliunits, currency: price.currency)
            // An hour before that time of day, so that nothing is signed in this moment.
            let start = nowMs - daysAgo * Retention.dayMs - 3_600_000
            lives.append((owner, try PurchaseLife(purchase, seed: seed * 100 + UInt64(lives.count), start: start)))
        }
        for owner in people {
            for price in prices.indices {
                let drawn = SimulatedProduct.drawnID(seed * 100 + UInt64(lives.count)).replacing("environment=none", with: "environment=Sandbox")
                try add(drawn.contains("seats=") ? plain : drawn, price, to: owner, daysAgo: .random(in: 1...300, using: &random))
            }
        }
        try add(plain, 0, to: 1, daysAgo: 80)
        try add(plain, 3, to: 2, daysAgo: 80)
        return lives
    }

    private func events(_ life: PurchaseLife) -> [LifeEvent] { life.events.filter { $0.at <= Self.nowMs } }

    private func play() async throws {
        var random = SeededRandom(seed: seed)
        for owner in Self.people {
            // Some purchases are older than the first open.
            let ageMs = Int64.random(in: 50...300, using: &random) * Retention.dayMs
            _ = try await server.firstOpen(#"{"device":{"installedAgeMilliseconds":\#(ageMs)}}"#, phone: Phone(owner))
            if owner.isMultiple(of: 2) { try await claim(owner, "tenjin", campaign: "autumn") }
        }
        for (number, (owner, life)) in lives.enumerated() {
            guard let first = events(life).first?.transaction else { continue }
            _ = try await server.report([store.signer.sign(first)], .purchase, key: "k\(number)", by: Phone(owner))
        }
        let posts = try lives.flatMap { life in
            try events(life.life).compactMap { try life.life.notification($0, signer: store.signer) }.map { try store.signer.sign($0) }
        }
        for text in posts.shuffled(using: &random) { #expect(try await server.notify(text).status == .ok) }
        try await server.workOnNotifications(10_000)
    }

    private func claim(_ owner: Int, _ source: String, campaign: String) async throws {
        let claim = #"{"key":"\#(source)","source":"\#(source)","status":"non_organic","campaign":"\#(campaign)"}"#
        #expect(try await server.send(.post, WirePath.attribution, claim, phone: Phone(owner)).status == .ok)
    }

    /// Those without a source get one.
    func move() async throws {
        for owner in Self.people where !owner.isMultiple(of: 2) { try await claim(owner, "adjust", campaign: "late") }
    }

    /// Apple pays back purchases in dollars, each whole.
    /// - Returns: what came back.
    func refund() async throws -> Int64 {
        var newest: [String: (at: Int64, transaction: LandfallSimulator.TransactionPayload)] = [:]
        for life in lives.map(\.life) {
            for event in events(life) {
                guard let transaction = event.transaction, newest[transaction.transactionId]?.at ?? .min <= event.at else { continue }
                newest[transaction.transactionId] = (event.at, transaction)
            }
        }
        let whole = newest.values.map(\.transaction).filter(Self.isWhole)
        let chosen = whole.sorted { $0.transactionId < $1.transactionId }.prefix(4)
        #expect(!chosen.isEmpty)
        for (number, transaction) in chosen.enumerated() {
            var refunded = transaction
            refunded.revocationDate = Self.nowMs - 2_000
            refunded.signedDate = Self.nowMs - 1_000
            let text = try store.notification(
                "00000000-0000-4000-8000-00000000000\(number)", "REFUND", nil, data: ["signedTransactionInfo": store.signer.sign(refunded)])
            #expect(try await server.notify(text).status == .ok)
        }
        try await server.workOnNotifications(100)
        return chosen.reduce(0) { $0 + ($1.price ?? 0) }
    }

    /// Paid in dollars, and nothing of it is back.
    private static func isWhole(_ transaction: LandfallSimulator.TransactionPayload) -> Bool {
        guard transaction.environment == "Production", transaction.inAppOwnershipType == "PURCHASED", transaction.currency == "USD" else {
            return false
        }
        guard let price = transaction.price, price > 0 else { return false }
        return transaction.revocationDate == nil
    }

    /// A dearer euro, and pounds have a rate.
    func changeRates() {
        _ = server.services.configuration.serve(Snapshot(Self.configuration(euro: "1.30", pound: "1.25"), revision: 8))
    }

    func report(_ view: RevenueView, by: [RevenueDimension], isVerified: Bool = false) async throws -> RevenueDocument {
        let days = try ReportDays(Self.today - 320, Self.today + 1, in: .utc)
        return try await server.services.reports.answer(
            RevenueRequest(view, by: by, days, isVerified: isVerified), server.services.snapshot)
    }

    /// The totals. Each column of each cut of both views has them for its sum.
    func sums(_ when: String) async throws -> RevenueValues {
        let totals = try await report(.purchase, by: []).totals
        for view in [RevenueView.purchase, .booking] {
            for by in RevenueDimension.allCases.map({ [$0] }) + [[.day, .source], RevenueDimension.allCases] {
                let document = try await report(view, by: by)
                #expect(document.totals == totals, "\(when), seed \(seed), \(view) by \(by)")
                for (place, total) in totals.list.enumerated() {
                    let sum = document.rows.map { $0.values.list[place] ?? 0 }.reduce(0, +)
                    #expect(sum == total, "\(when), seed \(seed), \(view) by \(by): \(totals.columns[place])")
                }
            }
        }
        return totals
    }

    /// What erasure must leave as it was, row by row.
    func cuts() async throws -> [[RevenueDocument.Row]] {
        var cuts: [[RevenueDocument.Row]] = []
        for by in [[.day], [.source], [.country], [.product], [.currency], [.day, .source, .product]] as [[RevenueDimension]] {
            cuts.append(try await report(.booking, by: by).rows)
        }
        return cuts
    }
}

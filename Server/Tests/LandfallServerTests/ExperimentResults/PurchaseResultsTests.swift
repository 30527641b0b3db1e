// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("Purchases in the results of an experiment", .timeLimit(.minutes(2)))
struct PurchaseResultsTests {
    private static let app = AppID("example"), name = "spring-price"
    private static let start: Int64 = 1_790_000_000_000, day: Int64 = 86_400_000
    private static let revenue = Metric(name: "revenue", measure: .revenue(.purchases))
    private static let paid = Metric(name: "paid", measure: .purchase(.any))
    private static let yearly = Metric(name: "yearly", measure: .purchase(.product(.exactly("com.example.yearly"))))

    private static func id(_ number: Int) -> String { String(format: "0198f0c2-7b1a-7c3d-8e4f-%012x", number) }

    private static func money(euro: String = "1.1") -> MoneyRules {
        var money = MoneyRules()
        money.currency = "USD"
        money.rates = [RateDay(day: 20_000, rates: ["EUR": ExactDecimal(euro)!])]
        return money
    }

    private static let epochs = [
        StoredEpoch(number: 1, startedAtMs: start, weights: [.init(name: "A", weight: 50), .init(name: "B", weight: 50)])
    ]

    private static func experiment(primary: Metric = revenue, currency: String? = "USD") throws -> ResultsExperiment {
        var experiment = ResultsExperiment(
            name: name, state: "live", variations: [.init(name: "A", weight: 50), .init(name: "B", weight: 50)], primary: primary,
            guardrails: [.init(metric: primary == paid ? revenue : paid, bound: try Guardrail(harm: 0.02))], secondaries: [yearly])
        experiment.currency = currency
        return experiment
    }

    private static func unit(
        _ number: Int, _ variation: String, step: String = "drawn", first: Int? = nil, _ connection: any WriteConnection
    ) throws {
        try install(number, first: first, connection)
        try connection.run(
            "INSERT INTO experiment_unit VALUES ($1, $2, $3, 1, $4, 5, $5, 1, $6, $6, $6, NULL)",
            [.text(app.rawValue), .text(id(number)), .text(name), .text(variation), .text(step), .integer(start)])
    }

    private static func install(_ number: Int, first: Int? = nil, _ connection: any WriteConnection) throws {
        try connection.run(
            """
            INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
              platform, is_reinstall, first_install_id, created_at_ms, installed_at_ms)
            VALUES ($1, $2, $3, $4, 1, 1, 0, '1.0', 'ios', $5, $6, $7, $7)
            """,
            [
                .text(app.rawValue), .text(id(number)), .blob([1]), .text("i_" + id(number)), .flag(first != nil), .text(first.map(id)),
                .integer(start),
            ])
    }

    private static func sold(
        _ number: Int, _ transaction: String, _ milliunits: Int64, _ currency: String = "USD", after days: Double, kind: String = "purchase",
        product: String = "com.example.weekly", environment: String = "Production", part: (over: Int64, under: Int64) = (1, 1)
    ) -> SoldCharge {
        SoldCharge(
            install: id(number), transaction: transaction, environment: environment, kind: kind, product: product,
            purchasedAtMs: start + Int64(days * Double(day)), bookedAtMs: start + 30 * day, currency: currency, milliunits: milliunits, part: part)
    }

    /// Four units in A, six in B; besides, a test device, an override and somebody in no experiment, who all buy.
    private static func store() async throws -> OwnDatabase {
        let own = try await OwnDatabase()
        try await own.engine.write { connection in
            for number in [1, 2, 3] { try unit(number, "A", connection) }
            for number in [11, 12, 13, 14, 15, 16, 17] { try unit(number, "B", connection) }
            try unit(18, "B", step: "override", connection)
            // Two reinstalls: one is only that, the other was known as one after it had a variation.
            try install(21, first: 13, connection)
            try unit(22, "A", first: 15, connection)
            try install(99, connection)
            let charges = [
                // The first moment of the window, and its last.
                sold(1, "year", 49_990, after: 0, product: "com.example.yearly"), sold(1, "week", 4_990, after: 13.999),
                // Before the exposure, and when the window is over.
                sold(2, "early", 9_990, after: -0.001), sold(2, "late", 9_990, after: 14),
                // Ten euros, of which half came back long after the window.
                sold(3, "euro", 10_000, "EUR", after: 2), sold(3, "euro", 10_000, "EUR", after: 2, kind: "refund", part: (1, 2)),
                // All of it came back.
                sold(11, "back", 9_990, after: 1), sold(11, "back", 9_990, after: 1, kind: "refund"),
                // Nothing leads from yen to dollars.
                sold(12, "yen", 1_500_000, "JPY", after: 1), sold(12, "dollars", 2_000, after: 1),
                sold(21, "again", 7_000, after: 3, product: "com.example.yearly"), sold(22, "own", 3_000, after: 3),
                sold(14, "sandbox", 9_990, after: 1, environment: "Sandbox"), sold(16, "free", 0, after: 1, kind: "trial"),
                sold(17, "ours", 9_990, after: 1), sold(18, "overridden", 9_990, after: 1), sold(99, "stranger", 9_990, after: 1),
            ]
            for charge in charges { try charge.insert(into: app, connection) }
        }
        return own
    }

    private static func numbers(
        _ own: OwnDatabase, _ experiment: ResultsExperiment, money: MoneyRules = money()
    ) async throws -> ExperimentNumbers {
        try await ExperimentCounter(
            database: own.engine, app: app, experiment: experiment.counted(epochs), measures: experiment.metrics.map { $0?.measure },
            money: money, testDevices: [InstallKey(InstallID(id(17)))!], nowMs: start + 40 * day
        ).numbers()
    }

    private static func samples(_ metric: ExperimentNumbers.Metric) -> [LandfallResults.Sample] { metric.strata[0].samples.compactMap { $0 } }

    @Test("count who bought within the window, also if the money came back; another product, sandbox and trials do not count")
    func purchases() async throws {
        let own = try await Self.store()

        let numbers = try await Self.numbers(own, try Self.experiment(primary: Self.paid))

        let paid = Self.samples(numbers.primary), yearly = Self.samples(numbers.secondaries[0])
        #expect(paid.map(\.units) == [4, 6])
        // A: 1, 3, 22. B: 11, 12, 13 by its reinstall.
        #expect(paid.map(\.conversions) == [3, 3])
        #expect(yearly.map(\.conversions) == [1, 1])
        #expect(numbers.segments.map(\.name) == ["none"] && numbers.segments[0].strata == numbers.primary.strata)
        #expect(numbers.history.last?.strata == numbers.primary.strata)
        try await own.close()
    }

    @Test("add up what units paid, to the milliunit: converted, less what came back; money without a rate is said, and in no sum")
    func revenue() async throws {
        let own = try await Self.store()

        let numbers = try await Self.numbers(own, try Self.experiment()), document = try ResultsDocument(numbers)

        // A: 49,990 + 4,990 of unit 1, 11,000 − 5,500 of unit 3, 3,000 of unit 22. B: 2,000 of unit 12, 7,000 of unit 13.
        let samples = Self.samples(numbers.primary)
        #expect(samples.map(\.units) == [4, 6] && samples.map(\.conversions) == [3, 2])
        #expect(samples.map(\.sum) == [63.48, 9])
        #expect(samples.map(\.sumOfSquares) == [3_062.0504, 53])
        #expect(document.variations.map(\.mean) == [15.87, 1.5] && document.variations.map(\.meanUncapped) == [15.87, 1.5])
        #expect(document.variations.map(\.cap) == [54.98, 54.98] && document.currency == "USD")
        #expect(numbers.unconverted == [UnconvertedMoney(metric: "revenue", units: 1, currencies: ["JPY"])])
        #expect(document.notes == [
            "Units that paid in JPY on days without a rate: 1. This money is not in 'revenue'. Add the rates: purchases.rates."
        ])
        #expect(numbers.segments.map(\.name) == ["none"] && numbers.segments[0].strata == numbers.primary.strata)
        // The purchases of day 14 are the last ones.
        #expect(numbers.history.last?.strata == numbers.primary.strata)
        #expect(numbers.history.first.map { $0.strata[0].samples.map { $0?.sum } } == [49.99, 0])
        #expect(try NumbersDocument(Array(numbers.document.utf8)).numbers == numbers)
        try await own.close()
    }

    @Test("are right at the next look when a refund comes late, a chain is brought late and a rate changes")
    func later() async throws {
        let own = try await Self.store(), experiment = try Self.experiment()
        let before = Self.samples(try await Self.numbers(own, experiment).primary)
        try await own.engine.write { connection in
            try Self.sold(1, "year", 49_990, after: 0, kind: "refund", product: "com.example.yearly").insert(into: Self.app, connection)
            try Self.sold(16, "new", 1_000, after: 5).insert(into: Self.app, connection)
        }

        let after = try await Self.numbers(own, experiment, money: Self.money(euro: "1.2"))

        #expect(before.map(\.sum) == [63.48, 9])
        // A: 4,990 of unit 1, 12,000 − 6,000 of unit 3, 3,000 of unit 22.
        #expect(Self.samples(after.primary).map(\.sum) == [13.99, 10])
        #expect(Self.samples(after.guardrails[0].metric).map(\.conversions) == [3, 4])
        try await own.close()
    }

    @Test("know nothing of money without a currency, and say what to add; purchases are counted")
    func currency() async throws {
        let own = try await Self.store(), experiment = try Self.experiment(currency: nil)

        let numbers = try await Self.numbers(own, experiment, money: MoneyRules())

        #expect(numbers.notes == [
            "'revenue' is money, and the configuration names no currency for it: nothing is known of it. Add purchases.currency."
        ])
        #expect(Self.samples(numbers.primary).allSatisfy { $0.kind == .unmeasured && $0.mean == nil })
        #expect(Self.samples(numbers.guardrails[0].metric).map(\.conversions) == [3, 3])
        #expect(numbers.currency == nil && numbers.unconverted.isEmpty && numbers.cap == nil)
        try await own.close()
    }

    @Test("are in the exported units: when each first bought, and what it paid in milliunits")
    func export() async throws {
        let own = try await Self.store()

        let export = try await ExperimentExportReader(
            database: own.engine, app: Self.app, experiment: try Self.experiment(), epochs: Self.epochs,
            testDevices: [InstallKey(InstallID(Self.id(17)))!], money: Self.money()
        ).export(after: "", .shown)

        let units = Dictionary(uniqueKeysWithValues: export.units.map { ($0.unit, $0) })
        let paid = export.units.filter { !$0.paidMilliunits.isEmpty }.map { [$0.unit, "\($0.paidMilliunits["revenue"] ?? 0)"] }
        #expect(paid == [[1, 54_980], [3, 5_500], [12, 2_000], [13, 7_000], [22, 3_000]].map { [Self.id($0[0]), "\($0[1])"] })
        #expect(export.currency == "USD" && export.metrics.map(\.money) == [true, false, false])
        #expect(units[Self.id(11)]?.outcomes == ["paid": Self.start + Self.day])
        #expect(units[Self.id(17)]?.outcomes == [:] && units[Self.id(18)]?.outcomes == [:])
        let lines = ExperimentExportLines(.csv)
        #expect(try lines.head(export)[0].hasSuffix(",paidMilliunits.revenue,outcome.paid,outcome.yearly"))
        #expect(try lines.lines(export)[0].hasSuffix(",54980,\(Self.start),\(Self.start)"))
        try await own.close()
    }

    @Test("never owe a unit money: parts that are rounded up leave nothing below zero, and the rest of its purchases stays")
    func rounding() throws {
        // Half a milliunit each is one when rounded: three seats of a price of two.
        var money = MoneyRules()
        (money.currency, money.rates) = ("USD", [RateDay(day: 0, rates: ["EUR": ExactDecimal("0.5")!])])
        var unit = UnitPurchases(unit: InstallKey(InstallID(Self.id(1)))!, epoch: 1, variation: "A", exposedAtMs: 0)
        func charge(_ transaction: String, _ isPurchase: Bool, _ milliunits: Int64, _ currency: String) -> UnitPurchases.Charge {
            .init(
                transaction: transaction, isPurchase: isPurchase, product: "seats", purchasedAtMs: 1, currency: currency, milliunits: milliunits,
                part: .init(numerator: 1, denominator: 1), quantity: 1)
        }
        for _ in 0..<3 { unit.add(charge("seats", false, 1, "EUR"), of: "a") }
        unit.add(charge("seats", true, 3, "EUR"), of: "a")
        unit.add(charge("seats", true, 70, "USD"), of: "another chain")

        let paid = unit.paid(windowMs: 10, Pricing(money))

        #expect(paid.milliunits == 70 && paid.highestPrice == 70 && paid.unconverted.isEmpty)
        #expect(unit.paid(windowMs: 1, Pricing(money)).milliunits == 0)
    }
}

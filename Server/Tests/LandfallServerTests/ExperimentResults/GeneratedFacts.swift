// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Everything that a store may know about an experiment, drawn from a seed: two epochs, one between them that the server does not know, one that no
/// server has opened,
/// reinstalls, overrides, holdouts, people with two phones, sources that are late or missing, events of any time, doubled and in
/// no order, purchases and refunds.
struct GeneratedFacts {
    struct Unit {
        var id: String
        var epoch: Int64
        var variation: String
        var step: String
        var bucket: Int64
        var decidedAtMs: Int64?
        var shownAtMs: Int64?
        var fallbackAtMs: Int64?
        var installs: [String]
        var profile: String
        var source: String?
        var isPending: Bool

        /// A second fact beside the source; or the only one, which brings no source: organic, or a click that is too old.
        var besides: String? {
            if source != nil { return bucket % 2 == 0 ? nil : "adjust" }
            return ["adjust", "apple_search_ads", "link", nil, nil][Int(bucket % 5)]
        }

        /// Facts that name an origin: of one source, of two, clicks at the ends of their window and after the first open.
        var claims: [Claim] {
            var claims: [Claim] = []
            if let source {
                let clickedMs = [0, 7 * GeneratedFacts.day, 7 * GeneratedFacts.day + 1, -10_000, -10_001, GeneratedFacts.day][Int(bucket % 6)]
                claims.append(Claim(id: "a", source: source, saidAtMs: source == "link" ? GeneratedFacts.start - clickedMs : GeneratedFacts.start))
                if bucket % 7 == 3 { claims.append(Claim(id: "c", source: source, saidAtMs: GeneratedFacts.start + 1)) }
                if bucket % 7 == 5 { claims.append(Claim(id: "c", source: "tenjin", saidAtMs: GeneratedFacts.start - 1)) }
            }
            if besides == "link" { claims.append(Claim(id: "b", source: "link", saidAtMs: GeneratedFacts.start - 400 * GeneratedFacts.day)) }
            return claims
        }

        /// What brought the unit: Apple's ad, or the first claim of those that count.
        var origin: String? {
            let counting = claims.filter { claim in
                claim.source != "link" || (-10_000...7 * GeneratedFacts.day).contains(GeneratedFacts.start - claim.saidAtMs)
            }
            if let ad = counting.first(where: { $0.source == "apple_search_ads" }) { return ad.source }
            return counting.min { ($0.saidAtMs, $0.id) < ($1.saidAtMs, $1.id) }?.source
        }

        /// Apple has answered, and named no ad.
        var isAnswered: Bool { besides == "apple_search_ads" }
    }

    struct Claim { let id: String, source: String, saidAtMs: Int64 }

    struct Happened { let install: String, type: String, atMs: Int64 }

    static let app = AppID("example"), name = "spring-price"
    static let start: Int64 = 1_790_000_000_000, day: Int64 = 86_400_000
    static let nowMs = start + 12 * day
    static let trial = Metric(name: "trial", measure: .event(Event.Kind("trial_started")), windowDays: 3)
    static let opened = Metric(name: "opened", measure: .event(Event.Kind("opened")), windowDays: 1)
    static let paid = Metric(name: "paid", measure: .purchase(.any), windowDays: 4)
    static let yearly = Metric(name: "yearly", measure: .purchase(.product(.exactly("yearly"))), windowDays: 2)
    static let revenue = Metric(name: "revenue", measure: .revenue(.purchases), windowDays: 3)
    /// A euro is 1.1 dollars; nothing leads from a pound.
    static let money = {
        var money = MoneyRules()
        money.currency = "USD"
        money.rates = [RateDay(day: 0, rates: ["EUR": ExactDecimal("1.1")!])]
        return money
    }()

    var units: [Unit] = []
    private(set) var events: [Happened] = []
    private(set) var charges: [SoldCharge] = []
    let experiment: ResultsExperiment
    let epochs: [StoredEpoch]

    init(seed: UInt64, units count: Int = 400, showsNothing: Bool = false, missingShown: Double = 0.1) throws {
        var random = SeededRandom(seed: seed)
        var experiment = ResultsExperiment(
            name: Self.name, state: "live",
            variations: [.init(name: "A", weight: 60), .init(name: "B", weight: 40, showsNothing: showsNothing)],
            primary: Self.trial, guardrails: [.init(metric: Self.opened, bound: try Guardrail(harm: 0.02))],
            secondaries: [Self.paid, Self.yearly, Self.revenue])
        experiment.currency = Self.money.currency
        self.experiment = experiment
        epochs = [
            StoredEpoch(number: 1, startedAtMs: Self.start, weights: [.init(name: "A", weight: 50), .init(name: "B", weight: 50)]),
            StoredEpoch(
                number: 3, startedAtMs: Self.start + 5 * Self.day, weights: [.init(name: "A", weight: 60), .init(name: "B", weight: 40)]),
        ]
        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
        func id(_ number: Int) -> String { String(format: "0198f0c2-7b1a-7c3d-8e4f-%012x", number) }
        for number in 0..<count {
            var unit = Unit(
                id: id(2 * number), epoch: 1, variation: chance(0.5) ? "A" : "B", step: "drawn",
                bucket: Int64.random(in: 0..<1_000_000, using: &random), installs: [id(2 * number)], profile: "i_" + id(2 * number),
                isPending: chance(0.1))
            let assigned = Self.start + Int64.random(in: 0..<(11 * Self.day), using: &random)
            if assigned > Self.start + 5 * Self.day, chance(0.9) { unit.epoch = 3 }
            if chance(0.1) { unit.step = ["echoed", "override", "holdout"].randomElement(using: &random)! }
            if unit.step == "echoed", chance(0.5) { unit.epoch = chance(0.5) ? 2 : 9 }
            if chance(0.9) { unit.decidedAtMs = assigned + Int64.random(in: 0..<(Self.day / 4), using: &random) }
            if !chance(missingShown), !(showsNothing && unit.variation == "B") {
                unit.shownAtMs = (unit.decidedAtMs ?? assigned) + Int64.random(in: -1000..<(Self.day / 8), using: &random)
            }
            if chance(0.1) { unit.fallbackAtMs = assigned + Int64.random(in: -1000..<(Self.day / 4), using: &random) }
            if chance(0.2) { unit.installs.append(id(2 * number + 1)) }
            if chance(0.1), let other = units.last { unit.profile = other.profile }
            if chance(0.4) { unit.source = ["apple_search_ads", "tenjin", "link"].randomElement(using: &random)! }
            units.append(unit)
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let around = (unit.shownAtMs ?? assigned) + Int64.random(in: -Self.day..<(5 * Self.day), using: &random)
                let happened = Happened(
                    install: unit.installs.randomElement(using: &random)!,
                    type: ["trial_started", "opened", "other"].randomElement(using: &random)!, atMs: around)
                events += chance(0.3) ? [happened, happened] : [happened]
                // The edges of the window: its first moment counts, its last does not.
                if chance(0.1), let shown = unit.shownAtMs {
                    events.append(Happened(install: unit.id, type: "trial_started", atMs: chance(0.5) ? shown : shown + Self.trial.windowMs))
                }
            }
        }
        // Somebody who is in no experiment.
        events += (0..<20).map { Happened(install: id(1_000_000 + $0), type: "trial_started", atMs: Self.start + Int64($0) * Self.day / 2) }
        events.shuffle(using: &random)
        for unit in units + [Unit(id: id(1_000_000), epoch: 1, variation: "A", step: "drawn", bucket: 0, installs: [id(1_000_000)], profile: "x", isPending: false)]
        where chance(0.4) {
            for _ in 0..<Int.random(in: 1..<4, using: &random) {
                var charge = SoldCharge(
                    install: unit.installs.randomElement(using: &random)!, transaction: "\(charges.count)",
                    purchasedAtMs: (unit.shownAtMs ?? Self.start) + Int64.random(in: -Self.day..<(5 * Self.day), using: &random),
                    milliunits: Int64.random(in: 1..<6_000, using: &random) * 10)
                charge.product = ["yearly", "weekly"].randomElement(using: &random)!
                charge.currency = ["USD", "USD", "EUR", "GBP"].randomElement(using: &random)!
                if chance(0.1) { charge.environment = "Sandbox" }
                if chance(0.1), let shown = unit.shownAtMs { charge.purchasedAtMs = chance(0.5) ? shown : shown + Self.revenue.windowMs }
                charges.append(charge)
                guard chance(0.3) else { continue }
                charge.kind = "refund"
                charge.bookedAtMs = charge.purchasedAtMs + Int64.random(in: 0..<(9 * Self.day), using: &random)
                if chance(0.5) { charge.part = (1, 10) }
                charges.append(charge)
            }
        }
        charges.shuffle(using: &random)
    }

    func store() async throws -> OwnDatabase {
        let own = try await OwnDatabase()
        let (units, events, charges, epochs) = (units, events, charges, epochs)
        try await own.engine.write { connection in
            for epoch in epochs {
                let weights = "[" + epoch.weights.map { "[\"\($0.name)\",\($0.weight)]" }.joined(separator: ",") + "]"
                try connection.run(
                    "INSERT INTO experiment_epoch VALUES ($1, $2, $3, $4, 1, $5)",
                    [.text(Self.app.rawValue), .text(Self.name), .integer(epoch.number), .integer(epoch.startedAtMs), .text(weights)])
            }
            for unit in units { try Self.insert(unit, connection) }
            for charge in charges { try charge.insert(into: Self.app, connection) }
            for (number, event) in events.enumerated() {
                let id = String(format: "0199b0a0-0000-7000-8000-%012x", number)
                try connection.run(
                    """
                    INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms)
                    VALUES ($1, $2, 'p', $3, $2, $4, $5, $6)
                    """,
                    [
                        .text(Self.app.rawValue), .text(id), .text(event.install), .text(event.type), .integer(event.atMs),
                        .integer(Self.nowMs),
                    ])
            }
        }
        return own
    }

    private static func insert(_ unit: Unit, _ connection: any WriteConnection) throws {
        for install in unit.installs {
            try connection.run(
                """
                INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
                  platform, is_reinstall, first_install_id, created_at_ms, installed_at_ms)
                VALUES ($1, $2, $3, $4, 1, 1, 0, '1.0', 'ios', $5, $6, $7, $7)
                """,
                [
                    .text(app.rawValue), .text(install), .blob([1]), .text(unit.profile), .flag(install != unit.id),
                    install == unit.id ? .null : .text(unit.id), .integer(start),
                ])
        }
        try connection.run(
            "INSERT INTO experiment_unit VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11)",
            [
                .text(app.rawValue), .text(unit.id), .text(name), .integer(unit.epoch), .text(unit.variation), .integer(unit.bucket),
                .text(unit.step), .integer(start), .integer(unit.decidedAtMs), .integer(unit.shownAtMs), .integer(unit.fallbackAtMs),
            ])
        var facts = unit.claims.map { ($0, "non_organic") }
        if let besides = unit.besides, besides != "link" { facts.append((Claim(id: "b", source: besides, saidAtMs: start), "organic")) }
        for (claim, status) in facts {
            try connection.run(
                """
                INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms, recorded_at_ms)
                VALUES ($1, $2, $3, $4, $5, 1, 0, $6, $6)
                """,
                [
                    .text(app.rawValue), .text(unit.id), .text(claim.id), .text(claim.source), .text(status), .integer(claim.saidAtMs),
                ])
        }
        if unit.isPending {
            try connection.run(
                """
                INSERT INTO job (app_id, kind, job_key, payload, attempts, due_at_ms, lease_until_ms, created_at_ms, install_id)
                VALUES ($1, 'apple_ads', $2, '', 0, 0, 0, 0, $2)
                """, [.text(app.rawValue), .text(unit.id)])
        }
    }

    func counting(_ database: any Database, mostUnitsAtOnce: Int = 1_000_000, testDevices: [String] = []) -> ExperimentCounter {
        ExperimentCounter(
            database: database, app: Self.app, experiment: experiment.counted(epochs), measures: experiment.metrics.map { $0?.measure },
            money: Self.money, testDevices: Set(testDevices.compactMap { InstallKey(InstallID($0)) }), nowMs: Self.nowMs, mostUnitsAtOnce: mostUnitsAtOnce)
    }
}

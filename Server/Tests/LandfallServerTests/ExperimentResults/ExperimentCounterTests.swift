// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallServer
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Results that are counted from the store", .timeLimit(.minutes(2)))
struct ExperimentCounterTests {
    private func expect(_ numbers: ExperimentNumbers, _ plain: CountedPlainly, _ location: SourceLocation = #_sourceLocation) {
        #expect(numbers.basis == plain.basis, sourceLocation: location)
        let epochs: [Int64] = plain.units.keys.contains { $0.epoch == 2 } ? [1, 2, 3] : [1, 3]
        func counts(_ strata: [ExperimentNumbers.Stratum], _ value: (LandfallResults.Sample) -> Int?) -> [Int] {
            strata.flatMap { $0.samples.map { $0.flatMap(value) ?? 0 } }
        }
        func plainly(_ counts: [CountedPlainly.Arm: Int]?) -> [Int] {
            epochs.flatMap { epoch in ["A", "B"].map { counts?[.init(epoch: epoch, variation: $0)] ?? 0 } }
        }
        #expect(counts(numbers.primary.strata, \.units) == plainly(plain.units), sourceLocation: location)
        #expect(counts(numbers.primary.strata, \.conversions) == plainly(plain.converted["trial"]), sourceLocation: location)
        #expect(counts(numbers.guardrails[0].metric.strata, \.conversions) == plainly(plain.converted["opened"]), sourceLocation: location)
        #expect(numbers.secondaries.map(\.name) == ["paid", "yearly", "revenue"], sourceLocation: location)
        for (place, name) in ["paid", "yearly"].enumerated() {
            #expect(counts(numbers.secondaries[place].strata, \.conversions) == plainly(plain.converted[name]), sourceLocation: location)
        }
        #expect(counts(numbers.secondaries[2].strata, \.conversions) == plainly(plain.payers), sourceLocation: location)
        let milliunits = counts(numbers.secondaries[2].strata) { Int(($0.sum * 1_000).rounded()) }
        #expect(milliunits == plainly(plain.paid.mapValues { Int($0) }), sourceLocation: location)
        #expect(numbers.unconverted == [.init(metric: "revenue", units: plain.unconverted, currencies: ["GBP"])], sourceLocation: location)
        let segments = Dictionary(uniqueKeysWithValues: numbers.segments.map { segment in
            (segment.name, [counts(segment.strata, \.units).reduce(0, +), counts(segment.strata, \.conversions).reduce(0, +)])
        })
        #expect(segments == plain.segments, sourceLocation: location)
        #expect(numbers.facts.echoed == plain.echoed && numbers.facts.fallbackFirst == plain.fallbackFirst, sourceLocation: location)
        let all = Double(plain.units.values.reduce(0, +))
        #expect(numbers.facts.crossovers == Double(plain.crossing) / all, sourceLocation: location)
        #expect(numbers.facts.matured == Double(plain.matured) / all, sourceLocation: location)
        var units = 0, converted = 0
        let first = CountedExperiment.day(GeneratedFacts.start)
        for moment in numbers.history {
            let until = first + Int64(moment.day) - 1
            units = plain.unitDays.filter { $0.key <= until }.values.reduce(0, +)
            converted = plain.convertedDays.filter { $0.key <= until }.values.reduce(0, +)
            #expect(counts(moment.strata, \.units).reduce(0, +) == units, sourceLocation: location)
            #expect(counts(moment.strata, \.conversions).reduce(0, +) == converted, sourceLocation: location)
        }
        #expect(units == Int(all), sourceLocation: location)
        let looked = numbers.ratio.flatMap(\.looks).flatMap(\.self).reduce(0, +)
        #expect(looked == plain.units.filter { $0.key.epoch != 2 }.values.reduce(0, +), sourceLocation: location)
    }

    @Test("are those of a plain loop over all facts, whatever came late, twice or in another order", arguments: 1...12 as ClosedRange<UInt64>)
    func plainly(seed: UInt64) async throws {
        let facts = try GeneratedFacts(seed: seed), store = try await facts.store(), database = store.engine

        let numbers = try await facts.counting(database).numbers()

        expect(numbers, CountedPlainly(facts))
        #expect(numbers.basis == .shown && numbers.notes.isEmpty && numbers.currency == "USD")
        try await store.close()
    }

    @Test("are of all units with a decision if a variation shows nothing", arguments: 1...4 as ClosedRange<UInt64>)
    func nothing(seed: UInt64) async throws {
        let facts = try GeneratedFacts(seed: seed, showsNothing: true), store = try await facts.store(), database = store.engine

        let numbers = try await facts.counting(database).numbers()

        expect(numbers, CountedPlainly(facts, showsNothing: true))
        #expect(numbers.basis == .decided && numbers.facts.decided == nil)
        try await store.close()
    }

    @Test("are of all units with a decision if one variation was shown to fewer of them", arguments: 1...4 as ClosedRange<UInt64>)
    func decided(seed: UInt64) async throws {
        var facts = try GeneratedFacts(seed: seed)
        facts.hide(0.5, of: "B")
        let store = try await facts.store(), database = store.engine

        let numbers = try await facts.counting(database).numbers()

        expect(numbers, CountedPlainly(facts))
        #expect(numbers.basis == .decided)
        try await store.close()
    }

    @Test("are the same however few rows a page has")
    func pages() async throws {
        let facts = try GeneratedFacts(seed: 6), store = try await facts.store(), database = store.engine
        let app = GeneratedFacts.app, name = GeneratedFacts.name
        func sources(page: Int) async throws -> [String: Int] {
            var units: [String: Int] = [:]
            let reading = SourceReader(database: database, app: app, experiment: name, basis: .decided, page: page)
            try await reading.forEach { units["\($0.epoch) \($0.variation) \($0.source)", default: 0] += $0.units }
            return units
        }
        func crossing(page: Int) async throws -> Int {
            try await CrossoverReader(
                database: database, app: app, experiment: name, newestEpoch: 3, basis: .decided, page: page
            ).units()
        }
        func converted(page: Int) async throws -> [Int64] {
            var times: [Int64] = []
            let reading = OutcomeReader(database: database, app: app, experiment: name, basis: .decided, page: page)
            let windowMs = GeneratedFacts.trial.windowMs, range = Int64.min..<Int64.max - windowMs
            let isWhole = try await reading.forEach(of: Event.Kind("trial_started"), windowMs: windowMs, in: range, most: .max) {
                times.append($0.atMs)
            }
            #expect(isWhole)
            return times
        }

        func purchases(page: Int) async throws -> [String: Int64] {
            var paid: [String: Int64] = [:]
            let reading = PurchaseReader(
                database: database, app: app, experiment: name, basis: .decided, windowMs: GeneratedFacts.paid.windowMs, page: page)
            try await reading.forEachPage { units in
                for unit in units {
                    paid["\(unit.epoch) \(unit.variation) \(unit.unit.id.rawValue)"] =
                        unit.paid(windowMs: GeneratedFacts.revenue.windowMs, Pricing(GeneratedFacts.money)).milliunits
                }
            }
            return paid
        }

        #expect(try await purchases(page: 3) == purchases(page: 10_000))
        #expect(try await !purchases(page: 3).isEmpty)
        #expect(try await sources(page: 7) == sources(page: 50_000))
        #expect(try await crossing(page: 2) == crossing(page: 10_000))
        #expect(try await converted(page: 5) == converted(page: 50_000))
        try await store.close()
    }

    @Test("are the same in parts of the buckets, and without the team's own phones")
    func parts() async throws {
        let facts = try GeneratedFacts(seed: 77), store = try await facts.store(), database = store.engine
        let ours = Set(facts.units.prefix(20).map(\.id))

        let whole = try await facts.counting(database).numbers()
        let inParts = try await facts.counting(database, mostUnitsAtOnce: 30).numbers()
        let without = try await facts.counting(database, testDevices: Array(ours)).numbers()

        #expect(whole == inParts)
        let plain = CountedPlainly(facts, without: ours)
        #expect(without.primary.strata.flatMap(\.samples).compactMap(\.?.units).reduce(0, +) == plain.units.values.reduce(0, +))
        #expect(without.primary.strata.flatMap(\.samples).compactMap(\.?.conversions).reduce(0, +) == plain.converted["trial"]?.values.reduce(0, +))
        try await store.close()
    }

    @Test("read and compare a bounded number of epochs, whatever epochs phones say", arguments: [3, 1_000_000] as [Int64])
    func inventedEpochs(newest: Int64) async throws {
        let facts = try GeneratedFacts(seed: 8), store = try await facts.store(), plain = RecordingDatabase(store.engine)
        let epochs = [facts.epochs[0], StoredEpoch(number: newest, startedAtMs: facts.epochs[1].startedAtMs, weights: facts.epochs[1].weights)]
        func counting() -> ExperimentCounter {
            ExperimentCounter(
                database: plain, app: GeneratedFacts.app, experiment: facts.experiment.counted(epochs), measures: facts.experiment.metrics.map { $0?.measure },
                nowMs: GeneratedFacts.nowMs)
        }
        let before = try await counting().numbers(), reads = plain.recorded.count
        try await store.engine.write { connection in
            for number in 0..<2_000 {
                // Far above the newest epoch, and at every distance below it.
                let epoch = number % 2 == 0 ? newest + 1 + Int64(number) : max(1, newest - Int64(number))
                guard epoch > newest || newest > 3, epoch != 1 else { continue }
                try connection.run(
                    "INSERT INTO experiment_unit VALUES ($1, $2, $3, $4, 'A', 1, 'echoed', 1, $5, $5, $5, $5)",
                    [
                        .text(GeneratedFacts.app.rawValue), .text("invented-\(number)"), .text(GeneratedFacts.name), .integer(epoch),
                        .integer(GeneratedFacts.start),
                    ])
            }
        }

        let after = try await counting().numbers()

        // Every second number is below the newest epoch, and those that are near enough count.
        let counted = newest == 3 ? 0 : Int(CountedExperiment.mostUnknown) / 2
        #expect(after.primary.strata.count == before.primary.strata.count + counted)
        #expect(after.facts.echoed == (before.facts.echoed ?? 0) + counted)
        let more = plain.recorded.count - 2 * reads
        #expect(more <= 40 * counted, "\(reads) statements, then \(more) more")
        try await store.close()
    }

    @Test("say the same after they were written as a document and read again")
    func document() async throws {
        let facts = try GeneratedFacts(seed: 5), store = try await facts.store(), database = store.engine
        let numbers = try await facts.counting(database).numbers()

        let read = try NumbersDocument(Array(numbers.document.utf8))

        #expect(read.numbers == numbers)
        #expect(try ResultsDocument(read.numbers) == ResultsDocument(numbers))
        try await store.close()
    }

    @Test("can be counted again from the exported units, which are read by another way", arguments: [3, 4] as [UInt64])
    func export(seed: UInt64) async throws {
        let facts = try GeneratedFacts(seed: seed), store = try await facts.store(), database = store.engine
        let numbers = try await facts.counting(database).numbers()
        let exporting = ExperimentExportReader(
            database: database, app: GeneratedFacts.app, experiment: facts.experiment, epochs: facts.epochs, money: GeneratedFacts.money, page: 37)
        var units: [ExperimentExport.Unit] = [], after: String? = ""
        while let from = after {
            let page = try await exporting.export(after: from, numbers.basis)
            units += page.units
            after = page.next
            #expect(page.epochs.map(\.salt) == ["spring-price#1", "spring-price#3"])
            #expect(page.epochs[1].weights.map { [$0.from, $0.to] } == [[0, 600_000], [600_000, 1_000_000]])
        }

        #expect(units.count == facts.units.count && units.map(\.unit) == units.map(\.unit).sorted())
        for (place, variation) in ["A", "B"].enumerated() {
            let counted = units.filter { $0.exposedAtMilliseconds != nil && $0.variation == variation }
            let samples = numbers.primary.strata.compactMap { $0.samples[place] }
            #expect(counted.count == samples.reduce(0) { $0 + $1.units })
            #expect(counted.count { $0.outcomes["trial"] != nil } == samples.reduce(0) { $0 + ($1.conversions ?? 0) })
            let paid = numbers.secondaries.map { metric in metric.strata.compactMap { $0.samples[place] } }
            #expect(counted.count { $0.outcomes["paid"] != nil } == paid[0].reduce(0) { $0 + ($1.conversions ?? 0) })
            #expect(counted.count { $0.outcomes["yearly"] != nil } == paid[1].reduce(0) { $0 + ($1.conversions ?? 0) })
            let milliunits = counted.reduce(0) { $0 + ($1.paidMilliunits["revenue"] ?? 0) }
            #expect(milliunits > 0 && Double(milliunits) == (paid[2].reduce(0) { $0 + $1.sum } * 1_000).rounded())
        }
        try await store.close()
    }

    @Test("are exported in the same few rows when a unit and its reinstall have any number of events")
    func exportOfMany() async throws {
        let facts = try GeneratedFacts(seed: 3), store = try await facts.store(), database = RecordingDatabase(store.engine)
        let exporting = ExperimentExportReader(
            database: database, app: GeneratedFacts.app, experiment: facts.experiment, epochs: facts.epochs, money: GeneratedFacts.money, page: 37)
        let before = try await exporting.export(after: "", .shown)
        let unit = try #require(before.units.first { $0.outcomes["trial"] == nil && $0.exposedAtMilliseconds != nil })
        let shownAtMs = try #require(unit.exposedAtMilliseconds)
        let installs = facts.units.first { $0.id == unit.unit }?.installs ?? []
        try await store.engine.write { connection in
            for number in 0..<2_000 {
                let id = String(format: "0199b0a2-0000-7000-8000-%012x", number)
                // One comes on the first exposure, those before it too early.
                try connection.run(
                    """
                    INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms)
                    VALUES ($1, $2, 'p', $3, $2, 'trial_started', $4, $4)
                    """,
                    [
                        .text(GeneratedFacts.app.rawValue), .text(id), .text(installs[number % installs.count]),
                        .integer(shownAtMs + 1_000 - Int64(number)),
                    ])
            }
        }

        let after = try await exporting.export(after: "", .shown)

        #expect(after.units.first { $0.unit == unit.unit }?.outcomes["trial"] == shownAtMs)
        #expect(after.units.filter { $0.unit != unit.unit } == before.units.filter { $0.unit != unit.unit })
        let statements = database.recorded.filter { !$0.statement.text.contains("CROSS JOIN charge") }
        #expect(statements.compactMap { $0.rows?.count }.max() == 37)
        try await store.close()
    }

    @Test("are suppressed if units did not come in the ratio of the weights")
    func suppressed() async throws {
        var facts = try GeneratedFacts(seed: 9, units: 2_000)
        facts.lose(0.4, of: "B")
        let store = try await facts.store(), database = store.engine

        let results = try ResultsDocument(try await facts.counting(database).numbers())

        #expect(!results.health.ratio.ok && results.isSuppressed)
        #expect(!results.comparisons.isEmpty && results.comparisons.allSatisfy { $0.verdict == .suppressed })
        try await store.close()
    }

    @Test("find no effect if there is none, and their sample ratio is sound: 20 experiments of 400 units")
    func nullEffect() async throws {
        var decided = 0
        for seed in 100..<120 as Range<UInt64> {
            let facts = try GeneratedFacts(seed: seed), store = try await facts.store(), database = store.engine
            let results = try ResultsDocument(try await facts.counting(database).numbers())
            decided += results.comparisons.count { $0.role == .primary && $0.verdict != .notDecided }
            try await store.close()
        }

        #expect(decided <= 3)
    }

    @Test("are found by the indexes: no statement scans a table", .sqlitePlans)
    func plans() async throws {
        let store = try await GeneratedFacts(seed: 1, units: 10).store(), database = store.engine
        let texts = [
            ExperimentArms.nextVariationText, ExperimentArms.nextEpochText, ExperimentArms.shownText, ExperimentArms.decidedText, ExperimentArms.shownLaterText,
            ExperimentArms.firstShownText, ExperimentArms.firstDecidedText, ExperimentArms.lastShownText, ExperimentArms.lastDecidedText,
            ExperimentArms.earliestText, ExperimentArms.earlierText, ExperimentArms.echoedText,
            ExperimentArms.fallbackText, OutcomeReader.endText, OutcomeReader.text, SourceReader.endText, SourceReader.text, SourceReader.clickText,
            SourceReader.pendingEndText, SourceReader.pendingText, UnitSources.factsText, UnitSources.pendingText, PartReader.shownText, PartReader.decidedText,
            CrossoverReader.text, PurchaseReader.endText, PurchaseReader.text, PurchaseReader.reinstalledText, TestUnits.text, TestUnits.firstText, TestUnits.reinstallsText, StoredEpoch.text, ExperimentExportReader.unitsText,
            ExperimentExportReader.firstsText, ExperimentExportReader.reinstalledText,
        ]
        for text in texts {
            let count = (1...40).last { text.contains("$\($0)") } ?? 0
            let plan = try await database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + text, Array(repeating: .integer(1), count: count)).map { try $0.text("detail") }
            }
            #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN p") && !$0.hasPrefix("SCAN found") }, "\(text)\n\(plan)")
            for event in plan where event.contains("event") || event.hasPrefix("SEARCH e ") { #expect(event.contains("INDEX"), "\(plan)") }
        }
        // The people with several phones come first: the other order reads all installs for each page of them.
        let crossing = try await database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + CrossoverReader.text, Array(repeating: .integer(1), count: 6)).map { try $0.text("detail") }
        }
        #expect(crossing.contains { $0.hasPrefix("SEARCH i USING INDEX install_by_profile (app_id=? AND profile_id=?)") }, "\(crossing)")
        #expect(crossing.contains { $0.contains("install_in_other_profile") }, "\(crossing)")
        for (text, count) in [(SourceReader.endText, 3), (SourceReader.text, 5), (SourceReader.clickText, 5)] {
            let plan = try await database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + text, Array(repeating: .integer(1), count: count)).map { try $0.text("detail") }
            }
            #expect(plan.contains { $0.contains("COVERING INDEX attribution_fact_by_origin") }, "\(plan)")
        }
        for text in [PurchaseReader.text, PurchaseReader.reinstalledText] {
            let plan = try await database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + text, Array(repeating: .integer(1), count: 6)).map { try $0.text("detail") }
            }
            #expect(plan.contains { $0.contains("(app_id=? AND unit>? AND unit<?)") }, "\(plan)")
            #expect(plan.contains { $0.contains("purchase_chain_by_install (app_id=? AND brought_by_install=?)") }, "\(plan)")
            #expect(plan.contains { $0.contains("charge_by_chain (app_id=? AND chain_id=?)") }, "\(plan)")
        }
        #expect(try await database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + OutcomeReader.text, Array(repeating: .integer(1), count: 12))
                .contains { try $0.text("detail").contains("event_by_type") }
        })
        try await store.close()
    }
}

extension GeneratedFacts {
    /// One variation is decided, and then not shown.
    mutating func hide(_ share: Double, of variation: String) {
        for place in units.indices where units[place].variation == variation && Double(units[place].bucket) < share * 1_000_000 {
            units[place].shownAtMs = nil
        }
    }

    /// Units of one variation get lost before anybody sees them.
    mutating func lose(_ share: Double, of variation: String) {
        units.removeAll { $0.variation == variation && Double($0.bucket) < share * 1_000_000 }
    }
}

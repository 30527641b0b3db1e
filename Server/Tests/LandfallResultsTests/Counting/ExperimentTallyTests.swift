// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("A tally of an experiment", .timeLimit(.minutes(1)))
struct ExperimentTallyTests {
    private static let day: Int64 = 20_000

    private func experiment(_ epochs: [[Double]] = [[1, 1]], missing: String? = nil) -> CountedExperiment {
        CountedExperiment(
            name: "spring", state: "live", variations: ["A", "B"],
            epochs: epochs.enumerated().map {
                .init(number: Int64($0 + 1), startedAtMs: (Self.day + Int64($0)) * CountedExperiment.dayMs, weights: $1)
            },
            metrics: [.init(name: "trial", windowMs: 1000, missing: missing)])
    }

    private func beside(_ basis: ExperimentNumbers.Basis = .shown) -> ExperimentTally.Beside {
        .init(exposures: ExposureCounts(variations: 2), basis: basis, today: Self.day + 9)
    }

    private func fill(_ tally: inout ExperimentTally, epoch: Int64, _ units: [Int], on day: Int64) {
        for (place, count) in units.enumerated() {
            tally.count(units: count, of: .init(epoch: epoch, variation: place), exposedOn: day)
        }
    }

    @Test("has the days of the reference as looks of the ratio")
    func looks() throws {
        var tally = ExperimentTally(experiment())
        for (day, units) in [[500, 600], [520, 610], [490, 640]].enumerated() { fill(&tally, epoch: 1, units, on: Self.day + Int64(day)) }

        let numbers = try tally.numbers(beside())

        #expect(numbers.ratio == [.init(weights: [1, 1], looks: [[500, 600], [520, 610], [490, 640]], days: [1, 2, 3])])
        #expect(numbers.facts.day == 10 && numbers.history.map(\.day) == [1, 2, 3])
        expect(try ResultsDocument(numbers).health.ratio.p, is: "3.59139e-6")
    }

    @Test("looks at all epochs of a day at once: the ratio of each epoch by its own weights")
    func overlap() throws {
        var tally = ExperimentTally(experiment([[1, 1], [3, 1]]))
        for day in 0..<5 {
            fill(&tally, epoch: 1, [250, 250], on: Self.day + Int64(day))
            fill(&tally, epoch: 2, [300, 100], on: Self.day + Int64(day))
        }
        let sound = try ResultsDocument(try tally.numbers(beside()))
        #expect(sound.health.ratio.ok && sound.health.ratio.p == 1)

        fill(&tally, epoch: 2, [0, 200], on: Self.day + 5)
        let failed = try ResultsDocument(try tally.numbers(beside()))

        #expect(!failed.health.ratio.ok && failed.comparisons.allSatisfy { $0.verdict == .suppressed })
    }

    @Test("has no day below zero if one of the team's own units was erased between counting and subtracting it")
    func belowZero() throws {
        var tally = ExperimentTally(experiment())
        let control = ExperimentTally.Arm(epoch: 1, variation: 0)
        fill(&tally, epoch: 1, [0, 0], on: Self.day)
        tally.count(units: -1, of: control, exposedOn: Self.day)
        fill(&tally, epoch: 1, [100, 100], on: Self.day + 1)
        tally.count(units: -1, of: control, whose: "platform", is: "ios")
        tally.count(units: -1, conversions: 0, of: control, in: "link")

        let numbers = try tally.numbers(beside()), document = try ResultsDocument(numbers)

        #expect(numbers.ratio.map(\.looks) == [[[0, 0], [100, 100]]])
        #expect(numbers.ratioParts.flatMap(\.epochs).map(\.looks) == [[[0, 0]]])
        #expect(numbers.history.map(\.day) == [2] && tally.allUnits == 200)
        #expect(document.variations.map(\.units) == [100, 100] && document.health.ratio.ok)
    }

    @Test("compares an unknown epoch within itself, and does not check its sample ratio")
    func unknown() throws {
        var tally = ExperimentTally(experiment())
        fill(&tally, epoch: 1, [1000, 1000], on: Self.day)
        fill(&tally, epoch: 7, [900, 100], on: Self.day)
        for place in 0...1 { tally.count(conversions: 50, by: 0, of: .init(epoch: 7, variation: place), on: Self.day) }

        let numbers = try tally.numbers(beside())

        #expect(numbers.primary.strata.map(\.weights) == [[1, 1], [900, 100]])
        #expect(numbers.ratio.map(\.looks) == [[[1000, 1000]], []])
        #expect(try ResultsDocument(numbers).health.ratio.ok)
    }

    @Test("compares what units paid, each day's amounts with the cap of now; the document has it all")
    func money() throws {
        var counted = experiment()
        counted.metrics = [.init(name: "revenue", windowMs: 1000, isMoney: true)]
        counted.currency = "USD"
        var tally = ExperimentTally(counted)
        let control = ExperimentTally.Arm(epoch: 1, variation: 0), variation = ExperimentTally.Arm(epoch: 1, variation: 1)
        fill(&tally, epoch: 1, [2_000, 2_000], on: Self.day)
        // A thousand pay 1 on the first day, all others of them too on the next, but for one who pays 100.
        for _ in 0..<1_000 { tally.count(.init(from: 0, to: 1_000), by: 0, of: control, on: Self.day) }
        for _ in 0..<999 { tally.count(.init(from: 0, to: 1_000), by: 0, of: variation, on: Self.day + 1) }
        tally.count(.init(from: 0, to: 50_000), by: 0, of: variation, on: Self.day)
        tally.count(.init(from: 50_000, to: 100_000), by: 0, of: variation, on: Self.day + 1)
        tally.note(price: 2_000, by: 0)
        var first = Payments()
        first.count(.init(from: 0, to: 100_000))
        tally.count(units: 1, conversions: 0, paid: first, of: variation, in: "link")
        tally.countRest(in: "none")

        let numbers = try tally.numbers(beside()), document = try ResultsDocument(numbers)

        // Rank 1,998 of 2,000 is 1, and a price was 2.
        #expect(document.variations.map(\.mean) == [0.5, 0.5005] && document.variations.map(\.cap) == [2, 2])
        #expect(document.variations.map(\.meanUncapped) == [0.5, 0.5495] && document.variations.map(\.conversions) == [1_000, 1_000])
        #expect(document.variations.allSatisfy { $0.rate == nil && $0.rateInterval == nil } && document.currency == "USD")
        #expect(numbers.history.map(\.day) == [1, 2])
        #expect(numbers.history.map { $0.strata[0].samples.map { $0?.sum } } == [[1_000, 2], [1_000, 1_001]])
        #expect(numbers.segments.map(\.name) == ["none", "link"])
        #expect(numbers.segments.map { $0.strata[0].samples.map { $0?.sum } } == [[1_000, 999], [0, 2]])
        #expect(try NumbersDocument(Array(numbers.document.utf8)).numbers == numbers)
    }

    @Test("says only that a metric is not recorded")
    func missing() throws {
        var tally = ExperimentTally(experiment(missing: "Not recorded."))
        fill(&tally, epoch: 1, [1000, 1000], on: Self.day)

        let numbers = try tally.numbers(beside()), document = try ResultsDocument(numbers)

        #expect(document.notes == ["Not recorded."])
        #expect(document.variations.allSatisfy { $0.units == 1000 && $0.conversions == nil && $0.rate == nil && $0.mean == nil })
        #expect(document.comparisons.allSatisfy { $0.difference == nil && $0.interval == nil && $0.verdict == .notDecided })
        #expect(try NumbersDocument(Array(numbers.document.utf8)).numbers == numbers)
    }

    @Test("checks the ratio of parts by Bonferroni; a failed part suppresses nothing")
    func parts() throws {
        var tally = ExperimentTally(experiment())
        fill(&tally, epoch: 1, [5000, 5000], on: Self.day)
        for (value, units) in [("1.0", [4500, 4900]), ("1.1", [500, 100])] {
            for place in 0...1 { tally.count(units: units[place], of: .init(epoch: 1, variation: place), whose: "version", is: value) }
        }

        let document = try ResultsDocument(try tally.numbers(beside()))

        #expect(document.health.ratioParts.map(\.value) == ["1.0", "1.1"])
        #expect(document.health.ratioParts.map(\.ok)[1] == false && document.health.ratio.ok && !document.isSuppressed)
        #expect(document.health.ratioParts.allSatisfy { $0.adjustedP == min(1, 2 * $0.p) })
        #expect(document.health.ratioParts.map(\.units) == [[4500, 4900], [500, 100]])
    }

    @Test("counts shown units while an equal share was shown, else all units with a decision")
    func basis() {
        var counts = ExposureCounts(variations: 2)
        (counts.shown, counts.decided) = ([900, 905], [1000, 1000])
        #expect(counts.basis(showsNothing: false) == .shown && counts.basis(showsNothing: true) == .decided)
        counts.shown = [900, 800]
        #expect(counts.basis(showsNothing: false) == .decided)
    }

    @Test("keeps shown over decided if all decided units are compared, so that readers see why")
    func shownOverDecided() throws {
        var tally = ExperimentTally(experiment()), beside = beside(.decided)
        fill(&tally, epoch: 1, [1000, 1000], on: Self.day)
        (beside.exposures.shown, beside.exposures.decided) = ([900, 800], [1000, 1000])

        let health = try ResultsDocument(try tally.numbers(beside)).health

        #expect(health.shownOverDecided?.ok == false && health.shownOverDecided?.byVariation == ["A": 0.9, "B": 0.8])
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("The order in which an experiment decides", .timeLimit(.minutes(1)))
struct ExperimentOutcomeTests {
    private static let one = InstallID("0190a5c0-7e1b-7c3a-9f00-000000000001"), two = InstallID("0190a5c0-7e1b-7c3a-9f00-000000000002")

    private static func experiment(
        _ state: Experiment.State = .live, weights: [Int64] = [50, 50], slice: Experiment.Slice? = nil, holdout: Holdout? = nil,
        overrides: [InstallID: Int] = [:], promoted: Int = 0, names: [String] = ["A", "B", "C", "D"]
    ) -> Experiment {
        let variations = zip(names, weights).map { name, weight in
            Variation(name: VariationName(name), weight: weight, assigned: nil, plain: nil)
        }
        return Experiment(
            id: "spring-price", state: state, slice: slice, holdout: holdout, variations: variations, overrides: overrides,
            promoted: promoted)
    }

    private static func stored(
        _ variation: VariationName, unit: InstallID = one, epoch: Int64 = 1, step: UnitAssignment.Step = .drawn
    ) -> UnitAssignment {
        UnitAssignment(unit: unit, experiment: "spring-price", epoch: epoch, variation: variation, bucket: 7, step: step)
    }

    /// The layer `main` has the unit in bucket 816320, the holdout `2026-h1` in 400505, and the experiment's first epoch in 402675.
    private static func slice(_ from: String, _ to: String) -> Experiment.Slice {
        Experiment.Slice(layer: Layer(name: "main", salt: "main"), from: Percentage(from)!, to: Percentage(to)!)
    }

    private static func holdout(_ share: String) -> Holdout { Holdout(name: "2026-h1", share: Percentage(share)!) }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let experiment: Experiment
        var stored: UnitAssignment?
        var isTestDevice = false
        let step: ExperimentOutcome.Step?
        let variation: Int?
        var storing: UnitAssignment.Step?
    }

    static let cases = [
        Case(testDescription: "draw", experiment: experiment(), step: .drawn, variation: 0, storing: .drawn),
        Case(
            testDescription: "draw of a test device, which no result counts", experiment: experiment(), isTestDevice: true,
            step: .drawn, variation: 0, storing: .override),
        Case(testDescription: "stored before draw", experiment: experiment(), stored: stored("B"), step: .stored, variation: 1),
        Case(
            testDescription: "stored, of a device that became a test device", experiment: experiment(), stored: stored("B"),
            isTestDevice: true, step: .stored, variation: 1, storing: .override),
        Case(
            testDescription: "stored before holdout", experiment: experiment(holdout: holdout("100%")), stored: stored("B"),
            step: .stored, variation: 1),
        Case(
            testDescription: "stored before layer", experiment: experiment(slice: slice("0%", "50%")), stored: stored("B"),
            step: .stored, variation: 1),
        Case(
            testDescription: "override before stored; the row keeps its variation", experiment: experiment(overrides: [one: 0]),
            stored: stored("B"), step: .override, variation: 0, storing: .override),
        Case(
            testDescription: "override that is stored as one", experiment: experiment(overrides: [one: 0]),
            stored: stored("A", step: .override), step: .override, variation: 0),
        Case(
            testDescription: "override before holdout and layer",
            experiment: experiment(slice: slice("0%", "50%"), holdout: holdout("100%"), overrides: [one: 1]), step: .override,
            variation: 1, storing: .override),
        Case(testDescription: "override of another unit", experiment: experiment(overrides: [two: 1]), step: .drawn, variation: 0, storing: .drawn),
        Case(
            testDescription: "holdout before layer", experiment: experiment(slice: slice("0%", "50%"), holdout: holdout("40.0506%")),
            step: .holdout, variation: 0, storing: .holdout),
        Case(
            testDescription: "holdout that ends below the unit's bucket", experiment: experiment(holdout: holdout("40.0505%")),
            step: .drawn, variation: 0, storing: .drawn),
        Case(testDescription: "layer before draw", experiment: experiment(slice: slice("0%", "50%")), step: .layer, variation: nil),
        Case(
            testDescription: "range that begins at the unit's bucket", experiment: experiment(slice: slice("81.632%", "90%")),
            step: .drawn, variation: 0, storing: .drawn),
        Case(
            testDescription: "range that ends before the unit's bucket", experiment: experiment(slice: slice("10%", "81.632%")),
            step: .layer, variation: nil),
        Case(testDescription: "a draft assigns nobody", experiment: experiment(.draft), step: nil, variation: nil),
        Case(
            testDescription: "a draft serves overrides", experiment: experiment(.draft, overrides: [one: 1]), step: .override,
            variation: 1, storing: .override),
        Case(
            testDescription: "a draft does not serve what is stored", experiment: experiment(.draft), stored: stored("B"), step: nil,
            variation: nil),
        Case(
            testDescription: "a stopped one assigns nobody", experiment: experiment(.stopped, overrides: [one: 1], promoted: 1),
            stored: stored("A"), step: nil, variation: nil),
        Case(
            testDescription: "a retired variation keeps its units", experiment: experiment(weights: [100, 0]), stored: stored("B"),
            step: .stored, variation: 1),
        Case(
            testDescription: "the units of a removed variation are not drawn again", experiment: experiment(names: ["A", "C"]),
            stored: stored("B"), step: .stored, variation: nil),
    ]

    @Test("is override, stored, holdout, layer, draw", arguments: cases)
    func order(row: Case) {
        let outcome = row.experiment.outcome(
            epoch: 1, unit: Self.one, install: Self.one, stored: row.stored, isTestDevice: row.isTestDevice)

        #expect(outcome.step == row.step)
        #expect(outcome.assigned?.variation == row.variation)
        #expect(outcome.storing == row.storing)
    }

    @Test("The draws are those of the published vectors")
    func vectors() {
        let experiment = Self.experiment()

        let first = experiment.outcome(epoch: 1, unit: Self.one, install: Self.one, stored: nil)
        let second = experiment.outcome(epoch: 1, unit: Self.two, install: Self.two, stored: nil)
        let later = experiment.outcome(epoch: 2, unit: Self.one, install: Self.one, stored: nil)

        #expect(first.assigned == .init(variation: 0, epoch: 1, bucket: 402_675))
        #expect(second.assigned == .init(variation: 1, epoch: 1, bucket: 750_629))
        #expect(later.assigned == .init(variation: 0, epoch: 2, bucket: 135_552))
    }

    @Test("A stored unit keeps the epoch and the bucket of its draw")
    func kept() {
        let outcome = Self.experiment().outcome(epoch: 9, unit: Self.one, install: Self.one, stored: Self.stored("B", epoch: 3))

        #expect(outcome.assigned == .init(variation: 1, epoch: 3, bucket: 7))
    }

    @Test(
        "Each variation has the buckets from ⌊10⁶·W(i−1)/W⌋ up to ⌊10⁶·W(i)/W⌋",
        arguments: [
            ([50, 50], [0, 500_000, 1_000_000]), ([1, 1, 1], [0, 333_333, 666_666, 1_000_000]), ([1, 0, 2], [0, 333_333, 333_333, 1_000_000]),
            ([0, 7], [0, 0, 1_000_000]), ([8, 1, 1], [0, 800_000, 900_000, 1_000_000]), ([1], [0, 1_000_000]),
            ([1_000_000, 1_000_000, 999_999], [0, 333_333, 666_666, 1_000_000]), ([3, 0, 0, 4], [0, 428_571, 428_571, 428_571, 1_000_000]),
        ] as [([Int64], [Int])])
    func buckets(weights: [Int64], bounds: [Int]) {
        let experiment = Self.experiment(weights: weights)

        for variation in weights.indices {
            let buckets = bounds[variation]..<bounds[variation + 1]
            #expect(experiment.buckets(of: variation) == buckets)
            guard !buckets.isEmpty else { continue }
            #expect(experiment.variation(at: buckets.lowerBound) == variation)
            #expect(experiment.variation(at: buckets.upperBound - 1) == variation)
        }
        #expect(experiment.variation(at: Draw.bucketCount - 1) == weights.indices.last { weights[$0] > 0 })
    }

    @Test("A new weight moves no stored unit, and units of the same epoch are drawn in the same way by every server")
    func weights() {
        let before = Self.experiment(weights: [50, 50]), after = Self.experiment(weights: [10, 90])
        var moved = 0
        for number in 0..<500 {
            let unit = InstallID("unit-\(number)")
            let first = before.outcome(epoch: 1, unit: unit, install: unit, stored: nil)
            guard let assigned = first.assigned else { continue }
            let stored = UnitAssignment(
                unit: unit, experiment: before.id, epoch: 1, variation: before.variations[assigned.variation].name,
                bucket: assigned.bucket, step: .drawn)

            #expect(after.outcome(epoch: 2, unit: unit, install: unit, stored: stored).assigned == assigned)
            #expect(before.outcome(epoch: 1, unit: unit, install: unit, stored: nil) == first)
            if after.outcome(epoch: 2, unit: unit, install: unit, stored: nil).assigned?.variation != assigned.variation { moved += 1 }
        }

        // Without the store they would move: the test can fail.
        #expect(moved > 50)
    }
}

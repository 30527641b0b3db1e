// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import VirtualWorlds

@Suite("The guarantees of experiments in virtual time", .timeLimit(.minutes(3)))
struct ExperimentGuaranteeTests {
    private typealias Stored = ExperimentPromises.Stored

    private let a = Assignment(experiment: "price", epoch: 1, variation: "A", bucket: 1)
    private let b = Assignment(experiment: "price", epoch: 1, variation: "B", bucket: 999_999)

    /// One launch returned and showed A, and the phone keeps it.
    private func shown() -> ExperimentPromises {
        var promises = ExperimentPromises()
        promises.returned(a, in: 1)
        _ = promises.compare(a, isOfUnit: true)
        promises.shows(a, isSafe: true)
        promises.leaves([a])
        return promises
    }

    private func guarantees(_ promises: ExperimentPromises, _ stored: Stored) -> [String] {
        promises.breaches(of: "price", in: stored).map(\.guarantee)
    }

    @Test("A store that agrees with the phone breaks no guarantee")
    func holds() {
        #expect(guarantees(shown(), Stored(variation: "A", decidedAtMs: 1, shownAtMs: 2, decisions: 1)).isEmpty)
    }

    @Test("E1: another variation of the same unit is found")
    func otherVariation() {
        var promises = shown()

        #expect(promises.compare(a, isOfUnit: true) == nil)
        #expect(promises.compare(b, isOfUnit: true)?.guarantee == "E1")
    }

    @Test("E2: a second decision of one launch is found")
    func secondDecision() {
        #expect(guarantees(shown(), Stored(variation: "A", decidedAtMs: 1, shownAtMs: 2, decisions: 2)) == ["E2"])
    }

    @Test("E3: another variation in the store is found, and a missing row")
    func otherRow() {
        #expect(guarantees(shown(), Stored(variation: "B", decisions: 1)) == ["E3"])
        #expect(guarantees(shown(), Stored(decisions: 1)) == ["E3"])
    }

    @Test("E3: a lost store has to heal from the copy of a reinstalled app")
    func lostStore() {
        var promises = shown()

        promises.wiped(isReinstalled: true)

        #expect(guarantees(promises, Stored(variation: "A")).isEmpty)
        #expect(guarantees(promises, Stored(variation: "B")) == ["E3"])
        #expect(guarantees(promises, Stored()) == ["E3"])
    }

    @Test("E4: an exposure or a decision of a variation that was not shown is found, and a lost exposure")
    func exposures() {
        var promises = ExperimentPromises()
        promises.returned(a, in: 1)

        #expect(guarantees(promises, Stored(variation: "A", shownAtMs: 2)) == ["E4"])
        #expect(guarantees(promises, Stored(variation: "B", decidedAtMs: 2)) == ["E4"])
        #expect(guarantees(shown(), Stored(variation: "A", decidedAtMs: 1, decisions: 1)) == ["E4"])
    }

    @Test("In some worlds calls return variations of an experiment, and every guarantee holds")
    func worlds() async throws {
        let (status, _, errors) = try await VirtualTool.run(["--worlds", "60", "--seed", "1", "--trace"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        for sign in ["(price:A)", "(price:B)"] { #expect(errors.contains(sign), "\(sign)") }
    }
}

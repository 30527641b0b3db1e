// SPDX-License-Identifier: Apache-2.0
import ExperimentTrials
import Testing

/// 2,000 experiments of each kind in a release build, which script/test makes; `script/soak` runs 20,000. The gates are the
/// reference's: among them that a z-test at every look finds effects that are not there, which proves that these trials see it.
@Suite("Experiments with a known true result", .serialized, .timeLimit(.minutes(5)))
struct TrialTests {
    /// A debug build takes ten times as long for each run: it has fewer, which show that the gates work.
    private static let runs = {
        #if DEBUG
        400
        #else
        2000
        #endif
    }()

    @Test("Every figure stays within its gate", arguments: Trial.all.indices)
    func gates(index: Int) {
        let trial = Trial.all[index]

        for figure in trial.run(runs: Self.runs, seed: 20_240_601) {
            #expect(
                figure.holds, "\(trial.name): \(figure.name) is \(figure.value), outside \(figure.gate.map { "\($0)" } ?? "")")
        }
    }

    @Test("The same seed gives the same figures, another seed gives others")
    func seeds() {
        let first = Trial.all[0].run(runs: 100, seed: 1)

        #expect(Trial.all[0].run(runs: 100, seed: 1) == first)
        #expect(Trial.all[0].run(runs: 100, seed: 2) != first)
    }
}

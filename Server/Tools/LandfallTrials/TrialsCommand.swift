// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import ExperimentTrials
import Foundation

/// `landfall-trials`.
@main
struct TrialsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-trials",
        abstract: "Runs experiments with a known true result and counts how often their reported results are wrong.",
        discussion:
            "Units are assigned by the published draw; conversions come from the seed. Ends with 1 if a figure leaves its gate."
    )

    @Option(help: "Experiments of each trial.")
    var runs = 20_000

    @Option(help: "The seed.")
    var seed: UInt64 = 1

    func validate() throws {
        guard (100...1_000_000).contains(runs) else { throw ValidationError("--runs is \(runs); use 100 to 1000000.") }
    }

    func run() throws {
        var broken = 0
        for trial in Trial.all {
            let clock = ContinuousClock(), start = clock.now
            var told = start
            let figures = trial.run(runs: runs, seed: seed) { done in
                guard clock.now - told > .seconds(10) else { return }
                told = clock.now
                Self.write("  \(done) of \(runs)\n", to: .standardError)
            }
            Self.write("\(trial.name), \(runs) runs, \((clock.now - start).components.seconds) s\n", to: .standardOutput)
            for figure in figures {
                Self.write("  \(figure.holds ? "✔" : "✘") \(Self.text(figure))\n", to: .standardOutput)
                broken += figure.holds ? 0 : 1
            }
        }
        guard broken == 0 else {
            Self.write("\(broken) figure(s) left their gates.\n", to: .standardOutput)
            throw ExitCode.failure
        }
        Self.write("All figures are within their gates.\n", to: .standardOutput)
    }

    private static func text(_ figure: Figure) -> String {
        let value = figure.value >= 10 ? String(Int(figure.value)) : String(format: "%.4f", figure.value)
        let gate = figure.gate.map { String(format: "  (gate %g … %g)", $0.lowerBound, $0.upperBound) } ?? ""
        return "\(value)  \(figure.name)\(gate)"
    }

    private static func write(_ text: String, to file: FileHandle) { try? file.write(contentsOf: Data(text.utf8)) }
}

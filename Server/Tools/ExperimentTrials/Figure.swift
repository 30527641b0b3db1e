// SPDX-License-Identifier: Apache-2.0

/// One figure of a trial, and the gate that it has to pass.
package struct Figure: Hashable, Sendable {
    package let name: String
    package let value: Double
    /// Nil if the figure has no gate.
    package let gate: ClosedRange<Double>?

    init(_ name: String, _ value: Double, _ gate: ClosedRange<Double>? = nil) {
        (self.name, self.value, self.gate) = (name, value, gate)
    }

    package var holds: Bool { gate?.contains(value) ?? true }
}

/// A trial: many experiments with a known true result, and what the statistics said about them.
package struct Trial: Sendable {
    package let name: String
    /// - Parameters: the number of runs, the seed, and a function that gets the number of finished runs.
    let figures: @Sendable (_ runs: Int, _ seed: UInt64, _ progress: (Int) -> Void) -> [Figure]

    package func run(runs: Int, seed: UInt64, progress: (Int) -> Void = { _ in }) -> [Figure] { figures(runs, seed, progress) }

    /// The salts that units are drawn by: one for a hundred runs, at least 8. Runs with the same salt have the same units in each
    /// variation, and other conversions.
    static func salts(_ runs: Int, looks: Int, epoch: Int = 1, share: Double = 0.5) -> [AssignedLooks] {
        (0..<max(8, runs / 100)).map {
            AssignedLooks(salt: "trial-\($0)#\(epoch)", looks: looks, share: share)
        }
    }

    /// 0.05 and three standard errors above, for so many runs.
    static func falsePositives(_ runs: Int) -> Double { 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot() }
}

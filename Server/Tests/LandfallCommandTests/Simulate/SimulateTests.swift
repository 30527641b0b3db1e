// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import LandfallCommand
@testable import LandfallSimulator

@Suite("The options of 'landfall simulate'", .timeLimit(.minutes(1)))
struct SimulateTests {
    private let nothing = FlagEnvironment([:])

    @Test("The scenario is typical by default, and its numbers can be changed")
    func settings() throws {
        let usual = try RealPhonesOptions.parse([]).world(nothing)
        let changed = try RealPhonesOptions.parse(["--set", "organic=0.5", "--set", "loss=0.1"]).world(nothing)

        #expect(usual.name == "typical")
        #expect((changed.organic, changed.loss, changed.appleMedian) == (0.5, 0.1, usual.appleMedian))
    }

    @Test(
        "A wrong scenario or number is refused",
        arguments: [["--scenario", "nice"], ["--set", "organic"], ["--set", "organic=many"], ["--set", "speed=1"]]
    )
    func refused(arguments: [String]) throws {
        let options = try RealPhonesOptions.parse(arguments)

        #expect(throws: (any Error).self) { try options.world(nothing) }
    }
}

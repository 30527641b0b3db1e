// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("The assumptions of a scenario", .timeLimit(.minutes(1)))
struct ScenarioTests {
    @Test("Every number of a scenario can be set", arguments: Scenario.numbers)
    func everyNumber(key: String) throws {
        let changed = try Scenario.typical.setting(key, to: 0.123)

        #expect(changed != .typical)
        #expect(changed.name == "typical")
    }

    @Test("An unknown number is refused, with the list of the known ones")
    func unknown() {
        #expect(throws: ScenarioError.unknownNumber("speed", known: Scenario.numbers)) {
            try Scenario.typical.setting("speed", to: 1)
        }
        #expect(throws: ScenarioError.self) { try Scenario.typical.setting("name", to: 1) }
        #expect(throws: ScenarioError.outOfRange("loss", -1)) { try Scenario.typical.setting("loss", to: -1) }
    }

    @Test("The same seed gives the same phone, whatever the number of phones")
    func sameSeed() {
        let phones = (0..<50).map { DrawnPhone($0, in: .hostile, seed: 7) }
        let again = (0..<10).map { DrawnPhone($0, in: .hostile, seed: 7) }
        let others = (0..<50).map { DrawnPhone($0, in: .hostile, seed: 8) }

        #expect(again == Array(phones.prefix(10)))
        #expect(others != phones)
        #expect(phones[3].network.plan(forConnection: 2) == again[3].network.plan(forConnection: 2))
    }

    @Test("The phones have the scenario's shares")
    func shares() {
        let phones = (0..<5_000).map { DrawnPhone($0, in: .typical, seed: 1) }
        func share(_ condition: (DrawnPhone) -> Bool) -> Double { Double(phones.count(where: condition)) / 5_000 }
        let trips = phones.map(\.network.roundTrip).sorted()

        #expect((0.67...0.73).contains(share(\.isOrganic)))
        #expect((0.08...0.12).contains(share { $0.treatment == .notFoundFirst }))
        #expect((0.01...0.03).contains(share { $0.treatment == .never }))
        #expect(phones.allSatisfy { $0.tokenDelay.map { (.milliseconds(50)...(.milliseconds(300))).contains($0) } ?? false })
        #expect((.milliseconds(75)...(.milliseconds(85))).contains(trips[2_500]))
        #expect((.milliseconds(270)...(.milliseconds(330))).contains(trips[4_750]))
    }

    @Test("A token contains the treatment that the scenario has drawn")
    func token() throws {
        let phones = (0..<500).map { DrawnPhone($0, in: .hostile, seed: 1) }

        for phone in phones {
            let token = try #require(SimulatedToken(phone.token(of: "side")))
            #expect(token.notFound == (phone.treatment == .notFoundFirst ? 1 : 0))
            #expect((token.ending == .silence) == (phone.treatment == .never))
        }
        #expect(Set(phones.map { $0.token(of: "a") } + phones.map { $0.token(of: "b") }).count == 1_000)
    }
}

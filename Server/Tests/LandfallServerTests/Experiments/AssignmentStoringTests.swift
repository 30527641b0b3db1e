// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The storing of an assignment", .timeLimit(.minutes(2)))
struct AssignmentStoringTests {
    private static let b = ExperimentServer.phone(in: "B")

    @Test("delays no answer: first open and paywall have the draw, and an event stores it when the store works again")
    func refused() async throws {
        let faults = StoreFaults()
        try await ExperimentServer.run(faults: faults) { server in
            _ = try await server.paywall(Self.b, "plain")
            faults.writes(.refuse(.diskLow))
            let answer = try await server.open(Self.b)["home"]
            let none = try await server.units()
            let paywall = try await server.paywall(Self.b)
            faults.heal()
            try await server.send([server.event(.paywallDecided, of: answer?.assignment, id: 1)], from: Self.b)

            #expect(answer?.assignment?.variation == "B" && none.isEmpty)
            // A paywall alone has the same draw.
            #expect(paywall.assignment == answer?.assignment)
            #expect(try await server.units().map { [$0.step, $0.variation] } == [["drawn", "B"]])
        }
    }

    @Test("takes one more read and one more write of a first open; a stored unit's paywall takes one more read, once")
    func statements() async throws {
        try await ExperimentServer.run { server in
            func counted(_ work: () async throws -> Void) async throws -> (reads: Int, writes: Int) {
                let recorded = try #require(server.server.services.database as? RecordingDatabase)
                let before = recorded.recorded.count
                try await work()
                let texts = recorded.recorded.dropFirst(before).map(\.statement.text)
                return (texts.count { $0.hasPrefix("SELECT") }, texts.count { !$0.hasPrefix("SELECT") })
            }

            let open = try await counted { _ = try await server.open(Self.b, device: "d") }
            let paywall = try await counted { _ = try await server.paywall(Self.b) }
            let again = try await counted { _ = try await server.paywall(Self.b) }
            let new = try await counted { _ = try await server.paywall(ExperimentServer.phone(in: "A", after: 50)) }

            #expect(open == (4, 3))
            #expect(paywall == (2, 0) && again == (0, 0))
            // The install is created by one transaction, and assigned by another.
            #expect(new.writes == 3, "\(new)")
        }
    }

    @Test("is found by the primary key", .sqlitePlans)
    func plan() async throws {
        let store = try await TestStore()
        let installs = store.installs
        _ = try await installs.enrol(
            TestStore.app, .mayasPhone, Enrollment(snapshot: Snapshot(try Configuration(yaml: ExperimentServer.yaml()), revision: 1), placements: ["home"]),
            nowMs: TestStore.noon)
        let texts = Set(store.database.recorded.map(\.statement.text)).filter { $0.hasPrefix("SELECT") && $0.contains("experiment_unit") }

        #expect(texts.count == 1)
        for text in texts {
            let plan = try await store.sqlitePlan(of: text)
            #expect(plan.contains("sqlite_autoindex_experiment_unit_1 (app_id=? AND unit=?)") && !plan.contains("SCAN"), "\(plan)")
        }
    }
}

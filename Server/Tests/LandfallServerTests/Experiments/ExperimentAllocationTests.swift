// SPDX-License-Identifier: Apache-2.0
import Allocations
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("What an experiment adds to an answer from memory", .timeLimit(.minutes(1)), .enabled(if: landfall_counts_allocations()))
struct ExperimentAllocationTests {
    @Test("gives no variation, to a unit that has its variation and for one outside the layer's range", arguments: [true, false])
    func allocations(isStored: Bool) throws {
        let yaml = ExperimentServer.yaml(more: isStored ? "" : "layer: { name: main, from: 0%, to: 0.0001% }")
        let snapshot = Snapshot(try Configuration(yaml: yaml), revision: 1), answering = PlacementAnswerBuilder(snapshot: snapshot)
        let phone = ExperimentServer.phone(in: "B")
        var install = Install(new: InstallID(phone.id), profileID: "i_1", epoch: 1, nowMs: 1)
        let draw = Draw(namespace: "experiment", salt: "spring-price#1", unit: phone.id)
        install.assignments = isStored
            ? [
                UnitAssignment(
                    unit: install.id, experiment: "spring-price", epoch: 1, variation: "B", bucket: Int64(draw.bucket), step: .drawn)
            ] : []
        let known = KnownInstall(AppID("example"), StoredInstall(secretHash: Array(repeating: 1, count: 32), install: install))
        func count(_ placement: PlacementID) throws -> UInt64 {
            var made: UInt64 = 0
            for round in 0..<20 {
                let facts = known.facts(in: snapshot, nowMs: 2)
                let before = landfall_allocations()
                let shown = try answering.matching(
                    placement, locale: nil, install: install, facts: facts, pending: .nothing, known: known)
                // The first rounds make what is remembered.
                if round >= 10 { made += landfall_allocations() - before }
                #expect((shown.answer.assignment != nil) == (isStored && placement == "home"))
                #expect(shown.storing == nil)
            }
            return made
        }

        let plain = try count("plain")
        #expect(try count("home") <= plain)
    }
}

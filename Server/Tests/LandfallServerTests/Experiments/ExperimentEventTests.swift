// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules
@testable import LandfallServer

@Suite("Events of an experiment", .timeLimit(.minutes(2)))
struct ExperimentEventTests {
    private static let b = ExperimentServer.phone(in: "B")

    private static func drawn(_ phone: Phone) -> Assignment {
        let bucket = Int64(Draw(namespace: "experiment", salt: "spring-price#1", unit: phone.id).bucket)
        return Assignment(experiment: "spring-price", epoch: 1, variation: bucket < 500_000 ? "A" : "B", bucket: bucket)
    }

    @Test("mark the unit's row with the earliest decision and exposure, by event time")
    func marks() async throws {
        try await ExperimentServer.run { server in
            let assignment = try #require(try await server.open(Self.b)["home"]?.assignment)
            let nowMs = server.server.services.time.nowMs()

            try await server.send(
                [
                    server.event(.paywallShown, of: assignment, id: 1, ageMs: 3_000),
                    server.event(.paywallDecided, of: assignment, id: 2, ageMs: 5_000),
                    server.event(.paywallShown, of: assignment, id: 3, ageMs: 4_000),
                    server.event(.paywallDecided, of: assignment, id: 4, ageMs: 1_000),
                ], from: Self.b)

            let unit = try #require(try await server.units().first)
            #expect((unit.decidedAtMs, unit.shownAtMs, unit.fallbackAtMs) == (nowMs - 5_000, nowMs - 4_000, nil))
        }
    }

    @Test("of another variation than the row's are not counted")
    func crossover() async throws {
        try await ExperimentServer.run { server in
            var assignment = try #require(try await server.open(Self.b)["home"]?.assignment)
            assignment.variation = "A"

            let results = try await server.send(
                [server.event(.paywallDecided, of: assignment, id: 1), server.event(.paywallShown, of: assignment, id: 2)], from: Self.b)

            let unit = try #require(try await server.units().first)
            #expect(results.map(\.status) == [.accepted, .accepted])
            #expect((unit.variation, unit.decidedAtMs, unit.shownAtMs) == ("B", nil, nil))
        }
    }

    @Test(
        "create the row of a unit that has none: drawn, if this server would have drawn the same",
        arguments: [true, false])
    func created(isOwn: Bool) async throws {
        try await ExperimentServer.run { server in
            var assignment = Self.drawn(Self.b)
            if !isOwn { assignment.variation = "A" }
            let nowMs = server.server.services.time.nowMs()

            try await server.send([server.event(.paywallShown, of: assignment, id: 1, ageMs: 10)], from: Self.b)

            let unit = try #require(try await server.units().first)
            #expect(unit.step == (isOwn ? "drawn" : "echoed") && unit.variation == assignment.variation.rawValue)
            #expect((unit.decidedAtMs, unit.shownAtMs) == (nil, nowMs - 10))
            #expect(try await server.paywall(Self.b).assignment == assignment)
        }
    }

    @Test("of an epoch that this server never opened create an echoed row, even if the draw is right: the unit keeps what it saw")
    func unknownEpoch() async throws {
        try await ExperimentServer.run { server in
            let bucket = Int64(Draw(namespace: "experiment", salt: "spring-price#9", unit: Self.b.id).bucket)
            let assignment = Assignment(experiment: "spring-price", epoch: 9, variation: bucket < 500_000 ? "A" : "B", bucket: bucket)

            try await server.send([server.event(.paywallDecided, of: assignment, id: 1)], from: Self.b)

            #expect(try await server.units().map(\.step) == ["echoed"])
            #expect(try await server.paywall(Self.b).assignment == assignment)
        }
    }

    @Test("and echoes of epochs that nobody has opened count in no result")
    func inventedEpochs() async throws {
        try await ExperimentServer.run { server in
            let phones = (0..<6).map { ExperimentServer.phone(in: "B", after: 20 * $0) }
            _ = try await server.open(phones[0])
            for (number, phone) in phones.enumerated() {
                let echo = #"{"experiment":"spring-price","epoch":\#(number + 1),"variation":"B","bucket":600000}"#
                if number.isMultiple(of: 2) { _ = try await server.open(phone, rest: #","assignments":[\#(echo)]"#) }
                let assignment = Assignment(experiment: "spring-price", epoch: Int64(number) + 1, variation: "B", bucket: 600_000)
                try await server.send(
                    [server.event(.paywallDecided, of: assignment, id: 1), server.event(.paywallShown, of: assignment, id: 2)], from: phone)
            }
            let services = server.server.services

            let experiment = try #require(services.snapshot.resultsExperiments.first)

            #expect(try await Set(server.units().map(\.epoch)) == [1, 2, 3, 4, 5, 6])
            #expect(try await services.experiments.all(in: services.snapshot).experiments.map(\.units) == [1])
            #expect(try await services.experiments.numbers(of: experiment, in: services.snapshot).facts.echoed == 0)
        }
    }

    @Test("of an earlier epoch are compared with its own weights")
    func earlierEpoch() async throws {
        try await ExperimentServer.run { server in
            try await server.publish(ExperimentServer.yaml("A: { weight: 100, paywall: default }, B: { weight: 0, paywall: special }"))

            try await server.send([server.event(.paywallDecided, of: Self.drawn(Self.b), id: 1)], from: Self.b)

            #expect(try await server.units().map { [$0.step, $0.variation] } == [["drawn", "B"]])
        }
    }

    @Test(
        "about unknown experiments and variations create no row, but are stored",
        arguments: [
            Assignment(experiment: "gone", epoch: 1, variation: "A", bucket: 1),
            Assignment(experiment: "spring-price", epoch: 1, variation: "Z", bucket: 1),
        ])
    func unknown(assignment: Assignment) async throws {
        try await ExperimentServer.run { server in
            let results = try await server.send([server.event(.paywallShown, of: assignment, id: 1)], from: Self.b)

            #expect(results.map(\.status) == [.accepted])
            #expect(try await server.units().isEmpty)
        }
    }

    @Test(
        "with an assignment that no server makes are refused with a stable code",
        arguments: [
            Assignment(experiment: "spring-price", epoch: 0, variation: "A", bucket: 1),
            Assignment(experiment: "spring-price", epoch: 1, variation: "A", bucket: -1),
            Assignment(experiment: "spring-price", epoch: 1, variation: "A", bucket: 1_000_000),
            Assignment(experiment: "", epoch: 1, variation: "A", bucket: 1),
            Assignment(experiment: "spring-price", epoch: 1, variation: "", bucket: 1),
            Assignment(experiment: ExperimentID(String(repeating: "x", count: 49)), epoch: 1, variation: "A", bucket: 1),
            Assignment(experiment: "spring-price", epoch: 1, variation: VariationName(String(repeating: "x", count: 33)), bucket: 1),
        ])
    func refused(assignment: Assignment) async throws {
        try await ExperimentServer.run { server in
            let results = try await server.send([server.event(.paywallShown, of: assignment, id: 1)], from: Self.b)

            #expect(results.map(\.status) == [.rejected])
            #expect(results.map(\.code) == [.invalidValue])
        }
    }

    @Test("of a fallback before the assignment's own paywall are noted with the row")
    func fallback() async throws {
        try await ExperimentServer.run { server in
            let assignment = try await server.open(Self.b)["home"]?.assignment
            let nowMs = server.server.services.time.nowMs()

            try await server.send(
                [
                    server.event(.paywallShown, of: nil, id: 1, ageMs: 90, origin: "bundled"),
                    server.event(.paywallShown, of: nil, id: 2, ageMs: 99, placement: "plain", origin: "bundled"),
                    server.event(.paywallShown, of: assignment, id: 3, ageMs: 10, origin: "matchingAudience"),
                ], from: Self.b)

            let unit = try #require(try await server.units().first)
            #expect((unit.shownAtMs, unit.fallbackAtMs) == (nowMs - 10, nowMs - 90))
        }
    }

    @Test("and echoes give the same row in any order and however often they come", arguments: 1...12)
    func order(seed: UInt64) async throws {
        var numbers = SeededRandom(seed: seed)
        let phone = ExperimentServer.phone(in: seed.isMultiple(of: 2) ? "A" : "B", after: Int(seed))
        let assignment = Self.drawn(phone)
        let crossover = Assignment(
            experiment: assignment.experiment, epoch: 1, variation: assignment.variation == "A" ? "B" : "A", bucket: assignment.bucket)
        let ages = (0..<4).map { _ in Int64.random(in: 0...10_000, using: &numbers) }
        let orders = (0..<3).map { _ in (0..<8).shuffled(using: &numbers) + (0..<4).map { _ in Int.random(in: 0..<8, using: &numbers) } }

        for order in orders {
            try await ExperimentServer.run { server in
                // The row is the open's, so that a crossover never makes it.
                _ = try await server.open(phone)
                let nowMs = server.server.services.time.nowMs()
                for step in order {
                    switch step {
                    case 0, 1: try await server.send([server.event(.paywallShown, of: assignment, id: step, ageMs: ages[step])], from: phone)
                    case 2, 3: try await server.send([server.event(.paywallDecided, of: assignment, id: step, ageMs: ages[step])], from: phone)
                    case 4: try await server.send([server.event(.paywallShown, of: crossover, id: 4, ageMs: 20_000)], from: phone)
                    case 5: _ = try await server.open(phone)
                    case 6:
                        _ = try await server.open(
                            phone, rest: #","assignments":[{"experiment":"spring-price","epoch":1,"variation":"\#(crossover.variation)","bucket":3}]"#)
                    default: _ = try await server.paywall(phone)
                    }
                }
                let units = try await server.units()
                #expect(units.count == 1 && units[0].step == "drawn" && units[0].variation == assignment.variation.rawValue)
                #expect(units[0].shownAtMs == nowMs - max(ages[0], ages[1]))
                #expect(units[0].decidedAtMs == nowMs - max(ages[2], ages[3]))
            }
        }
    }
}

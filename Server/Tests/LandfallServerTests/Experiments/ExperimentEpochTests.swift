// SPDX-License-Identifier: Apache-2.0
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Epochs", .timeLimit(.minutes(1)))
struct ExperimentEpochTests {
    private static func experiment(_ epoch: Int64?, weights: [Int64] = [50, 50], paywall: String = "default") throws -> Experiment {
        let yaml = ExperimentServer.yaml("A: { weight: \(weights[0]), paywall: default }, B: { weight: \(weights[1]), paywall: \(paywall) }")
        let line = epoch.map { "epoch: \($0)\n    state: live" } ?? "state: live"
        return try #require(try Configuration(yaml: yaml.replacing("state: live", with: line)).experiments.first)
    }

    @Test(
        "The server counts epochs if the file does not: the next one begins with other weights or variations",
        arguments: [
            (nil, nil, [50, 50], "default", 1), (4, nil, [50, 50], "default", 4), (nil, 3, [50, 50], "default", 3),
            (nil, 3, [50, 51], "default", 4), (nil, 3, [50, 50], "special", 4), (3, 3, [50, 50], "default", 3), (3, 3, [50, 51], "default", 4),
            (7, 3, [50, 50], "default", 7),
        ] as [(Int64?, Int64?, [Int64], String, Int64)])
    func next(written: Int64?, stored: Int64?, weights: [Int64], paywall: String, expected: Int64) throws {
        let before = try Self.experiment(nil)
        var epochs = ExperimentEpochs(app: AppID("example"), experiments: [])
        epochs.shown[before.id] = .init(epoch: stored ?? 1, variations: before.variations)
        let last = stored.map { ExperimentEpochs.Stored(epoch: $0, weights: ExperimentEpochs.weights(of: before)) }

        let next = try epochs.next(try Self.experiment(written, weights: weights, paywall: paywall), after: last)

        #expect(next == expected)
    }

    @Test("A lower epoch than the store's is refused, at its line and column")
    func lower() async throws {
        try await ExperimentServer.run { server in
            try await server.publish(ExperimentServer.yaml("A: { weight: 1, paywall: default }"))
            let publishing = server.server.services.publishing
            let order = VersionPublisher.Order(
                text: ExperimentServer.yaml(more: "epoch: 1"), author: .init(name: "maya", mayChangeEverything: true))

            let refusal = await #expect(throws: PublishingRefusal.self) { try await publishing.carryOut(order, .silent) }

            guard case .invalid(let problems)? = refusal, let problem = problems.problems.first else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect((problem.line, problem.column, problem.path) == (13, 12, "experiments.spring-price.epoch"))
            #expect(problem.message == "The experiment 'spring-price' is in epoch 2 already, and the file says 1. Write 'epoch: 2', or leave it out: then the server counts.")
        }
    }

    @Test("Publishing says that another epoch begins, and the file of the version has the epoch that was counted")
    func said() async throws {
        try await ExperimentServer.run { server in
            let publishing = server.server.services.publishing
            let text = ExperimentServer.yaml("A: { weight: 1, paywall: default }, B: { weight: 2, paywall: special }")

            let answer = try await publishing.carryOut(
                VersionPublisher.Order(text: text, author: .init(name: "maya", mayChangeEverything: true)), .silent)

            #expect(answer.warnings.map(\.message) == ["The experiment 'spring-price' begins epoch 2: new units are drawn anew, and units that have a variation keep it."])
            #expect(server.server.services.snapshot.epochs == [2])
            let version = try #require(try await publishing.store.newest())
            let exported = try await publishing.store.exported(version)
            #expect(version.text == text && exported != text)
            #expect(try Configuration(yaml: exported).experiments.first?.epoch == 2)
        }
    }

    @Test("Exporting adds the epoch that the server counted and nothing else, and publishing the exported file begins no epoch")
    func exported() async throws {
        try await ExperimentServer.run { server in
            let publishing = server.server.services.publishing
            let version = try #require(try await publishing.store.newest())

            let exported = try await publishing.store.exported(version)
            let answer = try await publishing.carryOut(
                VersionPublisher.Order(text: exported, author: .init(name: "maya", mayChangeEverything: true)), .silent)

            let added = exported.split(separator: "\n").filter { $0.contains("epoch: 1") }
            let rest = exported.split(separator: "\n").filter { !$0.contains("epoch: 1") }
            #expect(added.count == 1 && rest == version.text.split(separator: "\n"))
            #expect(answer.warnings.isEmpty)
            #expect(try await server.epochs().count == 1)
            let newest = try #require(try await publishing.store.newest())
            #expect(try await publishing.store.exported(newest) == exported)
        }
    }

    @Test("A rollback to other weights begins a new epoch, and does not go back to the old one")
    func rollback() async throws {
        try await ExperimentServer.run { server in
            let first = ExperimentServer.yaml(), second = ExperimentServer.yaml("A: { weight: 1, paywall: default }")
            for text in [second, first] { try await server.publish(text) }

            #expect(server.server.services.snapshot.epochs == [3])
            #expect(try await server.epochs().map { $0.prefix(1) } == ["1", "2", "3"])
        }
    }

    @Test(
        "An experiment that was edited while it was stopped begins an epoch when it is live again; an unchanged one does not",
        arguments: [("stopped", "special", ["1", "2"]), ("draft", "special", ["1", "2"]), ("stopped", "default", ["1"])])
    func editedWhileStopped(state: String, paywall: String, expected: [String]) async throws {
        @Sendable func weights(_ paywall: String) -> String { "A: { weight: 50, paywall: default }, B: { weight: 50, paywall: \(paywall) }" }
        try await ExperimentServer.run(ExperimentServer.yaml(weights("default"))) { server in
            for state in [state, state, "live"] { try await server.publish(ExperimentServer.yaml(weights(paywall), state: state, title: state)) }
            // A later version changes nothing of it.
            try await server.publish(ExperimentServer.yaml(weights(paywall), title: "Again"))

            #expect(try await server.epochs().map { String($0.prefix(1)) } == expected)
        }
    }

    @Test("A file that is the newest version already opens no epoch and is never refused, even if its epoch differs from the server's")
    func sameFileAgain() async throws {
        try await ExperimentServer.run { server in
            let other = ExperimentServer.yaml("A: { weight: 1, paywall: default }", more: "epoch: 1")
            // The second time as after a restart.
            for _ in 0..<2 { try await server.publish(other) }

            #expect(try await server.epochs().map { $0.prefix(1) } == ["1", "2"])
            #expect(server.server.services.snapshot.epochs == [2])
            let order = VersionPublisher.Order(text: other, author: .init(name: "maya", mayChangeEverything: true))
            let answer = try await server.server.services.publishing.carryOut(order, .silent)
            #expect(answer.version == 2 && answer.warnings.isEmpty)
        }
    }

    @Test("An experiment that an earlier release continued after an edit stays in its epoch until its next change")
    func earlierRelease() async throws {
        let edited = ExperimentServer.yaml("A: { weight: 50, paywall: default }, B: { weight: 50, paywall: special }")
        try await ExperimentServer.run { server in
            let store = ConfigurationStore(server.server.services.database)
            // Without its experiments: so nothing compares them.
            _ = try await store.publishFile(edited, isOwner: true, nowMs: server.server.services.time.nowMs())

            for text in [edited, edited + "# The same.\n"] { try await server.publish(text) }
            #expect(try await server.epochs().count == 1)
            try await server.publish(ExperimentServer.yaml("A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default }"))
            #expect(try await server.epochs().count == 2)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallServer
@testable import LandfallStore

@Suite("A job that a phone waits for and another node has", .timeLimit(.minutes(1)))
struct JobTakeoverTests {
    private static let name = JobName(app: TestStore.app, kind: .appleAds, key: "a")
    private let clock = ManualClock()
    private var nowMs: Int64 { clock.serverTime.nowMs() }
    private let work = JobWork(kind: .appleAds, concurrency: 2, leaseMs: 30_000) { _ in .done }

    private struct Bench {
        let store: TestStore
        let nodes: ScriptedNodes
        let places: JobSlots
        /// As the other node took it.
        let job: Job
        let other: JobQueue
        let takeover: JobTakeover
    }

    private func bench(_ body: (Bench) async throws -> Void) async throws {
        let store = try await TestStore(), nodes = ScriptedNodes(store.database), places = JobSlots(of: nodes.node)
        let other = JobQueue(database: store.database, node: NodeName("other"))
        try await other.add([Self.name], dueAtMs: nowMs)
        let job = try #require(try await other.lease(.appleAds, 1, nowMs: nowMs, leaseMs: 30_000).first)
        places.open([work])
        let takeover = JobTakeover(
            queue: JobQueue(database: nodes, node: nodes.node), nodes: nodes, places: places, time: clock.serverTime,
            telemetry: JobTelemetry(logger: .silent, factory: PrometheusRegistry()))
        try await body(Bench(store: store, nodes: nodes, places: places, job: job, other: other, takeover: takeover))
    }

    @Test("is taken at once if that node has missed a beat, or has left", arguments: [[("other", 1_500)], []] as [[(String, Int64)]])
    func silent(others: [(String, Int64)]) async throws {
        try await bench { bench in
            bench.nodes.see(others)

            await bench.takeover.look(after: Self.name)

            let taken = try #require(bench.places.takeStored().first)
            #expect(taken.name == Self.name && taken.attempts == 2 && taken.leaseUntilMs > bench.job.leaseUntilMs)
            // What the other one does now comes too late.
            try await bench.other.move(bench.job, .done)
            try await bench.other.endLeases(of: NodeName("other"))
            #expect(try await bench.other.lease(.appleAds, 1, nowMs: nowMs + 1, leaseMs: 30_000).isEmpty)
            #expect(try await bench.store.count(of: "job") == 1)
        }
    }

    @Test("is looked at again when that node has had the time for a beat: if it beats, it keeps the job", arguments: [true, false])
    func doubted(beats: Bool) async throws {
        try await bench { bench in
            bench.nodes.see([("other", 1_499)])
            let look = Task { await bench.takeover.look(after: Self.name) }
            await clock.waitForSleeper()
            #expect(bench.places.takeStored().isEmpty)

            bench.nodes.see([("other", beats ? 300 : 1_500)])
            clock.advance(by: .milliseconds(1))
            await look.value

            #expect(bench.places.takeStored().isEmpty == beats)
            #expect(bench.places.isFree(JobWork(kind: .appleAds, concurrency: beats ? 1 : 2) { _ in .done }))
        }
    }

    @Test("goes to one of several nodes that want it")
    func both() async throws {
        try await bench { bench in
            let third = NodeName("third"), queue = JobQueue(database: bench.store.database, node: third)
            let holder = try #require(try await queue.otherHolder(of: Self.name))
            let lease = JobLease(untilMs: holder.untilMs, node: third)
            bench.nodes.see([])
            await bench.takeover.look(after: Self.name)

            #expect(try await queue.take(Self.name, from: holder, by: lease) == nil)
            #expect(try await queue.otherHolder(of: Self.name)?.node == bench.nodes.node)
            #expect(try await JobQueue(database: bench.store.database, node: bench.nodes.node).otherHolder(of: Self.name) == nil)
        }
    }

    @Test("A phone's repeat makes its node look, also while it looks; the call that brought the token does not")
    func repeated() async throws {
        let store = try await TestStore(), places = JobSlots(of: NodeName("own"))
        places.open([work])
        let installs = SQLInstallStore(store.database, store.mark, places: places)
        func open() async throws {
            _ = try await installs.open(
                TestStore.app, .mayasPhone, Opening(device: DeviceFacts(), adToken: .value("token"), attributes: [:]), nowMs: nowMs)
        }
        try await open()
        #expect(places.takeDoubts().isEmpty)

        let name = try #require(places.takeStored().first).name
        try await open()
        #expect(places.takeDoubts() == [name])
        #expect(!places.isDoubtedAgain(name))
        for _ in 0..<2 { try await open() }
        #expect(places.takeDoubts() == [name])
        #expect(places.isDoubtedAgain(name))
        #expect(!places.isDoubtedAgain(name))
        _ = try await installs.report(TestStore.app, .mayasPhone, .value("token"), nowMs: nowMs)
        #expect(places.takeDoubts() == [name])
    }
}

// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("A node's heartbeat", .timeLimit(.minutes(1)))
struct HeartbeatTests {
    private let news = VersionNews()
    private static let kind = JobKind(rawValue: "test")

    private func bench(_ body: (ScriptedNodes, Heartbeat, TestStore) async throws -> Void) async throws {
        let store = try await TestStore(), nodes = ScriptedNodes(store.database)
        let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in })
        let live = LiveConfiguration(Snapshot(.sample(), revision: 1))
        try await body(nodes, Heartbeat(nodes, mark: store.mark, live, news, time: time, logger: .silent), store)
    }

    @Test("gives the node's jobs back before its entry goes; if that fails, the entry stays for others to find", arguments: [true, false])
    func leaves(works: Bool) async throws {
        try await bench { nodes, heartbeat, store in
            let own = JobQueue(database: store.database, node: nodes.node), other = JobQueue(database: store.database, node: NodeName("other"))
            try await own.add([JobName(app: TestStore.app, kind: Self.kind, key: "a")], dueAtMs: TestStore.noon)
            #expect(try await own.lease(Self.kind, 1, nowMs: TestStore.noon, leaseMs: 30_000).count == 1)
            if !works { _ = try await store.database.write { try $0.run("ALTER TABLE job RENAME TO hidden") } }

            await heartbeat.leave()

            #expect(nodes.hasLeft.withLock(\.self) == works)
            if works { #expect(try await other.lease(Self.kind, 1, nowMs: TestStore.noon + 1, leaseMs: 30_000).count == 1) }
        }
    }

    @Test("counts the nodes that live, and frees the jobs of one that two beats in a row find silent")
    func dead() async throws {
        try await bench { nodes, heartbeat, store in
            let queue = JobQueue(database: store.database, node: NodeName("dying"))
            try await queue.add([JobName(app: TestStore.app, kind: Self.kind, key: "a")], dueAtMs: TestStore.noon)
            func lease(_ name: String, _ pastMs: Int64) async throws -> Int {
                let queue = JobQueue(database: store.database, node: NodeName(name))
                return try await queue.lease(Self.kind, 1, nowMs: TestStore.noon + pastMs, leaseMs: 30_000).count
            }
            #expect(try await lease("dying", 0) == 1)

            nodes.see([("dying", 2_999)])
            for _ in 0..<2 { await heartbeat.beat() }
            #expect(heartbeat.condition.living == 2)
            #expect(try await lease("other", 1) == 0)
            nodes.see([("dying", 3_000)])
            await heartbeat.beat()
            #expect(heartbeat.condition.living == 1)
            #expect(try await lease("other", 2) == 0)
            await heartbeat.beat()
            #expect(try await lease("other", 3) == 1)
            #expect(nodes.forgotten == ["dying"])
        }
    }

    @Test("tells the health page every node, this one marked, and since when the database is away")
    func health() async throws {
        try await bench { nodes, heartbeat, _ in
            #expect(heartbeat.health == nil)
            nodes.see([("other", 3_001)], nowMs: TestStore.noon - 5)
            await heartbeat.beat()

            let health = try #require(heartbeat.health)
            #expect(health.nodes.map(\.name) == ["own", "other"] && health.nodes.map(\.isThis) == [true, false])
            #expect(health.nodes.map(\.silentMs) == [0, 3_001] && health.nodes.map(\.clockAheadMs) == [5, 0])
            #expect(health.awaySinceMs == nil)
            nodes.isAway()
            await heartbeat.beat()
            #expect(heartbeat.health?.nodes == health.nodes && heartbeat.health?.awaySinceMs == TestStore.noon)
        }
    }

    @Test("A node is alone if no other has an entry; silent ones are looked at again, because after the database was away all are silent")
    func alone() async throws {
        let store = try await TestStore(), nodes = ScriptedNodes(store.database), slept = Mutex<[Duration]>([])
        func isAlone(beside others: [(String, Int64)], later: [(String, Int64)] = []) async throws -> Bool {
            nodes.see(others)
            let time = ServerTime(
                nowMs: { TestStore.noon },
                sleep: { pause in
                    slept.withLock { $0.append(pause) }
                    nodes.see(later)
                })
            return try await nodes.isAlone(by: time)
        }

        #expect(try await isAlone(beside: []))
        #expect(try await !isAlone(beside: [("a", 2_999), ("dead", 3_000)]))
        #expect(slept.withLock(\.self).isEmpty)
        #expect(try await !isAlone(beside: [("a", 600_000), ("dead", 600_000)], later: [("a", 900), ("dead", 607_000)]))
        #expect(try await isAlone(beside: [("dead", 3_000)], later: [("dead", 10_000)]))
        #expect(slept.withLock(\.self) == [.seconds(7), .seconds(7)])
    }

    @Test("A node that starts beside silent ones shows no second link for the first owner before they had the time for a beat")
    func firstOwner() async throws {
        let store = try await TestStore(), nodes = ScriptedNodes(store.database)
        let invitations = Invitations(database: nodes, app: TestStore.app)
        _ = try await invitations.setUp(.drawn(), by: NodeName("first"), nowMs: TestStore.noon)
        func link(ifSeenLater later: [(String, Int64)]) async -> String? {
            nodes.see([("first", 9_000)])
            let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in nodes.see(later) })
            let invitation = FirstOwnerInvitation(
                invitations: invitations, place: ConsolePlace(), file: nil, others: { try await nodes.livingOthers(by: time) }, time: time,
                logger: .silent)
            return await invitation.link(at: "http://here")
        }

        #expect(await link(ifSeenLater: [("first", 900)]) == nil)
        #expect(await link(ifSeenLater: [("first", 16_000)])?.hasPrefix("http://here/console/setup?token=") == true)
    }

    @Test("tells the node's limits how many nodes share them; while the database is away, the last number counts")
    func shares() async throws {
        let store = try await TestStore(), nodes = ScriptedNodes(store.database)
        let services = ServingNode(
            Snapshot(.sample(), revision: 1), nodes, store.mark, ScriptedAppleAds(),
            time: ServerTime(nowMs: { TestStore.noon }, sleep: { _ in }), logger: .silent
        ).services
        let heartbeat = try #require(services.heartbeat), home = ClientAddress("192.0.2.7")
        // Each time in a window of its own: addresses of one window may share a counter.
        var nowMs = TestStore.noon
        func isRefused(_ count: Int) -> Bool {
            nowMs += AddressLimit.windowMs
            for _ in 0..<count { services.wrongTokensByAddress.count(home, nowMs: nowMs) }
            return (try? services.wrongTokensByAddress.check(home, nowMs: nowMs)) == nil
        }
        func isRefused(_ limit: AddressLimit) -> Bool {
            for _ in 0..<(limit.most + 3) / 4 { limit.count(home, nowMs: TestStore.noon) }
            return (try? limit.check(home, nowMs: TestStore.noon)) == nil
        }

        #expect(!isRefused(99) && isRefused(100))
        nodes.see([("a", 0), ("b", 2_999), ("c", 100), ("dead", 3_000)])
        await heartbeat.beat()
        #expect(!isRefused(24) && isRefused(25))
        nodes.isAway()
        await heartbeat.beat()
        #expect(isRefused(26) && isRefused(services.unprovenClicks))
    }

    @Test("frees nobody's jobs when the database is back: all others look silent at first")
    func back() async throws {
        try await bench { nodes, heartbeat, store in
            nodes.see([("other", 100)])
            await heartbeat.beat()
            nodes.isAway()
            for _ in 0..<3 { await heartbeat.beat() }
            nodes.see([("other", 9_000)])
            await heartbeat.beat()
            nodes.see([("other", 100)])
            await heartbeat.beat()
            #expect(nodes.forgotten == [])
            #expect(heartbeat.condition.living == 2)
        }
    }

    @Test("knows since when the database is away, and when it is back")
    func away() async throws {
        try await bench { nodes, heartbeat, _ in
            nodes.isAway()
            await heartbeat.beat()
            #expect(heartbeat.condition.awaySinceMs == TestStore.noon)
            nodes.see([])
            await heartbeat.beat()
            #expect(heartbeat.condition.awaySinceMs == nil)
        }
    }

    @Test(
        "sees that the store was replaced by another, restored with another epoch, or moved",
        arguments: [
            "UPDATE store SET store_id = 'another'", "UPDATE store SET epoch = epoch + 1",
            "INSERT INTO schema_migration (id, position, older_releases) VALUES ('moved to there', -1, 'refused')",
        ])
    func replaced(change: String) async throws {
        try await bench { nodes, heartbeat, store in
            nodes.see([])
            await heartbeat.beat()
            #expect(!heartbeat.condition.isReplaced)

            _ = try await store.database.write { try $0.run(change) }
            await heartbeat.beat()

            #expect(heartbeat.condition.isReplaced)
            for await _ in heartbeat.serving {}
        }
    }

    @Test("sees a version of the configuration that was not told")
    func version() async throws {
        try await bench { nodes, heartbeat, store in
            for text in ["apps: []", "apps: [] # newer"] { _ = try await ConfigurationStore(store.database).publish(text, nowMs: 1) }
            nodes.see([])

            await heartbeat.beat()

            for await _ in news.stream { break }
        }
    }

    @Test(
        "is not ready on a schema that a newer release forbids to older ones, and is on one that allows them",
        arguments: [("refused", false), ("read_and_write", true)])
    func newer(olderReleases: String, isReady: Bool) async throws {
        try await bench { nodes, heartbeat, store in
            nodes.see([])
            await heartbeat.beat()
            #expect(heartbeat.condition.isReady)

            _ = try await store.database.write {
                try $0.run("INSERT INTO schema_migration (id, position, older_releases) VALUES ('2099-01-01 next', 99, $1)", [.text(olderReleases)])
            }
            await heartbeat.beat()

            #expect(heartbeat.condition.isReady == isReady)
            #expect((heartbeat.condition.schemaRefusal == nil) == isReady)
        }
    }

    @Test(
        "compares the clocks: a difference of more than ten seconds in either direction is too much, at the second beat, if another node's is not the same",
        arguments: [
            (10_000, 0, true), (10_001, 0, false), (-10_001, 0, false), (20_000, 18_000, true), (20_000, 17_999, false), (20_000, 22_001, false),
            (20_000, nil, true),
        ] as [(Int64, Int64?, Bool)])
    func clocks(aheadMs: Int64, othersAheadMs: Int64?, isRight: Bool) async throws {
        try await bench { nodes, heartbeat, _ in
            nodes.see(othersAheadMs.map { _ in [("other", 100)] } ?? [], nowMs: TestStore.noon - aheadMs, aheadMs: othersAheadMs ?? 0)
            await heartbeat.beat()
            #expect(heartbeat.condition.clockAheadMs == aheadMs)
            #expect(heartbeat.condition.isClockRight)
            await heartbeat.beat()
            #expect(heartbeat.condition.isClockRight == isRight)

            nodes.see([])
            await heartbeat.beat()
            #expect(heartbeat.condition.isClockRight)
        }
    }

    @Test("reads the database's clock at each beat that is quick", arguments: [(200, 5_000), (251, 0)] as [(Int64, Int64)])
    func storeClock(takesMs: Int64, aheadMs: Int64) async throws {
        let store = try await TestStore(), nodes = ScriptedNodes(store.database), begun = Mutex(false)
        // Before a beat, and after it.
        let time = ServerTime(
            nowMs: {
                begun.withLock { begun in
                    defer { begun.toggle() }
                    return begun ? TestStore.noon + takesMs : TestStore.noon
                }
            }, sleep: { _ in })
        let heartbeat = Heartbeat(
            nodes, mark: store.mark, LiveConfiguration(Snapshot(.sample(), revision: 1)), news, time: time, logger: .silent)
        nodes.see([], nowMs: TestStore.noon + takesMs / 2 - 5_000)

        await heartbeat.beat()

        #expect(heartbeat.storeClock.ms(at: TestStore.noon) == TestStore.noon - aheadMs)
    }

    @Test("does not compare its clock with that of a dead node")
    func deadClock() async throws {
        try await bench { nodes, heartbeat, _ in
            nodes.see([("dead", 3_000)], nowMs: TestStore.noon - 20_000)
            for _ in 0..<2 { await heartbeat.beat() }
            #expect(heartbeat.condition.isClockRight)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// The same store, without what it tells its observers.
private struct DeafDatabase: PassingDatabase {
    let base: any Database
    let observers = StoreObservers()

    init(_ base: any Database) { self.base = base }
}

@Suite("What happens on all nodes, as it happens", .timeLimit(.minutes(1)))
struct LiveReadingTests {
    private static let app = TestStore.app

    /// One node's feed, by a clock that the test moves.
    private struct Node {
        let feed = LiveFeed()
        let reading: LiveReading

        init(_ store: TestStore, _ clock: Clock, through database: (any Database)? = nil) {
            reading = LiveReading(
                database ?? store.database, app: LiveReadingTests.app, mark: store.mark, feed: feed, time: clock.time)
        }

        var rows: [LiveRow] { feed.rows(after: 0, nil, limit: 100) }
        var kinds: [LiveRow.Kind] { rows.map(\.kind) }
    }

    private final class Clock: Sendable {
        private let atMs = Mutex(TestStore.noon)
        var nowMs: Int64 { atMs.withLock(\.self) }
        var time: ServerTime { ServerTime(nowMs: { self.nowMs }, sleep: { _ in throw CancellationError() }) }
        func advance(byMs ms: Int64 = 1_000) { atMs.withLock { $0 += ms } }
    }

    private static func tap(_ clicks: SQLClickStore, _ path: String, atMs: Int64) async throws {
        let click = Click(
            id: UUIDv7.make(nowMs: atMs), atMs: atMs, kind: .person, platform: .ios, host: "h", path: try LinkPath(path), outcome: .store,
            visitor: 1, country: nil, labels: LinkLabels())
        try await clicks.record(click, handing: [], waiting: nil, of: app)
    }

    private static func claim(_ installs: SQLInstallStore, _ key: IdempotencyKey, atMs: Int64) async throws {
        let claim = AttributionClaim(key: key, source: AttributionSource("source-\(key.rawValue)"), status: .nonOrganic)
        _ = try await installs.record(app, .mayasPhone, claim, nowMs: atMs)
    }

    @Test("Every node shows each fact once, in the same words and with the same key")
    func once() async throws {
        let store = try await TestStore(), clock = Clock(), nodes = (0..<2).map { _ in Node(store, clock) }
        try await store.open(.mayasPhone)
        try await Self.tap(store.clicks, "/a", atMs: TestStore.noon + 1)
        var shown = Event(id: "0199b0a1-0000-7000-8000-000000000001", type: .paywallShown, ageMilliseconds: 0)
        shown.placement = "onboarding"
        _ = try await store.events.record(EventBatch(events: [shown]), Self.app, .mayasPhone, nowMs: TestStore.noon + 2)

        for _ in 0..<3 {
            for node in nodes { try await node.reading.read() }
            clock.advance()
        }

        #expect(nodes[0].kinds == [.firstOpen, .tap, .exposure])
        #expect(nodes[0].rows == nodes[1].rows)
        #expect(Set(nodes[0].rows.compactMap(\.key)).count == 3)
        #expect(nodes[0].rows.allSatisfy { $0.withoutInstall.key == $0.key && $0.withoutInstall.install == nil })
    }

    @Test("The same ids have other keys in another store, so that nobody recognises by the key an install whose id they know")
    func keys() async throws {
        var keys = Set<Int64?>()
        for _ in 0..<2 {
            let store = try await TestStore(), node = Node(store, Clock())
            try await store.open(.mayasPhone)
            try await node.reading.read()
            keys.formUnion(node.rows.map(\.key))
        }

        #expect(keys.count == 2 && !keys.contains(nil))
    }

    @Test("A fact is shown although it becomes visible after later ones, within twenty seconds of the last look")
    func late() async throws {
        let store = try await TestStore(), clock = Clock(), node = Node(store, clock)
        try await Self.tap(store.clicks, "/first", atMs: clock.nowMs)
        try await node.reading.read()

        for (path, earlierMs) in [("/a", 20_000), ("/b", 20_001), ("/c", 10)] as [(String, Int64)] {
            try await Self.tap(store.clicks, path, atMs: TestStore.noon - earlierMs)
        }
        clock.advance()
        try await node.reading.read()

        #expect(node.rows.map(\.subject) == ["h/first", "h/a", "h/c"])
    }

    @Test("An install's new source is shown long after its first open, and its other changes show nothing old")
    func attribution() async throws {
        let store = try await TestStore(), clock = Clock()
        try await store.open(.mayasPhone, nowMs: TestStore.noon - 2 * TestStore.hour)
        try await Self.claim(store.installs, "a", atMs: TestStore.noon - TestStore.hour)
        let node = Node(store, clock)
        try await node.reading.read()
        #expect(node.kinds == [.firstOpen, .attribution])

        clock.advance()
        try await Self.claim(store.installs, "b", atMs: clock.nowMs)
        try await node.reading.read()
        clock.advance()
        _ = try await store.installs.change(
            Self.app, .mayasPhone, AttributeChanges(key: "c", attributes: ["plan": "gold"]), nowMs: clock.nowMs)
        try await node.reading.read()

        #expect(node.kinds == [.firstOpen, .attribution, .attribution])
    }

    @Test("What a deaf node missed is found among the newest installs once it hears that it missed something")
    func missed() async throws {
        let store = try await TestStore(), clock = Clock(), deaf = DeafDatabase(store.database)
        try await store.open(.mayasPhone, nowMs: TestStore.noon - 2 * TestStore.hour)
        let node = Node(store, clock, through: deaf)
        try await node.reading.read()
        clock.advance()
        try await Self.claim(store.installs, "a", atMs: clock.nowMs)
        try await node.reading.read()
        #expect(node.kinds == [.firstOpen])

        deaf.observers.tell(.missed)
        clock.advance()
        try await node.reading.read()

        #expect(node.kinds == [.firstOpen, .attribution])
    }

    @Test("Changed installs are remembered from the first read on, each once, and no more of them than a read asks for")
    func remembered() {
        let changed = ChangedInstalls(of: Self.app)
        func change(_ numbers: Range<Int>, in app: AppID = Self.app) {
            changed.hear(.changed(numbers.map { .install(InstallID("\($0)"), in: app) }))
        }
        func ids(_ numbers: Range<Int>) -> Set<InstallID> { Set(numbers.map { InstallID("\($0)") }) }
        change(0..<5)
        changed.hear(.missed)
        #expect(changed.take() == .init())

        for _ in 0..<2 { change(5..<8) }
        change(0..<5, in: AppID("com.example.other"))
        let heard = changed.take()
        #expect(heard == .init(installs: ids(5..<8)))
        change(8..<10)
        changed.giveBack(heard)
        #expect(changed.take() == .init(installs: ids(5..<10)))

        change(0..<LiveHistory.mostChanged)
        changed.giveBack(.init(installs: [], isComplete: true))
        #expect(changed.take() == .init(installs: ids(0..<LiveHistory.mostChanged)))
        change(0..<LiveHistory.mostChanged + 1)
        #expect(changed.take() == .init(installs: ids(0..<LiveHistory.mostChanged), isComplete: false))
        changed.hear(.missed)
        changed.giveBack(.init())
        #expect(changed.take() == .init(isComplete: false))
    }

    @Test("The store is not read while nobody watches, and at most once where many pages open")
    func unwatched() async throws {
        let store = try await TestStore(), clock = Clock(), node = Node(store, clock), before = store.database.reads.value
        func run(seconds: Int) async throws {
            let left = Mutex(seconds)
            let time = ServerTime(nowMs: { clock.nowMs }, sleep: { _ in
                clock.advance()
                if left.withLock({ $0 -= 1; return $0 == 0 }) { throw CancellationError() }
            })
            try await LiveReader(reading: node.reading, feed: node.feed, time: time).run()
        }

        try await run(seconds: 3)
        #expect(store.database.reads.value == before)
        let watch = try #require(node.feed.watch(member: "m"))
        try await run(seconds: 3)
        #expect(store.database.reads.value == before + 3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await node.reading.read() } }
            try await group.waitForAll()
        }
        #expect(store.database.reads.value == before + 4)
        watch.end()
    }

    @Test("A stream goes on twenty seconds before the row that its browser saw last, whatever number the browser says", arguments: [
        (TestStore.noon * 1_000, (TestStore.noon - 20_000) * 1_000), (0, -20_000_000), (-1, -20_000_000), (.min, -20_000_000),
        (.max, .max - 20_000_000),
    ] as [(Int64, Int64)])
    func goesBack(seen: Int64, after: Int64) {
        #expect(LiveReading.goingBack(from: seen) == after)
    }

    @Test("A read that fails loses nothing")
    func failure() async throws {
        let store = try await TestStore(), faults = StoreFaults(), clock = Clock()
        let node = Node(store, clock, through: FaultyDatabase(store.database, faults))
        try await store.open(.mayasPhone, nowMs: TestStore.noon - TestStore.hour)
        try await node.reading.read()
        clock.advance()
        try await Self.claim(store.installs, "a", atMs: clock.nowMs)

        faults.reads(.closed)
        await #expect(throws: DatabaseError.closed) { try await node.reading.read() }
        faults.heal()
        try await node.reading.read()

        #expect(node.kinds == [.firstOpen, .attribution])
    }

    @Test(
        "What another node of the database stores is shown here, also the new source of an old install",
        .enabled(if: !TestEngine.isEmbedded, "LANDFALL_TEST_DATABASE names no PostgreSQL"))
    func nodes() async throws {
        let store = try await TestStore(), clock = Clock()
        let here = try #require(store.engine as? PostgresDatabase), url = try #require(TestEngine.url)
        let there = try await onThread { try DatabaseCopies.another(of: here, at: url) }
        try await store.open(.mayasPhone, nowMs: TestStore.noon - TestStore.hour)
        let node = Node(store, clock, through: here)
        try await here.hear()
        try await node.reading.read()

        clock.advance()
        try await Self.tap(SQLClickStore(there), "/a", atMs: clock.nowMs)
        try await Self.claim(SQLInstallStore(there, store.mark), "a", atMs: clock.nowMs + 1)
        try await here.hear()
        try await node.reading.read()

        #expect(node.kinds == [.firstOpen, .tap, .attribution])
        await there.close()
    }
}

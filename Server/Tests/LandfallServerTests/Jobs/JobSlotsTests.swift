// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallServer

@Suite("A token that is stored as taken", .timeLimit(.minutes(1)))
struct JobSlotsTests {
    private let clock = ManualClock()
    private let places = JobSlots()
    private var nowMs: Int64 { clock.serverTime.nowMs() }

    private func work(
        concurrency: Int = 1, _ attempt: @escaping @Sendable (Job) async throws -> JobStep = { _ in .done }
    ) -> JobWork {
        JobWork(kind: .appleAds, concurrency: concurrency, leaseMs: 30_000, startPause: .zero, attempt: attempt)
    }

    private func open(_ store: TestStore, _ phone: Credential, _ token: AdToken) async throws {
        let installs = SQLInstallStore(store.database, store.mark, places: places)
        _ = try await installs.open(
            TestStore.app, phone, Opening(device: DeviceFacts(), adToken: token, attributes: [:]), nowMs: nowMs)
    }

    @Test("Its work begins after the commit that stores it, and removes its row", .embedded("commits are counted"))
    func taken() async throws {
        let store = try await TestStore()
        let (commits, begun) = AsyncStream<Int>.makeStream()
        let runner = JobRunner(
            store.jobs,
            [
                work { _ in
                    begun.yield(store.commitCount)
                    return .done
                }
            ],
            time: clock.serverTime, places: places, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            metrics: PrometheusRegistry())
        let running = Task { try await runner.run() }
        defer { running.cancel() }
        while !places.isOpen(.appleAds) { await Task.yield() }
        let before = store.commitCount

        try await open(store, .mayasPhone, .value("token"))

        #expect(await commits.first { _ in true } == before + 1)
        while try await store.count(of: "job") > 0 { await Task.yield() }
    }

    @Test("Nobody else takes it before its lease ends")
    func leased() async throws {
        let store = try await TestStore()
        places.open([work()])

        try await open(store, .mayasPhone, .value("token"))

        let job = try #require(places.takeStored().first)
        #expect(try await store.lease(1, nowMs: nowMs + 29_999).isEmpty)
        let later = try await store.lease(1, nowMs: nowMs + 30_000)
        #expect(later.map(\.job.name) == [job.name])
        #expect(later.map(\.job.payload) == [job.payload])
        #expect(later.map(\.job.attempts) == [2])
    }

    @Test("Without a free slot a token waits in the queue")
    func full() async throws {
        let store = try await TestStore()
        places.open([work()])
        try await open(store, .mayasPhone, .value("first"))

        try await open(store, .omarsPhone, .value("second"))

        #expect(places.takeStored().count == 1)
        #expect(try await store.lease(9, nowMs: nowMs).map(\.token) == ["second"])
    }

    @Test("A node whose runner does not work, or has stopped, takes none")
    func closed() async throws {
        let store = try await TestStore()
        try await open(store, .mayasPhone, .value("early"))
        places.open([work(concurrency: 9)])
        places.close()
        try await open(store, .omarsPhone, .value("late"))

        #expect(places.takeStored().isEmpty)
        #expect(try await store.lease(9, nowMs: nowMs).count == 2)
    }

    @Test("A token that is already known leaves its slot free")
    func known() async throws {
        let store = try await TestStore()
        try await open(store, .mayasPhone, .value("token"))
        places.open([work()])

        // The same token from another install is answered at once.
        try await open(store, .omarsPhone, .value("token"))

        #expect(places.takeStored().isEmpty)
        #expect(places.isFree(work()))
    }

    @Test("A refused write leaves its slot free")
    func refused() async throws {
        let store = try await TestStore()
        places.open([work()])
        try await open(store, .mayasPhone, .none(.noToken))
        let stranger = Credential.phone(Credential.mayasPhone.installID.rawValue, secret: 9)

        await #expect(throws: (any Error).self) { try await open(store, stranger, .value("token")) }

        #expect(places.isFree(work()))
    }
}

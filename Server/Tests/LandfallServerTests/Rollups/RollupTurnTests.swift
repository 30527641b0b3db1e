// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire
import Synchronization
import Testing

@testable import LandfallServer

@Suite("Turns of counting", .timeLimit(.minutes(1)))
struct RollupTurnTests {
    private static func configuration(_ metrics: [Metric]) -> Configuration {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.metrics = metrics
        return configuration
    }

    private static func phone(_ number: Int) -> Credential { .phone("0199b0a0-0000-7000-8000-\(100_000_000_000 + number)", secret: 1) }

    @Test("A new generation is complete after some steps also while an install comes before each of them, and then it has all")
    func steady() async throws {
        let store = try await TestStore(), clock = MovedClock()
        let live = LiveConfiguration(Snapshot(Self.configuration([]), revision: 1))
        let work = RollupWork(
            database: store.database, configuration: live, time: ServerTime(nowMs: { clock.nowMs }, sleep: { _ in }))
        func state() async throws -> RollupState? { try await store.database.read { try RollupState.load(TestStore.app, $0) } }
        for number in 1...3 { try await store.open(Self.phone(number)) }
        while try await work.step() {}
        let metric = Metric(name: "new", measure: .event(Event.Kind("new")), windowDays: 3)
        _ = live.serve(Snapshot(Self.configuration([metric]), revision: 2))

        var steps = 0
        while try await state()?.serving?.number != 2, steps < 200 {
            steps += 1
            clock.move()
            try await store.open(Self.phone(3 + steps), nowMs: clock.nowMs)
            _ = try await work.step(.init(ofStep: steps))
        }
        let nowMs = clock.nowMs, served = try #require(try await state())
        let report = try CampaignReport(days: try ReportDays(from: nil, to: nil, nowMs: nowMs), by: "", metrics: [metric])
        let installs = try await report.installs(store.database, live.snapshot, served, nowMs: nowMs, RowReading())

        #expect(served.serving?.number == 2 && steps < 200, "\(steps) steps")
        // What was there before the last marking is counted.
        #expect(installs.rows[[]]?[ReportCohort.installs].map { $0 > 3 } == true && installs.completeToMs > TestStore.noon)
    }

    @Test("Every 50th step is for a marked day, and every 10th of the others for a generation on its way")
    func turns() {
        let turns = (1...100).map { RollupWork.Turn(ofStep: $0) }

        #expect(turns.count(where: { $0 == .day }) == 2 && turns.count(where: { $0 == .building }) == 8)
        #expect(RollupWork.stepsBetweenDays < RollupWork.mostSteps)
    }

    @Test("A day that is marked again while it is counted has what was counted, is complete up to then, and stays marked")
    func starved() async throws {
        let store = try await TestStore(), later = TestStore.noon + 5_000
        let live = LiveConfiguration(Snapshot(Self.configuration([]), revision: 1))
        func work(_ database: any Database) -> RollupWork {
            RollupWork(database: database, configuration: live, time: ServerTime(nowMs: { later }, sleep: { _ in }))
        }
        while try await work(store.database).step() {}
        try await store.open(Self.phone(1))
        _ = try await work(store.database).step()
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) }), generation = try #require(state.serving)
        let again = ReportMark(
            report: ReportMark.days(of: generation.number), bucket: "\(TestStore.noon / Retention.dayMs)", sinceMs: later, stamp: 99)
        let database = InterruptedDatabase(base: store.database, at: 2) {
            try await store.database.write { _ = try $0.run(again.insertion(into: TestStore.app)) }
        }

        _ = try await work(database).settling(live.snapshot, state).settleDay(generation, nowMs: later)

        let left = try await store.database.read { try ReportMark.oldest(again.report, of: TestStore.app, 9, $0) }
        let report = try CampaignReport(days: try ReportDays(from: nil, to: nil, nowMs: later), by: "", metrics: [])
        let found = try await report.installs(store.database, live.snapshot, state, nowMs: later, RowReading())
        #expect(left == [again])
        #expect(found.rows[[]]?[ReportCohort.installs] == 1 && found.completeToMs == later)
    }

    @Test("Of marked days the one that waited longest is counted, be it of first opens or of exposures")
    func oldest() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration([]), revision: 1))
        let work = RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { TestStore.noon }, sleep: { _ in }))
        while try await work.step() {}
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let generation = try #require(state.serving), day = "\(TestStore.noon / Retention.dayMs)"
        let marks = [
            ReportMark(report: ReportMark.days(of: generation.number), bucket: day, sinceMs: 2, stamp: 1),
            ReportMark(report: ReportMark.paywallDays(of: generation.number), bucket: day, sinceMs: 1, stamp: 1),
        ]
        try await store.database.write { connection in for mark in marks { _ = try connection.run(mark.insertion(into: TestStore.app)) } }

        let isSettled = try await work.settling(live.snapshot, state).settleDay(generation, nowMs: TestStore.noon)

        let left = try await store.database.read { connection in
            try ReportMark.allDays(of: generation.number).flatMap { try ReportMark.oldest($0, of: TestStore.app, 9, connection) }
        }
        #expect(isSettled && left == [marks[0]])
    }
}

private final class MovedClock: Sendable {
    private let state = Mutex(TestStore.noon)
    var nowMs: Int64 { state.withLock(\.self) }
    func move() { state.withLock { $0 += 10 } }
}

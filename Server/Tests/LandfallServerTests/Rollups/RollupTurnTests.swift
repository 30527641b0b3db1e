// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Turns of counting", .timeLimit(.minutes(1)))
struct RollupTurnTests {
    private static func configuration(_ metrics: [Metric]) -> Configuration {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.metrics = metrics
        return configuration
    }

    private static func phone(_ number: Int) -> Credential { .phone("0199b0a0-0000-7000-8000-\(100_000_000_000 + number)", secret: 1) }

    @Test(
        "A new generation is complete after some turns also while an install comes before each of them, and then it has all",
        arguments: [(1_000, false), (3, true)])
    func steady(ofTry: Int, marksDays: Bool) async throws {
        let store = try await TestStore(), clock = MovedClock()
        let live = LiveConfiguration(Snapshot(Self.configuration([]), revision: 1))
        let work = RollupWork(
            database: store.database, configuration: live, time: ServerTime(nowMs: { clock.nowMs }, sleep: { _ in }))
        func state() async throws -> RollupState? { try await store.database.read { try RollupState.load(TestStore.app, $0) } }
        for number in 1...3 { try await store.open(Self.phone(number)) }
        while try await work.step() {}
        let metric = Metric(name: "new", measure: .event(Event.Kind("new")), windowDays: 3)
        _ = live.serve(Snapshot(Self.configuration([metric]), revision: 2))

        var steps = 0, turns = RollupTurns()
        while try await state()?.serving?.number != 2, steps < 200 {
            // A try ends after some turns, because each one took long.
            if steps % ofTry == 0 { turns = RollupTurns() }
            steps += 1
            clock.move()
            if marksDays {
                let mark = DirtyMark(report: "day 1", bucket: "\(TestStore.noon / Retention.dayMs)", sinceMs: clock.nowMs, stamp: Int64(steps))
                try await store.database.write { _ = try $0.run(mark.insertion(into: TestStore.app)) }
            }
            try await store.open(Self.phone(3 + steps), nowMs: clock.nowMs)
            let done = try await work.take(turns.next())
            turns.add(done, ms: 1)
        }
        let nowMs = clock.nowMs, served = try #require(try await state())
        let report = CampaignReport(days: try ReportDays(from: nil, to: nil, nowMs: nowMs), by: [], metrics: [metric])
        let installs = try await report.installs(store.database, live.snapshot, served, nowMs: nowMs, RowReader())

        #expect(served.serving?.number == 2 && steps < 200, "\(steps) steps")
        // What was there before the last marking is counted.
        #expect(installs.rows[[]]?[installs.layout[.firstOpens]].map { $0 > 3 } == true && installs.completeToMs > TestStore.noon)
    }

    @Test(
        "While installs never end, the first of ten turns is for a generation on its way, and days get some of the time of a try",
        arguments: [(100, 1_500...3_000), (7_000, 7_000...7_000)] as [(Int64, ClosedRange<Int64>)])
    func turns(dayMs: Int64, share: ClosedRange<Int64>) {
        var turns = RollupTurns(), taken: [RollupTurns.Turn] = [], daysMs: Int64 = 0, spentMs: Int64 = 0
        while spentMs < RollupWork.mostMs {
            let turn = turns.next(), ms = turn == .day ? dayMs : 40
            taken.append(turn)
            if turn == .day { daysMs += ms }
            spentMs += ms
            turns.add(turn == .day ? .day : .installs(areAll: false), ms: ms)
        }

        let building = taken.indices.filter { taken[$0] == .building(atRest: false) }
        #expect(building == Array(stride(from: 0, to: taken.count, by: 10)) && !taken.contains(where: \.isAtRest))
        #expect(share.contains(daysMs), "\(daysMs) ms")
    }

    @Test("Once no install waits, days are counted and then the job rests; a generation on its way goes on, also with installs that it marks")
    func ends() {
        var turns = RollupTurns()
        _ = turns.next()

        turns.add(.installs(areAll: true), ms: 1)
        let days = (1...20).map { _ in
            turns.add(.day, ms: 1_000)
            return turns.next()
        }
        turns.add(.other, ms: 1)

        #expect(days.indices.filter { days[$0] == .building(atRest: true) } == [9, 19])
        #expect(days.filter { $0 == .rest }.count == 18 && turns.next() == .installs)
    }

    @Test("A try ends after some time, pauses half as long as it took, at least 10 s, and half a minute if nothing was to be done")
    func pauses() async throws {
        let store = try await TestStore(), clock = MovedClock()
        let live = LiveConfiguration(Snapshot(Self.configuration([]), revision: 1))
        // The clock moves when the job sleeps: so much for each turn but the first one.
        func pause(_ turnMs: Int64) async throws -> Int64 {
            try await RollupWork(
                database: store.database, configuration: live, time: ServerTime(nowMs: { clock.nowMs }, sleep: { _ in clock.move(by: turnMs) })
            ).work()
        }
        var first = 0
        while try await pause(1) != RollupWork.intervalMs { first += 1 }
        func open(_ numbers: ClosedRange<Int>) async throws { for number in numbers { try await store.open(Self.phone(number), nowMs: clock.nowMs) } }

        try await open(1...3)
        let quick = try await pause(1)
        try await open(4...6)
        let slow = try await pause(12_000)
        try await open(7...9)
        let endless = try await pause(40_000)
        let marks = try await store.database.read { try DirtyMark.oldest("day 1", of: TestStore.app, 9, $0).count }

        #expect(first < 5 && quick == 10_000 && slow == 12_000, "\(first), \(quick), \(slow)")
        #expect(endless == 0 && marks == 1)
    }

    @Test("Installs that come while days are counted wait for the next try, so that their days are counted once")
    func restful() async throws {
        let store = try await TestStore()
        let live = LiveConfiguration(Snapshot(Self.configuration([]), revision: 1))
        let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in })
        while try await RollupWork(database: store.database, configuration: live, time: time).step() {}
        try await store.open(Self.phone(1))
        let number = Mutex(1)
        // Before each turn but the first one.
        let busy = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in
            try await store.open(Self.phone(number.withLock { $0 += 1; return $0 }))
        })

        let pause = try await RollupWork(database: store.database, configuration: live, time: busy).work()

        let left = try await store.database.read { connection in
            try [DirtyMark.installs, "day 1"].map { try DirtyMark.oldest($0, of: TestStore.app, 9, connection).count }
        }
        #expect(pause == RollupWork.pauseMs.lowerBound && left == [2, 0], "\(left)")
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
        let again = DirtyMark(
            report: DirtyMark.days(of: generation.number), bucket: "\(TestStore.noon / Retention.dayMs)", sinceMs: later, stamp: 99)
        let database = InterruptedDatabase(base: store.database, beforeRead: 2) {
            try await store.database.write { _ = try $0.run(again.insertion(into: TestStore.app)) }
        }

        _ = try await work(database).settling(live.snapshot, state).settleDay(generation, nowMs: later)

        let left = try await store.database.read { try DirtyMark.oldest(again.report, of: TestStore.app, 9, $0) }
        let report = CampaignReport(days: try ReportDays(from: nil, to: nil, nowMs: later), by: [], metrics: [])
        let found = try await report.installs(store.database, live.snapshot, state, nowMs: later, RowReader())
        #expect(left == [again])
        #expect(found.rows[[]]?[found.layout[.firstOpens]] == 1 && found.completeToMs == later)
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
            DirtyMark(report: DirtyMark.days(of: generation.number), bucket: day, sinceMs: 2, stamp: 1),
            DirtyMark(report: DirtyMark.paywallDays(of: generation.number), bucket: day, sinceMs: 1, stamp: 1),
        ]
        try await store.database.write { connection in for mark in marks { _ = try connection.run(mark.insertion(into: TestStore.app)) } }

        let isSettled = try await work.settling(live.snapshot, state).settleDay(generation, nowMs: TestStore.noon)

        let left = try await store.database.read { connection in
            try DirtyMark.allDays(of: generation.number).flatMap { try DirtyMark.oldest($0, of: TestStore.app, 9, connection) }
        }
        #expect(isSettled && left == [marks[0]])
    }
}

private final class MovedClock: Sendable {
    private let state = Mutex(TestStore.noon)
    var nowMs: Int64 { state.withLock(\.self) }
    func move(by ms: Int64 = 10) { state.withLock { $0 += ms } }
}

extension RollupWork {
    /// - Returns: false if nothing was to be done.
    func step(_ turn: RollupTurns.Turn = .installs) async throws -> Bool { try await take(turn) != .nothing }
}

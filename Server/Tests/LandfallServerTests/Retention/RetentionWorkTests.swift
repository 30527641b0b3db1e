// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import Logging
import Synchronization
import Testing

@testable import LandfallServer
@testable import LandfallStore

@Suite("Retention as jobs", .timeLimit(.minutes(1)))
struct RetentionWorkTests {
    private static func work(_ rules: [RetentionRule], _ database: any Database, _ clock: ManualClock) -> JobWork {
        RetentionWork(
            app: TestStore.app, rules: rules, clock: RetentionClock(database: database, app: TestStore.app), time: clock.serverTime,
            telemetry: RetentionTelemetry(logger: .silent, factory: PrometheusRegistry())
        ).work
    }

    @Test("One batch after another with a pause, then it looks again when the rule says so")
    func paced() async throws {
        let store = try await TestStore()
        let clock = ManualClock()
        let lots = Mutex(0)
        let rule = RetentionRule(name: "a", nextMs: { $0 + 7_000 }) { _ in
            lots.withLock { lots in
                lots += 1
                return RetentionLot(isMore: lots < 3)
            }
        }
        var work = Self.work([rule], store.database, clock)
        work.startPause = .zero
        let runner = JobRunner(
            JobQueue(database: store.database), [work], time: clock.serverTime,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: PrometheusRegistry())
        let running = Task { try await runner.run() }
        defer { running.cancel() }

        for count in [1, 2] {
            while lots.withLock(\.self) < count || clock.sleeperCount < 2 { await Task.yield() }
            #expect(lots.withLock(\.self) == count)
            clock.advance(by: RetentionRule.pause)
        }
        while lots.withLock(\.self) < 3 { await Task.yield() }
        let due = clock.serverTime.nowMs() + 7_000
        while try await JobQueue(database: store.database).nextDueMs(of: [.retention]) != [.retention: due] {
            await Task.yield()
        }
    }

    @Test("Whole months are dropped first, once a try and not by a refused clock; without that, rows are deleted nonetheless", arguments: [false, true])
    func months(isFailing: Bool) async throws {
        let store = try await TestStore(), clock = ManualClock(), done = Mutex<[String]>([])
        var rule = RetentionRule(name: "a") { _ in
            RetentionLot(isMore: done.withLock { done in
                done.append("rows")
                return done.count < 3
            })
        }
        rule.dropMonths = { _ in
            done.withLock { $0.append("months") }
            if isFailing { throw DatabaseError.failed("no right to it") }
            return ["a_2023_10"]
        }
        let work = Self.work([rule], store.database, clock)
        let job = Job(name: JobName(app: TestStore.app, kind: .retention, key: "a"), install: nil, payload: "", attempts: 1, createdAtMs: 0, leaseUntilMs: 0)

        let trying = Task { try await work.attempt(job) }
        while clock.sleeperCount < 1 { await Task.yield() }
        clock.advance(by: RetentionRule.pause)
        _ = try await trying.value
        clock.advance(by: .milliseconds(RetentionClock.boundMs + 1))
        _ = try await work.attempt(job)

        #expect(done.withLock(\.self) == ["months", "rows", "rows"])
    }

    @Test("The job of a rule that this release does not have is removed")
    func gone() async throws {
        let work = Self.work([], try await TestStore().database, ManualClock())
        let name = JobName(app: TestStore.app, kind: .retention, key: "of an older release")

        let step = try await work.attempt(Job(name: name, install: nil, payload: "", attempts: 1, createdAtMs: 0, leaseUntilMs: 0))

        #expect(step == .done)
    }
}

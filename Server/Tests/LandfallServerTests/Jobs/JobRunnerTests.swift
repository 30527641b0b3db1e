// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import Logging
import Synchronization
import Testing

@testable import LandfallServer

@Suite("The runner of jobs", .timeLimit(.minutes(1)))
struct JobRunnerTests {
    private struct Failure: Error {}
    private static let kind = JobKind(rawValue: "test")

    /// A scripted work, and its number of tries.
    private final class Script: Sendable {
        let tries = Mutex(0)
        let steps: [JobStep?]
        init(_ steps: [JobStep?]) { self.steps = steps }

        func next() throws -> JobStep {
            let number = tries.withLock { tries in
                defer { tries += 1 }
                return tries
            }
            guard let step = steps[min(number, steps.count - 1)] else { throw Failure() }
            return step
        }
    }

    private let clock = ManualClock()
    private var nowMs: Int64 { clock.serverTime.nowMs() }

    /// Runs with one job of the script while the body runs.
    private func running(
        _ script: Script, mostAttempts: Int64? = nil, isStanding: Bool = false, startPause: Duration? = .zero,
        metrics: PrometheusRegistry = PrometheusRegistry(),
        _ body: (TestStore) async throws -> Void
    ) async throws {
        let store = try await TestStore()
        let name = JobName(app: TestStore.app, kind: Self.kind, key: "a")
        let queue = JobQueue(database: store.database)
        if !isStanding { try await queue.add([name], dueAtMs: nowMs) }
        var work = JobWork(kind: Self.kind, mostAttempts: mostAttempts) { _ in try script.next() }
        if isStanding { work.standing = [name] }
        if let startPause { work.startPause = startPause }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let runner = JobRunner(
            queue, [work], time: clock.serverTime, logger: logger, metrics: metrics)
        let task = Task { try await runner.run() }
        try await body(store)
        task.cancel()
        _ = await task.result
    }

    private func wait(until isTrue: () async throws -> Bool) async throws {
        while try await !isTrue() { await Task.yield() }
    }

    @Test("A finished job is deleted")
    func done() async throws {
        let script = Script([.done])
        try await running(script) { store in
            try await wait { try await store.count(of: "job") == 0 }

            #expect(script.tries.withLock(\.self) == 1)
        }
    }

    @Test("A standing job exists from the start, and runs again when it is due")
    func standing() async throws {
        let script = Script([.again(atMs: nowMs + 5_000)])
        try await running(script, isStanding: true) { store in
            await clock.waitForSleeper()
            #expect(script.tries.withLock(\.self) == 1)
            clock.advance(by: .milliseconds(4_999))
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .milliseconds(1))
            try await wait { script.tries.withLock(\.self) > 1 }
        }
    }

    @Test("A node that has just started serves phones first")
    func start() async throws {
        let script = Script([.done])
        try await running(script, startPause: nil) { store in
            await clock.waitForSleeper()
            clock.advance(by: .milliseconds(59_999))
            #expect(clock.sleeperCount == 1)
            #expect(script.tries.withLock(\.self) == 0)
            clock.advance(by: .milliseconds(1))
            try await wait { try await store.count(of: "job") == 0 }
        }
    }

    @Test("A failed job is retried after a pause, and counted")
    func retry() async throws {
        let script = Script([nil, .done])
        let metrics = PrometheusRegistry()
        try await running(script, metrics: metrics) { store in
            await clock.waitForSleeper()
            #expect(script.tries.withLock(\.self) == 1)
            clock.advance(by: .milliseconds(1_200))
            try await wait { try await store.count(of: "job") == 0 }

            #expect(script.tries.withLock(\.self) == 2)
            #expect(metrics.text().contains(#"landfall_jobs_total{kind="test",outcome="failed"} 1"#))
            #expect(metrics.text().contains(#"landfall_jobs_total{kind="test",outcome="done"} 1"#))
        }
    }

    @Test("A job is given up after its limit of failures")
    func givenUp() async throws {
        let script = Script([nil])
        let metrics = PrometheusRegistry()
        try await running(script, mostAttempts: 1, metrics: metrics) { store in
            try await wait { try await store.count(of: "job") == 0 }

            #expect(script.tries.withLock(\.self) == 1)
            #expect(metrics.text().contains(#"landfall_jobs_total{kind="test",outcome="given_up"} 1"#))
        }
    }

    @Test("A job that was put back while the clock was ahead does not wait as long as it was ahead")
    func clockBack() async throws {
        let aheadMs: Int64 = 800 * 86_400_000
        let script = Script([.again(atMs: nowMs + aheadMs), .done])
        try await running(script) { store in
            try await wait { try await JobQueue(database: store.database).nextDueMs(of: [Self.kind])[Self.kind] ?? 0 > nowMs + aheadMs / 2 }
        }
        let store = try await TestStore()
        let queue = JobQueue(database: store.database)
        let far = JobName(app: TestStore.app, kind: Self.kind, key: "far"), near = JobName(app: TestStore.app, kind: Self.kind, key: "near")
        try await queue.add([far], dueAtMs: nowMs + aheadMs)
        try await queue.add([near], dueAtMs: nowMs + 3_600_000)

        try await queue.pullForward([Self.kind], waitingPastMs: nowMs + 25 * 3_600_000, nowMs: nowMs)
        let due = try await queue.lease(Self.kind, 10, nowMs: nowMs, leaseMs: 1_000)

        #expect(due.map(\.name.key) == ["far"])
    }

    @Test("A try that has moved its row itself is counted by its own outcome", arguments: [(true, "done"), (false, "failed")])
    func moved(isDone: Bool, outcome: String) throws {
        let metrics = PrometheusRegistry()
        let job = Job(
            name: JobName(app: TestStore.app, kind: Self.kind, key: "a"), install: nil, payload: "", attempts: 1, createdAtMs: 0, leaseUntilMs: 0)

        JobTelemetry(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, factory: metrics).ended(job, .moved(isDone: isDone))

        #expect(metrics.text().contains(#"landfall_jobs_total{kind="test",outcome="\#(outcome)"} 1"#))
    }

    @Test("A single node does not wait for a lease from before a restart")
    func restart() async throws {
        let store = try await TestStore()
        let queue = JobQueue(database: store.database)
        try await queue.add([JobName(app: TestStore.app, kind: Self.kind, key: "a")], dueAtMs: nowMs)
        _ = try await queue.lease(Self.kind, 1, nowMs: nowMs, leaseMs: 3_600_000)
        let work = JobWork(kind: Self.kind, startPause: .zero) { _ in .done }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let runner = JobRunner(
            queue, [work], time: clock.serverTime, logger: logger, metrics: PrometheusRegistry())
        let task = Task { try await runner.run() }
        defer { task.cancel() }

        try await wait { try await store.count(of: "job") == 0 }
    }
}

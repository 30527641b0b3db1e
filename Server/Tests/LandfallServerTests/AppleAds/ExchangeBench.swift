// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Logging
import Synchronization

@testable import LandfallServer
@testable import LandfallStore

/// A store, a scripted Apple and jobs between them, in time that a test moves.
final class ExchangeBench: Sendable {
    let store: TestStore
    let apple: ScriptedAppleAds
    let clock = ManualClock()
    /// The changed installs, in order; one value for each change.
    let changes: AsyncStream<InstallID>
    private let change: AsyncStream<InstallID>.Continuation

    /// Until when something has begun to sleep.
    private let alarms = Mutex<[ManualClock.Instant]>([])
    private let answers: AppleAdsAnswers
    private let jobs: JobQueue

    init(
        _ scripts: [String: [ScriptedAppleAds.Answer]] = [:], isShared: Bool = false, faults: StoreFaults? = nil
    ) async throws {
        let store = try await TestStore(isShared: isShared)
        self.store = store
        let database: any Database = faults.map { FaultyDatabase(store.database, $0) } ?? store.database
        jobs = JobQueue(database: database)
        answers = AppleAdsAnswers(database, store.mark)
        apple = ScriptedAppleAds(scripts)
        (changes, change) = AsyncStream.makeStream()
    }

    var nowMs: Int64 { Self.nowMs(clock) }

    /// Runs the jobs while the body does.
    func running(limits: AppleAdsExchanger.Limits = .init(), _ body: (JobSignals) async throws -> Void) async throws {
        let time = ServerTime(
            nowMs: { [clock] in Self.nowMs(clock) },
            sleep: { [self] in
                let alarm = clock.now.advanced(by: $0)
                alarms.withLock { $0.append(alarm) }
                try await clock.sleep(until: alarm)
            })
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), metrics = PrometheusRegistry()
        let exchanger = AppleAdsExchanger(
            answers, apple, limits: limits, time: time, logger: logger, metrics: metrics)
        let observation = store.database.observers.add { [change] news in
            guard case .changed(let changes) = news else { return }
            for one in changes where one.kind == .install { change.yield(InstallID(one.subject)) }
        }
        defer { withExtendedLifetime(observation) {} }
        let signals = JobSignals()
        let runner = JobRunner(jobs, [exchanger.work], time: time, places: JobSlots(signals), logger: logger, metrics: metrics)
        let task = Task { try await runner.run() }
        do { try await body(signals) } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        try await task.value
    }

    /// Returns after so many changes were told.
    func waitForChange(_ count: Int = 1) async {
        var left = count
        for await _ in changes {
            left -= 1
            if left == 0 { return }
        }
    }

    /// Returns once Apple was asked so often in all, or the test's time is over.
    func waitForQuestions(_ count: Int) async {
        while apple.asked.count < count, !Task.isCancelled { await Task.yield() }
    }

    /// Returns once something sleeps that wakes when the test has moved the clock so far. Whether more sleeps beside it depends on which
    /// of two tasks was faster. Also returns if the test's time is over.
    func waitForAlarm(in duration: Duration) async {
        let now = clock.now, latest = now.advanced(by: duration)
        while !alarms.withLock({ $0.contains { now < $0 && $0 <= latest } }), !Task.isCancelled { await Task.yield() }
    }

    func attribution(of phone: Credential = .mayasPhone) async throws -> Attribution {
        try await store.install(phone).attribution(nowMs: nowMs)
    }

    private static func nowMs(_ clock: ManualClock) -> Int64 {
        let (seconds, attoseconds) = clock.now.offset.components
        return TestStore.noon + seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}

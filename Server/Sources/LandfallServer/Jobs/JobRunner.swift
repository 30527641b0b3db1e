// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// One kind of work, and how it is done.
struct JobWork: Sendable {
    let kind: JobKind
    /// How many of its jobs this node works on at a time.
    var concurrency = 1
    /// A try that takes longer may be begun again elsewhere.
    var leaseMs: Int64 = 60_000
    /// Of taking a job.
    var urgency = Urgency.bulk
    /// A node that has just started has phones to answer first.
    var startPause: Duration = .seconds(60)
    /// A job that failed so often is given up; nil: never.
    var mostAttempts: Int64?
    /// Jobs that are always there, made at the start.
    var standing: [JobName] = []
    /// One try. May run twice for one job, where its lease has ended meanwhile. What it throws is retried with growing pauses.
    let attempt: @Sendable (Job) async throws -> JobStep
}

/// How a runner hears that a job has come. Any thread; signals that nobody has heard yet count as one.
struct JobSignals: Sendable {
    fileprivate let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Look into the queue now.
    func send() { continuation.yield() }
}

/// Does the work of every kind as it becomes due, until the task is cancelled or the server stops. Run it once.
///
/// Survives restarts, because all that it knows is in the store. What is under way then is done again: work is written so that
/// twice is as good as once.
final class JobRunner: Service, Discreet {
    /// Before the store is asked again after a failure.
    static let storePauseMs: Int64 = 1_000
    /// Other nodes add jobs that this one does not hear of.
    static let sharedLookMs: Int64 = 5_000

    private let queue: JobQueue
    private let works: [JobWork]
    private let time: ServerTime
    private let telemetry: JobTelemetry
    private let signals: JobSignals
    private let running = Mutex<[JobKind: Int]>([:])
    /// The earliest instant at which a sleeping task will signal.
    private let alarmAtMs = Mutex<Int64?>(nil)

    init(
        _ queue: JobQueue, _ works: [JobWork], time: ServerTime, signals: JobSignals = JobSignals(), logger: Logger,
        metrics: any MetricsFactory
    ) {
        self.queue = queue
        self.works = works
        self.time = time
        self.signals = signals
        telemetry = JobTelemetry(logger: logger, factory: metrics)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { await self.work() }
    }

    private func work() async {
        signals.send()
        var isReady = false
        let startedAtMs = time.nowMs()
        // Kinds that are left alone until an instant.
        var resting = works.reduce(into: [JobKind: Int64]()) { $0[$1.kind] = startedAtMs + Int64($1.startPause / .milliseconds(1)) }
        await withDiscardingTaskGroup { group in
            for await _ in signals.stream {
                let nextMs: Int64?
                if isReady { nextMs = await look(&group, &resting) } else {
                    isReady = await start()
                    if isReady { signals.send() }
                    nextMs = isReady ? nil : time.nowMs() + Self.storePauseMs
                }
                if let nextMs, let alarm = earlierAlarm(at: nextMs) { group.addTask { await self.sleep(until: alarm) } }
            }
        }
    }

    /// - Returns: false where the store cannot be written to.
    private func start() async -> Bool {
        do {
            if !queue.database.isShared { try await queue.endLeases() }
            try await queue.add(works.flatMap(\.standing), dueAtMs: time.nowMs())
            return true
        } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
            return false
        }
    }

    /// Begins what is due and has room.
    /// - Parameter resting: until when a kind is left alone; one whose jobs cannot be taken is, for a while.
    /// - Returns: when to look again without a signal.
    private func look(_ group: inout DiscardingTaskGroup, _ resting: inout [JobKind: Int64]) async -> Int64? {
        do {
            resting = resting.filter { [nowMs = time.nowMs()] in $0.value > nowMs }
            let free = works.filter { resting[$0.kind] == nil && room(for: $0) > 0 }  // Each try that ends signals.
            // A read first: most signals find nothing due, and a write would make every other caller wait for it.
            var next = try await queue.nextDueMs(of: free.map(\.kind))
            for work in free {
                let nowMs = time.nowMs()
                guard let dueMs = next[work.kind], dueMs <= nowMs else { continue }
                next[work.kind] = nil
                do {
                    let jobs = try await queue.lease(
                        work.kind, room(for: work), nowMs: nowMs, leaseMs: work.leaseMs, work.urgency)
                    running.withLock { $0[work.kind, default: 0] += jobs.count }
                    for job in jobs { group.addTask { await self.settle(job, work) } }
                } catch {
                    if !Task.isCancelled { telemetry.storeFailed(error) }
                    resting[work.kind] = nowMs + Self.storePauseMs
                    continue
                }
                if room(for: work) > 0 { next.merge(try await queue.nextDueMs(of: [work.kind])) { $1 } }
            }
            let sharedMs = queue.database.isShared ? [time.nowMs() + Self.sharedLookMs] : []
            return (Array(next.values) + Array(resting.values) + sharedMs).min()
        } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
            return time.nowMs() + Self.storePauseMs
        }
    }

    private func room(for work: JobWork) -> Int { work.concurrency - running.withLock { $0[work.kind] ?? 0 } }

    private func settle(_ job: Job, _ work: JobWork) async {
        defer {
            running.withLock { $0[work.kind, default: 1] -= 1 }
            signals.send()
        }
        var step: JobStep
        do {
            step = try await work.attempt(job)
            telemetry.ended(job, step)
        } catch {
            // The lease ends by itself, or with the next start.
            guard !Task.isCancelled else { return }
            let isLast = work.mostAttempts.map { job.attempts >= $0 } ?? false
            telemetry.failed(job, error, isLast: isLast)
            step = isLast ? .done : .retry(atMs: time.nowMs() + job.pauseMs)
        }
        guard step != .moved else { return }
        do { try await queue.move(job, step) } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
        }
    }

    /// - Returns: the instant, where no sleeping task signals that early.
    private func earlierAlarm(at instant: Int64) -> Int64? {
        alarmAtMs.withLock { alarm in
            if let alarm, alarm <= instant { return nil }
            alarm = instant
            return instant
        }
    }

    private func sleep(until instant: Int64) async {
        try? await time.sleep(.milliseconds(max(0, instant - time.nowMs())))
        alarmAtMs.withLock { if $0 == instant { $0 = nil } }
        signals.send()
    }
}

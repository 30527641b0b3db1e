// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
package import Logging
package import Metrics
import ServiceLifecycle
import Synchronization

/// One kind of work, and how to do it.
package struct JobWork: Sendable {
    package let kind: JobKind
    /// How many of its jobs this node works on at a time.
    var concurrency = 1
    /// A try that takes longer may be started again on another node.
    package var leaseMs: Int64 = 60_000
    /// The urgency of the transaction that takes a job.
    var urgency = Urgency.bulk
    /// The pause after the node's start: at first it has phones to answer.
    var startPause: Duration = .seconds(60)
    /// A job is given up after this many failures; nil: never.
    var mostAttempts: Int64?
    /// The longest that a job of the kind waits; nil if people choose its time.
    var longestWaitMs: Int64? = 25 * 3_600_000
    /// Jobs that always exist, created at the start.
    package var standing: [JobName] = []
    /// One try. It may run twice for one job, if its lease has ended meanwhile. If it throws, the job is retried with growing
    /// pauses.
    package let attempt: @Sendable (Job) async throws -> JobStep

    package init(
        kind: JobKind, concurrency: Int = 1, leaseMs: Int64 = 60_000, urgency: Urgency = Urgency.bulk,
        startPause: Duration = .seconds(60), mostAttempts: Int64? = nil, longestWaitMs: Int64? = 25 * 3_600_000,
        standing: [JobName] = [], attempt: @escaping @Sendable (Job) async throws -> JobStep
    ) {
        self.kind = kind
        self.concurrency = concurrency
        self.leaseMs = leaseMs
        self.urgency = urgency
        self.startPause = startPause
        self.mostAttempts = mostAttempts
        self.longestWaitMs = longestWaitMs
        self.standing = standing
        self.attempt = attempt
    }
}

/// How a runner learns of a new job. Any thread; signals that the runner has not seen yet count as one.
package struct JobSignals: Sendable {
    fileprivate let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Makes the runner look into the queue now.
    package func send() { continuation.yield() }
}

/// Does the work of every kind when it becomes due, until the task is cancelled or the server stops. Run it once.
///
/// All its state is in the store, so it survives restarts. Work that a restart interrupts is done again: all work must be
/// idempotent.
package final class JobRunner: Service, Redacted {
    /// The pause before the store is asked again after a failure.
    static let storePauseMs: Int64 = 1_000
    /// A clock that goes back by less than this is adjusted, not set.
    static let backMs: Int64 = 60_000
    /// The longest pause between looks if the store is shared: this node does not learn of jobs that other nodes add.
    static let sharedLookMs: Int64 = 5_000

    private let queue: JobQueue
    private let works: [JobWork]
    private let time: ServerTime
    private let telemetry: JobTelemetry
    private let places: JobSlots
    /// Nil if no other node works on the store.
    private let takeover: JobTakeover?
    /// The earliest instant at which a sleeping task will signal.
    private let alarmAtMs = Mutex<Int64?>(nil)

    package init(
        _ queue: JobQueue, _ works: [JobWork], time: ServerTime, places: JobSlots = JobSlots(), logger: Logger,
        metrics: any MetricsFactory
    ) {
        self.queue = queue
        self.works = works
        self.time = time
        self.places = places
        let telemetry = JobTelemetry(logger: logger, factory: metrics)
        self.telemetry = telemetry
        takeover = (queue.database as? any SharedDatabase).map {
            JobTakeover(queue: queue, nodes: $0, places: places, time: time, telemetry: telemetry)
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await self.work() }
        // Another node takes what this one leaves. In a task of its own, because this one may be cancelled.
        await Task { [queue] in try? await queue.endOwnLeases() }.value
    }

    private func work() async {
        let signals = places.signals
        signals.send()
        defer { places.close() }
        var isReady = false
        let startedAtMs = time.nowMs()
        // Kinds that are not looked at before an instant.
        var newestMs = startedAtMs
        var resting = works.reduce(into: [JobKind: Int64]()) { $0[$1.kind] = startedAtMs + Int64($1.startPause / .milliseconds(1)) }
        await withDiscardingTaskGroup { group in
            for await _ in signals.stream {
                for job in places.takeStored() { begin(job, &group) }
                for name in places.takeDoubts() { group.addTask { [takeover] in await takeover?.look(after: name) } }
                let nextMs: Int64?
                if isReady {
                    if time.nowMs() < newestMs - Self.backMs {
                        resting = [:]
                        await pullForward()
                        newestMs = time.nowMs()
                    }
                    newestMs = max(newestMs, time.nowMs())
                    nextMs = await look(&group, &resting)
                } else {
                    isReady = await start()
                    if isReady {
                        places.open(works)
                        signals.send()
                    }
                    nextMs = isReady ? nil : time.nowMs() + Self.storePauseMs
                }
                if let nextMs, let alarm = earlierAlarm(at: nextMs) { group.addTask { await self.sleep(until: alarm) } }
            }
        }
    }

    /// - Returns: false if the store cannot be written to.
    private func start() async -> Bool {
        do {
            if !queue.database.isShared { try await queue.endLeases() }
            try await pulling()
            try await queue.add(works.flatMap(\.standing), dueAtMs: time.nowMs())
            return true
        } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
            return false
        }
    }

    /// After the clock went back, here or while the server stood still: jobs that were put back before would wait as long as the clock
    /// was ahead.
    private func pulling() async throws {
        let nowMs = time.nowMs()
        for (wait, works) in Dictionary(grouping: works, by: \.longestWaitMs) {
            guard let wait else { continue }
            try await queue.pullForward(works.map(\.kind), waitingPastMs: nowMs + wait, nowMs: nowMs)
        }
    }

    private func pullForward() async {
        do { try await pulling() } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
        }
    }

    /// Starts due jobs, as many as may run at once.
    /// - Parameter resting: until when each kind is skipped. A kind whose jobs cannot be taken is added for a while.
    /// - Returns: when to look again if no signal comes.
    private func look(_ group: inout DiscardingTaskGroup, _ resting: inout [JobKind: Int64]) async -> Int64? {
        do {
            resting = resting.filter { [nowMs = time.nowMs()] in $0.value > nowMs }
            let free = works.filter { resting[$0.kind] == nil && places.isFree($0) }  // Each finished try sends a signal.
            // Read first: most signals find nothing due, and a write would make every other writer wait.
            var next = try await queue.nextDueMs(of: free.map(\.kind))
            for work in free {
                let nowMs = time.nowMs()
                guard let dueMs = next[work.kind], dueMs <= nowMs else { continue }
                next[work.kind] = nil
                let room = places.reserveAll(work)
                do {
                    let jobs = try await queue.lease(work.kind, room, nowMs: nowMs, leaseMs: work.leaseMs, work.urgency)
                    places.free(work.kind, room - jobs.count)
                    for job in jobs { group.addTask { await self.settle(job, work) } }
                } catch {
                    places.free(work.kind, room)
                    if !Task.isCancelled { telemetry.storeFailed(error) }
                    resting[work.kind] = nowMs + Self.storePauseMs
                    continue
                }
                if places.isFree(work) { next.merge(try await queue.nextDueMs(of: [work.kind])) { $1 } }
            }
            let sharedMs = queue.database.isShared ? [time.nowMs() + Self.sharedLookMs] : []
            return (Array(next.values) + Array(resting.values) + sharedMs).min()
        } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
            return time.nowMs() + Self.storePauseMs
        }
    }

    /// Does the work of a job that was stored as taken.
    private func begin(_ job: Job, _ group: inout DiscardingTaskGroup) {
        guard let work = works.first(where: { $0.kind == job.name.kind }) else { return }
        group.addTask { await self.settle(job, work) }
    }

    private func settle(_ job: Job, _ work: JobWork) async {
        defer { places.giveBack(work.kind) }
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
        if case .moved = step { return }
        do { try await queue.move(job, step) } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
        }
    }

    /// - Returns: the instant, if no sleeping task signals that early.
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
        places.signals.send()
    }
}

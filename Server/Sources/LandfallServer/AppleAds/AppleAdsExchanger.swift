// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire
import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Asks Apple about every token in the queue, until each has an answer or is 24 h old.
///
/// Survives restarts, because all it knows is in the store; tells what has changed after it is on disk. Run it once.
final class AppleAdsExchanger: Service {
    struct Limits: Sendable {
        /// Questions under way at a time. Far more than Apple's usual speed asks for: each question that Apple leaves open
        /// occupies a place for the whole of ``attempt``, and a first open waits behind them.
        var concurrency = 256
        /// For one question.
        var attempt: Duration = .seconds(10)
        /// For a question and for storing what came of it. After it another try may begin.
        var leaseMs: Int64 = 30_000
        /// Before the store is asked again after a failure.
        var storePauseMs: Int64 = 1_000
        /// Before an answer that the store has refused is given to it again; doubled each time.
        var answerPauseMs: Int64 = 250
    }

    private let queue: AppleAdsQueue
    private let service: any AppleAdsService
    private let limits: Limits
    private let clock: any Clock<Duration>
    private let nowMs: @Sendable () -> Int64
    private let telemetry: AppleAdsTelemetry
    private let onChange: @Sendable (AppID, InstallID) -> Void
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let running = Mutex(0)
    /// The earliest instant at which a sleeping task will signal.
    private let alarmAtMs = Mutex<Int64?>(nil)

    /// - Parameters:
    ///   - clock: for limits and pauses; `nowMs` is the wall clock beside it, in Unix milliseconds.
    ///   - onChange: called after an outcome or a new date is on disk. Must not block.
    init(
        _ queue: AppleAdsQueue, _ service: any AppleAdsService, limits: Limits = Limits(),
        clock: any Clock<Duration> = ContinuousClock(), nowMs: @escaping @Sendable () -> Int64, logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory,
        onChange: @escaping @Sendable (AppID, InstallID) -> Void
    ) {
        self.queue = queue
        self.service = service
        self.limits = limits
        self.clock = clock
        self.nowMs = nowMs
        self.telemetry = AppleAdsTelemetry(logger: logger, factory: metrics)
        self.onChange = onChange
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks into the queue now: a token has come. Any thread; signals that nobody has heard yet count as one.
    func wake() { signal.yield() }

    /// Works until it is cancelled or the server stops. A question that is then under way is asked again after the restart.
    func run() async throws {
        await cancelWhenGracefulShutdown { await self.work() }
    }

    private func work() async {
        // Of the only node they are from before its restart; those of other nodes are waited for.
        if !queue.isShared {
            do { try await queue.endLeases() } catch { telemetry.storeFailed(error) }
        }
        wake()
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                let (leased, leaseEndsMs, nextMs) = await look()
                for exchange in leased { group.addTask { await self.settle(exchange, leaseEndsMs: leaseEndsMs) } }
                if let nextMs, let alarm = earlierAlarm(at: nextMs) { group.addTask { await self.sleep(until: alarm) } }
            }
        }
    }

    /// What to begin now, and when to look again without a signal.
    private func look() async -> (leased: [LeasedExchange], leaseEndsMs: Int64, nextMs: Int64?) {
        let room = limits.concurrency - running.withLock(\.self)
        let leaseEndsMs = nowMs() + limits.leaseMs
        guard room > 0 else { return ([], leaseEndsMs, nil) }  // Each one that ends signals.
        do {
            // A read first: most signals find nothing due, and a write would make every other caller wait for it.
            guard let nextMs = try await queue.nextDueMs() else { return ([], leaseEndsMs, nil) }
            guard nextMs <= nowMs() else { return ([], leaseEndsMs, nextMs) }
            let leased = try await queue.lease(room, nowMs: nowMs(), leaseMs: limits.leaseMs)
            running.withLock { $0 += leased.count }
            return (leased, leaseEndsMs, try? await queue.nextDueMs())
        } catch {
            if !Task.isCancelled { telemetry.storeFailed(error) }
            return ([], leaseEndsMs, nowMs() + limits.storePauseMs)
        }
    }

    private func settle(_ exchange: LeasedExchange, leaseEndsMs: Int64) async {
        defer {
            running.withLock { $0 -= 1 }
            wake()
        }
        let outcome = await ask(exchange)
        guard !Task.isCancelled else { return }
        let step = ExchangeStep(after: outcome, of: exchange, nowMs: nowMs())
        var pauseMs = limits.answerPauseMs
        while !Task.isCancelled {
            do {
                try await queue.record(outcome, step, of: exchange, nowMs: nowMs())
                return onChange(exchange.app, exchange.installID)
            } catch {
                guard !Task.isCancelled else { return }
                telemetry.storeFailed(error)
                // Apple need not be asked again while the lease lasts. When it has ended, somebody else may.
                guard (error as? DatabaseError)?.mayPass == true, nowMs() + pauseMs < leaseEndsMs else { return }
            }
            try? await clock.sleep(for: .milliseconds(pauseMs))
            pauseMs *= 2
        }
    }

    /// One question under its time limit; whatever the service does after that is not waited for by the queue's row.
    private func ask(_ exchange: LeasedExchange) async -> ExchangeOutcome {
        let start = nowMs()
        let outcome = await withTaskGroup(of: ExchangeOutcome.self) { [service, clock, limits] group in
            group.addTask {
                do { return ExchangeOutcome(try await service.answer(to: exchange.token)) } catch {
                    return .silence(.connection)
                }
            }
            group.addTask {
                try? await clock.sleep(for: limits.attempt)
                return .silence(.timeLimit)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .silence(.timeLimit)
        }
        if !Task.isCancelled { telemetry.tried(outcome, taking: .milliseconds(nowMs() - start)) }
        return outcome
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
        try? await clock.sleep(for: .milliseconds(max(0, instant - nowMs())))
        alarmAtMs.withLock { if $0 == instant { $0 = nil } }
        wake()
    }
}

extension DatabaseError {
    /// The same write may succeed a little later.
    fileprivate var mayPass: Bool {
        switch self {
        case .busy, .retry, .diskLow: true
        default: false
        }
    }
}

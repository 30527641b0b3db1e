// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire
import Logging
import Metrics

/// Asks Apple about a token, and keeps what came of it: one try of a job. Every token's job goes on until there is an answer or
/// the token is 24 h old.
struct AppleAdsExchanger: Sendable {
    struct Limits: Sendable {
        /// Questions under way at a time. Far more than Apple's usual speed asks for: each question that Apple leaves open
        /// occupies a place for the whole of ``attempt``, and a first open waits behind them.
        var concurrency = 256
        /// For one question.
        var attempt: Duration = .seconds(10)
        /// For a question and for storing what came of it. After it another try may begin.
        var leaseMs: Int64 = 30_000
        /// Before an answer that the store has refused is given to it again; doubled each time.
        var answerPauseMs: Int64 = 250
    }

    private let answers: AppleAdsAnswers
    private let service: any AppleAdsService
    private let limits: Limits
    private let time: ServerTime
    private let telemetry: AppleAdsTelemetry
    private let onChange: @Sendable (AppID, InstallID) -> Void

    /// - Parameter onChange: called after an outcome or a new date is on disk. Must not block.
    init(
        _ answers: AppleAdsAnswers, _ service: any AppleAdsService, limits: Limits = Limits(), time: ServerTime, logger: Logger,
        metrics: any MetricsFactory, onChange: @escaping @Sendable (AppID, InstallID) -> Void
    ) {
        self.answers = answers
        self.service = service
        self.limits = limits
        self.time = time
        self.telemetry = AppleAdsTelemetry(logger: logger, factory: metrics)
        self.onChange = onChange
    }

    /// Somebody holds a first open for the answer, so it is asked for at once and before everything that nobody waits for.
    var work: JobWork {
        JobWork(
            kind: .appleAds, concurrency: limits.concurrency, leaseMs: limits.leaseMs, urgency: .interactive, startPause: .zero,
            attempt: attempt)
    }

    @Sendable private func attempt(_ job: Job) async throws -> JobStep {
        guard let exchange = LeasedExchange(job) else { return .done }
        let outcome = await ask(exchange)
        try Task.checkCancellation()
        let step = ExchangeStep(after: outcome, of: exchange, nowMs: time.nowMs())
        var pauseMs = limits.answerPauseMs
        while true {
            do {
                try await answers.record(outcome, step, of: exchange, nowMs: time.nowMs())
                onChange(exchange.app, exchange.installID)
                return .moved
            } catch {
                // Apple need not be asked again while the lease lasts. When it has ended, somebody else may.
                let mayPass = (error as? DatabaseError)?.mayPass == true
                guard mayPass, time.nowMs() + pauseMs < job.leaseUntilMs else { throw error }
                telemetry.storeFailed(error)
            }
            try await time.sleep(.milliseconds(pauseMs))
            pauseMs *= 2
        }
    }

    /// One question under its time limit; whatever the service does after that is not waited for by the job.
    private func ask(_ exchange: LeasedExchange) async -> ExchangeOutcome {
        let start = time.nowMs()
        let outcome = await withTaskGroup(of: ExchangeOutcome.self) { [service, time, limits] group in
            group.addTask {
                do { return ExchangeOutcome(try await service.answer(to: exchange.token)) } catch {
                    return .silence(.connection)
                }
            }
            group.addTask {
                try? await time.sleep(limits.attempt)
                return .silence(.timeLimit)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .silence(.timeLimit)
        }
        if !Task.isCancelled { telemetry.tried(outcome, taking: .milliseconds(time.nowMs() - start)) }
        return outcome
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

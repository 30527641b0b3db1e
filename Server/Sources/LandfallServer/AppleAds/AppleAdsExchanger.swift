// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire
package import Logging
package import Metrics

/// Asks Apple about a token and stores the result: one try of a job. Each token's job continues until Apple answers or the
/// token is 24 h old.
package struct AppleAdsExchanger: Sendable {
    package struct Limits: Sendable {
        /// The most questions at a time. Far more than Apple's usual speed needs: a question that Apple does not answer
        /// occupies a place for the whole of ``attempt``, and first opens wait behind it.
        let concurrency: Int
        /// The time limit of one question.
        let attempt: Duration
        /// The time limit of a question and of storing its result. After it another try may begin.
        let leaseMs: Int64
        /// The pause before a result that the store refused is stored again; doubled each time.
        let answerPauseMs: Int64

        package init(concurrency: Int = 256, attempt: Duration = .seconds(10), leaseMs: Int64 = 30_000, answerPauseMs: Int64 = 250) {
            (self.concurrency, self.attempt, self.leaseMs, self.answerPauseMs) = (concurrency, attempt, leaseMs, answerPauseMs)
        }
    }

    private let answers: AppleAdsAnswers
    private let service: any AppleAdsService
    private let limits: Limits
    private let time: ServerTime
    private let telemetry: AppleAdsTelemetry
    private let rest = AppleAdsRest()

    package init(
        _ answers: AppleAdsAnswers, _ service: any AppleAdsService, limits: Limits = Limits(), time: ServerTime, logger: Logger,
        metrics: any MetricsFactory
    ) {
        self.answers = answers
        self.service = service
        self.limits = limits
        self.time = time
        self.telemetry = AppleAdsTelemetry(logger: logger, factory: metrics)
    }

    /// A first open is held for the answer, so the job starts at once and before all background work.
    package var work: JobWork {
        JobWork(
            kind: .appleAds, concurrency: limits.concurrency, leaseMs: limits.leaseMs, urgency: .interactive, startPause: .zero,
            attempt: attempt)
    }

    @Sendable private func attempt(_ job: Job) async throws -> JobStep {
        guard let exchange = LeasedExchange(job) else { return .done }
        // While Apple asked not to be asked, no token is sent; its next try comes after that time.
        let isResting = rest.untilMs(nowMs: time.nowMs()) > 0
        let outcome = isResting ? .silence(.status) : await ask(exchange)
        try Task.checkCancellation()
        let step = ExchangeStep(
            after: outcome, of: exchange, nowMs: time.nowMs(), restMs: rest.untilMs(nowMs: time.nowMs()))
        var pauseMs = limits.answerPauseMs
        while true {
            do {
                try await answers.record(outcome, step, of: exchange, nowMs: time.nowMs())
                if case .finish = step { return .moved(isDone: true) }
                return .moved(isDone: false)
            } catch {
                // The answer is known, so only the store is tried again while the lease lasts. After the lease, another try
                // asks Apple.
                let mayPass = (error as? DatabaseError)?.mayPass == true
                guard mayPass, time.nowMs() + pauseMs < job.leaseUntilMs else { throw error }
                telemetry.storeFailed(error)
            }
            try await time.sleep(.milliseconds(pauseMs))
            pauseMs *= 2
        }
    }

    /// One question with its time limit; the job does not wait for the service after that.
    private func ask(_ exchange: LeasedExchange) async -> ExchangeOutcome {
        let start = time.nowMs()
        typealias Tried = (outcome: ExchangeOutcome, cause: String)
        let inTime = try? await withTimeout(limits.attempt, by: time) { [service, time, rest] () -> Tried in
            do {
                let reply = try await service.answer(to: exchange.token)
                rest.heed(reply, nowMs: time.nowMs())
                return (ExchangeOutcome(reply), "status \(reply.status)")
            } catch {
                return (.silence(.connection), "\(error)")
            }
        }
        let tried = inTime ?? (.silence(.timeLimit), "no answer within \(limits.attempt)")
        let nowMs = time.nowMs()
        if !Task.isCancelled { telemetry.tried(tried.outcome, tried.cause, taking: .milliseconds(nowMs - start), nowMs: nowMs) }
        return tried.outcome
    }
}

extension DatabaseError {
    /// True if the same write may succeed a little later.
    fileprivate var mayPass: Bool {
        switch self {
        case .busy, .tooManyReads, .retry, .diskFailing, .diskLow: true
        default: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import Logging
package import Metrics

/// Brings notifications of the App Store to the second receiver as they came, each at least once, in no order. Apple's answer has left
/// by then and waits for nothing of it.
package struct ForwardingWork: Sendable {
    /// A receiver that is away for longer can ask Apple itself.
    static let longestMs: Int64 = 3 * Retention.dayMs
    private static let firstPauseMs: Int64 = 1_000
    private static let longestPauseMs: Int64 = 6 * 3_600_000
    private static let patience: Duration = .seconds(15)

    private let store: ForwardingStore
    private let http: any OutboundHTTP
    private let address: ForwardingAddress
    private let configuration: LiveConfiguration
    private let time: ServerTime
    private let logger: Logger
    private let factory: any MetricsFactory
    private let trouble = Trouble()

    /// - Parameter resolve: the addresses of a name, in digits.
    package init(
        _ store: ForwardingStore, by http: any OutboundHTTP, resolve: @escaping @Sendable (String) async -> [String],
        configuration: LiveConfiguration, time: ServerTime, logger: Logger, metrics: any MetricsFactory
    ) {
        (self.store, self.http, self.configuration, self.time, self.logger) = (store, http, configuration, time, logger)
        address = ForwardingAddress(resolve: resolve)
        factory = metrics
    }

    package var work: JobWork {
        JobWork(kind: .appStoreForwarding, concurrency: 8, leaseMs: 60_000, startPause: .seconds(5), attempt: attempt)
    }

    @Sendable func attempt(_ job: Job) async throws -> JobStep {
        guard let name = NotificationName(key: job.name.key), let body = ForwardedBody(payload: job.payload),
            let signedPayload = try await store.waiting(name, in: job.name.app)
        else { return .done }
        guard let receiver = configuration.snapshot.configuration.purchases.notify else {
            try await store.end(name, nil, job)
            return .moved(isDone: true)
        }
        let failure = await failure(of: body.bytes(around: signedPayload), to: receiver)
        try Task.checkCancellation()
        let nowMs = time.nowMs()
        guard let failure else {
            try await store.end(name, .done, job)
            count("delivered")
            if let past = trouble.worked(nowMs: nowMs) {
                logger.notice(
                    "The second receiver takes notifications of the App Store again.",
                    metadata: ["forwarding.failures": "\(past.failures)", "forwarding.troubleSeconds": "\(past.seconds)"])
            }
            return .moved(isDone: true)
        }
        if trouble.failed(nowMs: nowMs) {
            logger.warning(
                "The second receiver does not take a notification of the App Store; it is tried again.", metadata: ["error.text": "\(failure)"])
        }
        let ageMs = max(0, nowMs - job.createdAtMs)
        guard ageMs < Self.longestMs else {
            try await store.end(name, .givenUp, job)
            count("given_up")
            logger.error(
                "A notification of the App Store is given up for the second receiver, after days.", metadata: ["error.text": "\(failure)"])
            return .moved(isDone: true)
        }
        count("failed")
        return .retry(atMs: nowMs + Self.pauseMs(ageMs: ageMs))
    }

    /// As long again as it has waited already: each pause is twice the one before.
    static func pauseMs(ageMs: Int64) -> Int64 { min(max(firstPauseMs, ageMs), longestPauseMs) }

    /// Why the receiver has not taken it; nil if it has.
    private func failure(of body: [UInt8], to receiver: NotificationReceiver) async -> String? {
        var call = OutboundCall(.post, receiver.url)
        call.headers = ["Content-Type": "application/json"]
        call.body = body
        call.largestReply = 0
        do {
            call.address = try await address.address(of: receiver)
            let reply = try await withTimeout(Self.patience, by: time) { [http, call] in try await http.send(call) }
            guard let reply else { return "no answer within \(Self.patience)" }
            return (200..<300).contains(reply.status) ? nil : "status \(reply.status)"
        } catch {
            return "\(error)"
        }
    }

    /// - Parameter outcome: `delivered`, `failed` or `given_up`.
    private func count(_ outcome: String) {
        Counter(label: "landfall_app_store_forwardings_total", dimensions: [("outcome", outcome)], factory: factory).increment()
    }
}

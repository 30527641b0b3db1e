// SPDX-License-Identifier: Apache-2.0
import Logging
import Metrics

/// Metrics and log lines of the exchange. No token and no id above level trace.
struct AppleAdsTelemetry: Sendable {
    let logger: Logger
    let factory: any MetricsFactory
    private let trouble = Trouble()

    init(logger: Logger, factory: any MetricsFactory) { (self.logger, self.factory) = (logger, factory) }

    /// - Parameter cause: why there is no answer, for the log.
    func tried(_ outcome: ExchangeOutcome, _ cause: String, taking duration: Duration, nowMs: Int64) {
        Counter(label: "landfall_apple_ads_exchanges_total", dimensions: [("outcome", outcome.label)], factory: factory)
            .increment()
        Timer(label: "landfall_apple_ads_answer_seconds", factory: factory).record(duration: duration)
        if case .silence(let silence) = outcome {
            trouble.failed(nowMs: nowMs)
            logger.warning(
                "Apple Ads gave no usable answer; the server asks again later.",
                metadata: ["silence": "\(silence.rawValue)", "error.text": "\(cause)"])
        } else if let past = trouble.worked(nowMs: nowMs) {
            logger.notice(
                "Apple Ads answers again.", metadata: ["apple.failures": "\(past.failures)", "apple.troubleSeconds": "\(past.seconds)"])
        }
    }

    func storeFailed(_ error: any Error) {
        Counter(label: "landfall_apple_ads_store_failures_total", factory: factory).increment()
        logger.error("The queue of ad tokens cannot reach its store; it tries again.", metadata: ["error.text": "\(error)"])
    }
}

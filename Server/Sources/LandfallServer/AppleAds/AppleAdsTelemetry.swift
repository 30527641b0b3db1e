// SPDX-License-Identifier: Apache-2.0
import Logging
import Metrics

/// Metrics and log lines of the exchange. No token and no id above level trace.
struct AppleAdsTelemetry: Sendable {
    let logger: Logger
    let factory: any MetricsFactory

    func tried(_ outcome: ExchangeOutcome, taking duration: Duration) {
        Counter(label: "landfall_apple_ads_exchanges_total", dimensions: [("outcome", outcome.label)], factory: factory)
            .increment()
        Timer(label: "landfall_apple_ads_answer_seconds", factory: factory).record(duration: duration)
        if case .silence(let silence) = outcome {
            logger.warning("Apple Ads gave no usable answer; asking again later", metadata: ["silence": "\(silence.rawValue)"])
        }
    }

    func storeFailed(_ error: any Error) {
        Counter(label: "landfall_apple_ads_store_failures_total", factory: factory).increment()
        logger.error("The queue of ad tokens cannot reach its store; trying again", metadata: ["error": "\(error)"])
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import Logging
package import Metrics

/// Metrics and log lines of webhooks. An address may contain a password, so only its host is logged.
package struct WebhookTelemetry: Sendable {
    private let logger: Logger
    private let factory: any MetricsFactory

    package init(logger: Logger, factory: any MetricsFactory) { (self.logger, self.factory) = (logger, factory) }

    /// - Parameter outcome: `delivered`, `failed`, `given_up` or `gone`.
    func count(_ outcome: String, _ count: Int = 1) {
        guard count > 0 else { return }
        Counter(label: "landfall_webhook_deliveries_total", dimensions: [("outcome", outcome)], factory: factory).increment(by: count)
    }

    func dropped(_ count: Int) {
        guard count > 0 else { return }
        Counter(label: "landfall_webhook_deliveries_dropped_total", factory: factory).increment(by: count)
        logger.error(
            "Too many messages wait for webhooks: the oldest are dropped.", metadata: ["webhooks.dropped": "\(count)"])
    }

    func isOff(_ endpoint: WebhookEndpoint) {
        logger.error(
            "A webhook answered 410: it is switched off. Switch it on in the console, or change its address.",
            metadata: ["webhook.host": "\(endpoint.host)"])
    }

    func off(_ count: Int) { Gauge(label: "landfall_webhook_endpoints_off", factory: factory).record(count) }

    func failed(_ endpoint: WebhookEndpoint, _ cause: String) {
        logger.warning(
            "A webhook does not take its messages; they are tried again for three days.",
            metadata: ["webhook.host": "\(endpoint.host)", "error.text": "\(cause)"])
    }

    func givenUp(_ endpoint: WebhookEndpoint, _ count: Int, _ cause: String) {
        logger.error(
            "Messages for a webhook are given up after three days.",
            metadata: ["webhook.host": "\(endpoint.host)", "webhooks.givenUp": "\(count)", "error.text": "\(cause)"])
    }

    func worked(_ endpoint: WebhookEndpoint) {
        logger.notice("A webhook takes its messages again.", metadata: ["webhook.host": "\(endpoint.host)"])
    }
}

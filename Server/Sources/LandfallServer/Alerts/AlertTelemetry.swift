// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import Logging
package import Metrics

/// Metrics and log lines of alerts. An address may contain a password, so a destination is logged by its name.
package struct AlertTelemetry: Sendable {
    private let logger: Logger
    private let factory: any MetricsFactory

    package init(logger: Logger, factory: any MetricsFactory) { (self.logger, self.factory) = (logger, factory) }

    func tells(_ news: AlertNews) {
        let metadata: Logger.Metadata = ["alert.rule": "\(news.key.rule.rawValue)", "alert.subject": "\(news.key.subject)"]
        if news.kind == .fired {
            logger.warning("An alert fires.", metadata: metadata)
        } else {
            logger.notice("An alert is over.", metadata: metadata)
        }
    }

    /// - Parameter outcome: `delivered`, `failed` or `given_up`.
    func count(_ outcome: String) {
        Counter(label: "landfall_alert_messages_total", dimensions: [("outcome", outcome)], factory: factory).increment()
    }

    func failed(_ destination: String, _ cause: String, isLast: Bool) {
        count(isLast ? "given_up" : "failed")
        let metadata: Logger.Metadata = ["alert.destination": "\(destination)", "error.text": "\(cause)"]
        if isLast {
            logger.error("A message about an alert is given up after a day.", metadata: metadata)
        } else {
            logger.warning("A message about an alert was not taken; it is sent again.", metadata: metadata)
        }
    }

    func unmeasured(_ what: String, _ error: any Error) {
        logger.warning("Something could not be measured for alerts; it is tried again.", metadata: ["alert.measurement": "\(what)", "error.text": "\(error)"])
    }
}

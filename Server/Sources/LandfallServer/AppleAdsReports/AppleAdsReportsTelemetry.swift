// SPDX-License-Identifier: Apache-2.0
package import Logging
package import Metrics

/// Metrics and log lines about names and spend. A trouble is logged when it begins, when it is another one, and when it ends.
package struct AppleAdsReportsTelemetry: Sendable {
    enum Part: String, Sendable { case names, spend }

    private let logger: Logger
    private let factory: any MetricsFactory

    package init(logger: Logger, factory: any MetricsFactory) { (self.logger, self.factory) = (logger, factory) }

    /// Of one ad account.
    func read(_ part: Part) {
        Counter(label: "landfall_apple_ads_reads_total", dimensions: [("part", part.rawValue)], factory: factory).increment()
    }

    func ended(_ after: AppleAdsReading, before: AppleAdsReading?) {
        Meter(label: "landfall_apple_ads_reports_failing", factory: factory).set(after.trouble == nil ? 0 : 1)
        guard let trouble = after.trouble else {
            if let past = before?.trouble {
                logger.notice("Names and spend of Apple Ads are read again.", metadata: ["apple.trouble": "\(past.kind.rawValue)"])
            }
            return
        }
        Counter(label: "landfall_apple_ads_read_failures_total", dimensions: [("reason", trouble.kind.rawValue)], factory: factory).increment()
        guard before?.trouble?.kind != trouble.kind else { return }
        logger.warning(
            "Names and spend of Apple Ads cannot be read; what is known stays, and nothing else waits. 'landfall doctor' says what to do.",
            metadata: ["apple.trouble": "\(trouble.kind.rawValue)", "error.text": "\(trouble)"])
    }
}

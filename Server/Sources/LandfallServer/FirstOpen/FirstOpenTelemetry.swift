// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import LandfallWire
import Logging
package import Metrics

/// How first-open streams end.
package struct FirstOpenTelemetry: Sendable {
    private let factory: any MetricsFactory
    private let ended: KnownMetrics<EndReason, Counter>

    package init(factory: any MetricsFactory) {
        self.factory = factory
        ended = KnownMetrics { reason in
            Counter(label: "landfall_first_opens_total", dimensions: [("end", reason.rawValue)], factory: factory)
        }
    }

    func ended(_ reason: EndReason) { ended[reason].increment() }

    /// The phone's report was not stored, or not in time. The phone was answered and will repeat the report.
    /// - Parameter error: nil if the store has not answered yet.
    func unstored(_ error: DatabaseError?, _ logger: Logger) {
        let reason =
            switch error {
            case nil: "late"
            case .busy, .tooManyReads, .retry: "busy"
            case .diskFailing: "disk_failing"
            case .diskLow: "disk_low"
            case .damaged: "store_damaged"
            case .closed: "closed"
            default: "failed"
            }
        Counter(label: "landfall_first_opens_unstored_total", dimensions: [("reason", reason)], factory: factory).increment()
        logger.warning("A first open was answered without being stored.", metadata: ["reason": "\(reason)"])
    }

    /// The install could not be read for the next line; the stream reads it again a little later.
    func lookFailed(_ error: (any Error)?, _ logger: Logger) {
        logger.warning(
            "The install of a first-open stream could not be read; the stream tries again.",
            metadata: ["error.text": "\(error.map { "\($0)" } ?? "no answer")"])
    }

    /// The last line was not written, usually because the phone disconnected. This is the only report of a store that failed
    /// meanwhile.
    func brokeOff(_ error: any Error, _ logger: () -> Logger) {
        Counter(label: "landfall_first_opens_total", dimensions: [("end", "brokenOff")], factory: factory).increment()
        guard error is DatabaseError else { return }
        logger().error("A first-open stream broke off; the phone asks again.", metadata: ["error.text": "\(error)"])
    }
}

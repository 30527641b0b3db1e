// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import Logging
import Metrics

/// Counts what the App Store had to be asked for. No id above level trace.
struct AppStoreAPITelemetry: Sendable {
    enum Kind: String { case notification, fact, refused }

    let logger: Logger
    let factory: any MetricsFactory

    /// What this server had not heard.
    func reconciled(_ kind: Kind, _ count: Int) {
        guard count > 0 else { return }
        Counter(label: "landfall_app_store_reconciled_total", dimensions: [("kind", kind.rawValue)], factory: factory).increment(by: count)
    }

    func refused(_ refusals: [AppStoreRefusal]) {
        guard let first = refusals.first else { return }
        reconciled(.refused, refusals.count)
        logger.error(
            "An answer of the App Store has texts that Apple has not signed for this app; they are left out.", metadata: ["error.text": "\(first)"])
    }

    func failed(_ problem: String) { logger.error("The App Store cannot be asked.", metadata: ["error.text": "\(problem)"]) }

    func worksAgain() { logger.notice("The App Store can be asked again.") }
}

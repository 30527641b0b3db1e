// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallWire
package import Metrics

/// Counts what the App Store and phones report, and what became of it.
package struct PurchasesTelemetry: Sendable {
    enum Arrival: String, Sendable { case stored, duplicate, forged, foreign, environment }

    private let factory: any MetricsFactory

    package init(factory: any MetricsFactory) { self.factory = factory }

    func arrived(_ arrival: Arrival) {
        Counter(label: "landfall_app_store_notifications_total", dimensions: [("outcome", arrival.rawValue)], factory: factory).increment()
    }

    /// What became of a transaction that a phone reported.
    func reported(_ result: PurchaseAnswer.Result) {
        let outcome = result.code.map { String($0.rawValue.drop { $0 != "_" }.dropFirst()) } ?? result.status.rawValue
        Counter(label: "landfall_purchases_total", dimensions: [("outcome", outcome)], factory: factory).increment()
    }

    func refused(_ refusal: AppStoreRefusal) {
        switch refusal {
        case .forged: arrived(.forged)
        case .foreign: arrived(.foreign)
        case .environment: arrived(.environment)
        }
    }

    /// - Parameter reason: why the body stays; nil if all that it says is in facts.
    func processed(_ reason: KeptNotification?) {
        let outcome = reason?.rawValue ?? "done"
        Counter(label: "landfall_app_store_notifications_processed_total", dimensions: [("outcome", outcome)], factory: factory).increment()
    }
}

/// Why the body of a notification stays after the server has worked on it.
package enum KeptNotification: String, CaseIterable, Sendable {
    /// Its type or envelope is newer than this release.
    case unknown
    /// It is refused by now: the app, its root or this release is another one than when it was stored.
    case refused
    /// Its work failed too often.
    case failed
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// How long a subscription had been paid for before each of its transactions. After a year Apple's commission is lower.
///
/// Free trials, extensions and periods whose whole price came back do not count; a lapse of up to sixty days does not begin anew.
struct PaidService {
    static let lapseMs: Int64 = 60 * Retention.dayMs

    private(set) var beforeMs: [String: Int64] = [:]
    private(set) var isEstimated = false

    /// - Parameter recentStartMs: what Apple calls the start of the newest uninterrupted subscription. It fills only the time before
    ///   the first known transaction.
    init(_ periods: [SubscriptionPeriod], chain original: String?, recentStartMs: Int64?) {
        var paid: Int64 = 0, newest: Int64 = 0, lastEnd: Int64?, hasLapsed = false
        for period in periods {
            if let lastEnd, period.startMs - lastEnd > Self.lapseMs {
                paid = 0
                hasLapsed = true
            }
            // Seats are added inside a period whose whole length is in the sum already.
            let ahead = period.transaction.isSeatAddition ? min(newest, max(0, (lastEnd ?? period.startMs) - period.startMs)) : 0
            beforeMs[period.payload.transactionID] = paid - ahead
            if !period.transaction.isSeatAddition {
                let end = min(period.endMs, period.transaction.firstExpiresMs ?? period.endMs)
                newest = period.isFree ? 0 : max(0, end - period.startMs)
                paid += newest
            }
            lastEnd = max(lastEnd ?? .min, period.endMs)
        }
        guard !hasLapsed, let first = periods.first, first.payload.transactionID != original, let recentStartMs,
            recentStartMs > 0, recentStartMs < first.startMs
        else { return }
        beforeMs = beforeMs.mapValues { $0 + first.startMs - recentStartMs }
        isEstimated = true
    }
}

extension SubscriptionPeriod {
    /// A period that cost nothing in the end.
    fileprivate var isFree: Bool {
        transaction.isTrial || payload.priceMilliunits == 0
            || payload.revocationDateMs != nil && payload.revocationType != .prorated
    }
}

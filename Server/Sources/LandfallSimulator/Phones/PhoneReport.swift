// SPDX-License-Identifier: Apache-2.0

/// The JSON document of `landfall simulate`. Times are in seconds, shares 0…1.
package struct PhoneReport: Hashable, Sendable, Encodable {
    /// The results of one way of showing a paywall.
    struct Side: Hashable, Sendable, Encodable {
        /// Share of phones with the paywall that fits Apple's answer, whenever that comes.
        var targeted: Double
        /// The same share among the phones on which a perfect client would have had the answer in time, see ``PerfectClient``.
        var targetedOfPossible: Double?
        /// The number of those phones.
        var possible: Int?
        var p50: Double
        var p90: Double
        var p99: Double
        var max: Double
        /// Of the phones that an Apple Ads campaign brought; nil if there is no such phone.
        var appleAdsP50: Double?
        /// Phones whose paywall came more than 50 ms after the deadline.
        var late: Int
        var withoutPaywall: Int
        /// HTTP requests until the paywall arrived, on average.
        var requestsPerOpen: Double

        init(
            targeted: Double, p50: Double, p90: Double, p99: Double, max: Double, appleAdsP50: Double?, late: Int,
            withoutPaywall: Int, requestsPerOpen: Double
        ) {
            self.targeted = targeted
            self.p50 = p50
            self.p90 = p90
            self.p99 = p99
            self.max = max
            self.appleAdsP50 = appleAdsP50
            self.late = late
            self.withoutPaywall = withoutPaywall
            self.requestsPerOpen = requestsPerOpen
        }
    }

    /// The times to paywall of one phone.
    struct Phone: Hashable, Sendable, Encodable {
        let number: Int
        let landfall: Double
        /// nil without comparison, as is the limit.
        let documented: Double?
        let limit: Double?
    }

    package let phones: Int
    let seed: UInt64
    package let scenario: String
    let deadlineSeconds: Double
    /// nil without comparison, as are the limit and the ratio.
    let documented: Side?
    let landfall: Side?
    let limit: Quantiles?
    /// Landfall's time minus the limit, phone by phone. Negative: Landfall was faster.
    let behindLimit: Quantiles?
    /// Each phone's times, in the order in which the phones were drawn.
    let each: [Phone]
    /// Landfall's median as a share of the documented one.
    let ratioP50: Double?
}

/// Three values of a distribution, by nearest rank.
struct Quantiles: Hashable, Sendable, Encodable {
    let p50: Double
    let p90: Double
    let p99: Double

    /// nil for an empty distribution.
    init?(_ ascending: [Double]) {
        guard !ascending.isEmpty else { return nil }
        func value(_ percent: Int) -> Double {
            let rank = (percent * ascending.count + 99) / 100
            return ascending[Swift.max(0, rank - 1)].rounded(to: 3)
        }
        (p50, p90, p99) = (value(50), value(90), value(99))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The JSON document of `landfall simulate`. Times are in seconds, shares 0…1.
public struct PhoneReport: Hashable, Sendable, Encodable {
    /// The results of one way of showing a paywall.
    public struct Side: Hashable, Sendable, Encodable {
        /// Share of phones with the paywall that fits Apple's answer, whenever that comes.
        public var targeted: Double
        /// The same among the phones that a perfect client could have told in time, see ``PerfectClient``.
        public var targetedOfPossible: Double?
        /// How many phones these are.
        public var possible: Int?
        public var p50: Double
        public var p90: Double
        public var p99: Double
        public var max: Double
        /// Of the phones that an Apple Ads campaign brought; nil if there is no such phone.
        public var appleAdsP50: Double?
        /// Phones whose paywall came more than 50 ms after the deadline.
        public var late: Int
        public var withoutPaywall: Int
        /// HTTP requests until the paywall arrived, on average.
        public var requestsPerOpen: Double

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
    public struct Phone: Hashable, Sendable, Encodable {
        public let number: Int
        public let landfall: Double
        /// nil without comparison, as is the limit.
        public let documented: Double?
        public let limit: Double?
    }

    public let phones: Int
    public let seed: UInt64
    public let scenario: String
    public let deadlineSeconds: Double
    /// nil without comparison, as are the limit and the ratio.
    public let documented: Side?
    public let landfall: Side?
    public let limit: Quantiles?
    /// Landfall's time minus the limit, phone by phone. Negative: Landfall was faster.
    public let behindLimit: Quantiles?
    /// Each phone's times, in the order in which the phones were drawn.
    public let each: [Phone]
    /// Landfall's median as a share of the documented one.
    public let ratioP50: Double?
}

/// Three values of a distribution, by nearest rank.
public struct Quantiles: Hashable, Sendable, Encodable {
    public let p50: Double
    public let p90: Double
    public let p99: Double

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

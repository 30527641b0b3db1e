// SPDX-License-Identifier: Apache-2.0

/// How many exposures took how long, from the app's question to the paywall.
package struct ElapsedTimes: Hashable, Sendable {
    package struct Bucket: Hashable, Sendable {
        /// It has the times from here on.
        package let startMs: Int64
        /// Nil for the last one, which has no end.
        package let endMs: Int64?
        package let count: Int64
    }

    /// All of them, one after the other.
    package let buckets: [Bucket]
    /// More than 0.
    package let count: Int64

    /// Nil if nothing is counted.
    /// - Parameter counts: one for each of the ``ElapsedBuckets``.
    init?(_ counts: [Int64]) {
        let ends = ElapsedBuckets.ends
        buckets = counts.enumerated().map { index, count in
            Bucket(startMs: index == 0 ? 0 : ends[index - 1], endMs: index < ends.count ? ends[index] : nil, count: count)
        }
        count = counts.reduce(0, +)
        if count == 0 { return nil }
    }

    /// Which share took at most so long, as if the times of a bucket lay evenly in it.
    package func share(withinMs limit: Int64) -> Double {
        let within = buckets.reduce(0.0) { sum, bucket in
            guard let endMs = bucket.endMs, limit > bucket.startMs else { return sum }
            return sum + Double(bucket.count) * min(1, Double(limit - bucket.startMs) / Double(endMs - bucket.startMs))
        }
        return within / Double(count)
    }
}

extension ReportSheet {
    /// Of all rows; nil if no app told its times, and where few did and a reader may not know of them.
    package var elapsedTimes: ElapsedTimes? {
        let counts = (0..<ElapsedBuckets.count).compactMap { layout.index(of: .elapsed(bucket: $0)).flatMap { totals[$0] } }
        return counts.count == ElapsedBuckets.count ? ElapsedTimes(counts) : nil
    }
}

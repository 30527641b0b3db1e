// SPDX-License-Identifier: Apache-2.0

/// Counts of times by their length, so that quantiles of several days are known without the times. Each bucket ends a quarter later
/// than it begins, so a quantile is wrong by a quarter at most, between 10 ms and a minute.
enum ElapsedBuckets {
    /// Where a bucket ends, in milliseconds: it has the times before. The last bucket, after these, has no end.
    static let ends: [Int64] = (0..<40).reduce(into: [10.0]) { ends, _ in ends.append(ends[ends.count - 1] * 1.25) }.map { Int64($0.rounded()) }
    static let count = ends.count + 1

    static func bucket(of milliseconds: Int64) -> Int { ends.firstIndex { milliseconds < $0 } ?? ends.count }

    /// - Parameters:
    ///   - share: 0…1; 0.5 is the median.
    ///   - counts: one for each bucket.
    /// - Returns: milliseconds, as if the times of a bucket lay evenly in it; nil if nothing is counted. Times after the last end
    ///   are taken for it.
    static func quantile(_ share: Double, of counts: some Collection<Int64>) -> Double? {
        let all = counts.reduce(0, +)
        guard all > 0 else { return nil }
        let rank = share * Double(all)
        var before: Int64 = 0
        for (bucket, count) in counts.enumerated() where count > 0 {
            guard Double(before + count) >= rank else { before += count; continue }
            let start = bucket == 0 ? 0 : Double(ends[bucket - 1])
            guard bucket < ends.count else { return start }
            return start + (Double(ends[bucket]) - start) * (rank - Double(before)) / Double(count)
        }
        return Double(ends[ends.count - 1])
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallReports

@Suite("Counts of times by their length", .timeLimit(.minutes(1)))
struct ElapsedBucketsTests {
    private static func counts(_ times: [Int64]) -> [Int64] {
        times.reduce(into: Array(repeating: 0, count: ElapsedBuckets.count)) { $0[ElapsedBuckets.bucket(of: $1)] += 1 }
    }

    @Test("begin at nothing, end after a minute, and each is a quarter longer than the one before")
    func ends() {
        let ends = ElapsedBuckets.ends
        #expect(ends.first == 10 && (60_000..<76_000).contains(ends[ends.count - 1]))
        for (one, next) in zip(ends, ends.dropFirst()) { #expect(Double(next) <= Double(one) * 1.25 + 1 && next > one) }
        #expect([0, 9, 10, ends[ends.count - 1] - 1, ends[ends.count - 1], .max].map { ElapsedBuckets.bucket(of: $0) } == [0, 0, 1, ends.count - 1, ends.count, ends.count])
    }

    @Test("tell every quantile within a quarter", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func quantiles(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // From 10 ms to 50 s, as many in each power of ten.
        let times = (0..<2_000).map { _ in Int64(10 * exp(Double.random(in: 0..<8.5, using: &random))) }.sorted()
        let counts = Self.counts(times)
        for share in [0.01, 0.25, 0.5, 0.9, 0.95, 0.99] {
            let exact = Double(times[Int((share * Double(times.count)).rounded(.up)) - 1])
            let found = try #require(ElapsedBuckets.quantile(share, of: counts))
            #expect(found <= exact * 1.25 + 1 && found >= exact / 1.25 - 1, "\(share): \(found) for \(exact)")
        }
    }

    @Test("tell which share took at most so long: as many as the quantile says", arguments: [0.1, 0.5, 0.95])
    func shares(share: Double) throws {
        let counts = Self.counts(Array(stride(from: 100, to: 9_000, by: 7)))

        let times = try #require(ElapsedTimes(counts)), quantile = try #require(ElapsedBuckets.quantile(share, of: counts))

        #expect(abs(times.share(withinMs: Int64(quantile)) - share) < 0.01 && times.count == counts.reduce(0, +))
        #expect(times.share(withinMs: 0) == 0 && times.share(withinMs: 60_000) == 1)
        #expect(ElapsedTimes(Self.counts([])) == nil && times.buckets.last?.endMs == nil)
        // Nobody knows how long the times of the last bucket are.
        #expect(ElapsedTimes(Self.counts([1, .max]))?.share(withinMs: 86_400_000) == 0.5)
    }

    @Test("add up: the quantile of two days is that of all their times")
    func sums() {
        let (one, other): ([Int64], [Int64]) = ([100, 200, 300], [4_000, 5_000])
        let sum = zip(Self.counts(one), Self.counts(other)).map { $0 + $1 }

        #expect(sum == Self.counts(one + other))
        #expect(ElapsedBuckets.quantile(0.5, of: sum) == ElapsedBuckets.quantile(0.5, of: Self.counts(one + other)))
        #expect(ElapsedBuckets.quantile(0.5, of: Self.counts([])) == nil)
        #expect(ElapsedBuckets.quantile(0.95, of: Self.counts([.max])) == Double(ElapsedBuckets.ends[ElapsedBuckets.ends.count - 1]))
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// The sums of one day of exposures.
struct PaywallSums {
    /// A bound, because everybody with an SDK key can name paywalls: the most combinations of fields that are told apart. Further ones
    /// are called ``DayCells/other`` in every field.
    static let mostPlaces = 3_000

    /// An event of an install that saw a paywall on the day.
    struct Event {
        let type: LandfallWire.Event.Kind
        let occurredAtMs: Int64
        /// In the order of ``PaywallCut/fields``.
        let texts: [String?]
        let elapsedMs: Int64?

        init(_ row: Row) throws {
            type = .init(try row.text(1))
            occurredAtMs = try row.integer(2)
            texts = (3...7).map { row.optionalText($0) }
            elapsedMs = row.optionalInteger(8)
        }
    }

    let day: Range<Int64>
    let metrics: [RollupRules.Counted]
    private let zeros: [Int64]
    /// For each combination of fields the places of its sums, one for each cut.
    private var places: [ReportSheet.Key: [Int]] = [:]
    private var placeOfKey: [CutKey: Int] = [:]
    private var sums: [[Int64]] = []

    private struct CutKey: Hashable {
        let cut: PaywallCut
        let key: ReportSheet.Key
    }

    init(day: Range<Int64>, metrics: [RollupRules.Counted]) {
        self.day = day
        self.metrics = metrics
        zeros = Array(repeating: 0, count: PaywallCounts.size(metrics: metrics.count))
    }

    /// What one install saw, as far as a cut tells it apart.
    private struct Seen {
        var firstMs: Int64
        var countOfDay: Int64 = 0
        /// Of the exposures of the day that told their time.
        var buckets: [Int] = []

        mutating func add(_ other: Seen) {
            firstMs = min(firstMs, other.firstMs)
            countOfDay += other.countOfDay
            buckets += other.buckets
        }
    }

    /// - Parameters:
    ///   - events: all exposures of one install, and all its events of the metrics' types.
    ///   - attributedAtMs: when the install's source was known; nil if it is not.
    mutating func add(_ events: [Event], attributedAtMs: Int64?) {
        var seen: [ReportSheet.Key: Seen] = [:], times: [String: [Int64]] = [:]
        for event in events {
            // A metric may count exposures too.
            times[event.type.rawValue, default: []].append(event.occurredAtMs)
            guard event.type == .paywallShown, event.occurredAtMs < day.upperBound else { continue }
            var one = Seen(firstMs: event.occurredAtMs)
            if event.occurredAtMs >= day.lowerBound {
                one.countOfDay = 1
                if let elapsedMs = event.elapsedMs { one.buckets.append(ElapsedBuckets.bucket(of: elapsedMs)) }
            }
            let key = event.texts.map { $0.map { Array($0.utf8) } }
            if seen[key]?.add(one) == nil { seen[key] = one }
        }
        let all = seen.map { (places: places(of: $0.key), seen: $0.value) }
        for cut in PaywallCut.all.indices {
            // Most installs see one paywall.
            if let only = all.first, all.count == 1 { add(only.seen, to: only.places[cut], times, attributedAtMs); continue }
            var merged: [Int: Seen] = [:]
            for one in all where merged[one.places[cut]]?.add(one.seen) == nil { merged[one.places[cut]] = one.seen }
            for (place, seen) in merged { add(seen, to: place, times, attributedAtMs) }
        }
    }

    private mutating func add(_ seen: Seen, to place: Int, _ times: [String: [Int64]], _ attributedAtMs: Int64?) {
        guard seen.countOfDay > 0 else { return }
        sums[place][PaywallCounts.exposures] += seen.countOfDay
        let firstBucket = PaywallCounts.elapsed(metrics: metrics.count).lowerBound
        for bucket in seen.buckets { sums[place][firstBucket + bucket] += 1 }
        guard seen.firstMs >= day.lowerBound else { return }
        sums[place][PaywallCounts.shown] += 1
        if let attributedAtMs {
            sums[place][PaywallCounts.attributed] += 1
            if seen.firstMs < attributedAtMs { sums[place][PaywallCounts.late] += 1 }
        }
        for (number, metric) in metrics.enumerated() {
            let window = seen.firstMs...(seen.firstMs + metric.windowDays * Retention.dayMs)
            if times[metric.type]?.contains(where: { window.contains($0) }) == true { sums[place][PaywallCounts.firstMetric + number] += 1 }
        }
    }

    private mutating func places(of key: ReportSheet.Key) -> [Int] {
        if let found = places[key] { return found }
        let other = ReportSheet.Key(repeating: Array(DayCells.other.utf8), count: key.count)
        if places.count >= Self.mostPlaces, key != other { return places(of: other) }
        let found = PaywallCut.all.map { cut in
            let cutKey = CutKey(cut: cut, key: key.indices.filter { cut.has($0) }.map { key[$0] })
            if let place = placeOfKey[cutKey] { return place }
            placeOfKey[cutKey] = sums.count
            sums.append(zeros)
            return sums.count - 1
        }
        places[key] = found
        return found
    }

    var cells: [PaywallCut: [ReportSheet.Key: [Int64]]] {
        var cells = Dictionary(PaywallCut.all.map { ($0, [ReportSheet.Key: [Int64]]()) }) { first, _ in first }
        // An install may have seen something on other days only.
        for (cutKey, place) in placeOfKey where sums[place][PaywallCounts.exposures] > 0 { cells[cutKey.cut]?[cutKey.key] = sums[place] }
        return cells.mapValues { DayCells.capped($0).mapValues { PaywallCounts.short($0, metrics: metrics.count) } }
    }
}

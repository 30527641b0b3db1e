// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Counts the exposures of one day, and what the installs did that saw a paywall there for the first time. A pure sum of their rows:
/// the order of events changes nothing.
struct PaywallDay: Sendable {
    /// Installs of one read.
    static let page = 2_000

    let app: AppID
    let rules: RollupRules
    let testDevices: TestDevices
    var page = page

    /// - Returns: the cells of every cut.
    /// - Throws: the errors of the store; `CancellationError`.
    func cells(of day: Int64, _ database: any Database) async throws -> [PaywallCut: [ReportSheet.Key: [Int64]]] {
        var sums = PaywallSums(day: rules.zone.startMs(ofDay: day)..<rules.zone.startMs(ofDay: day + 1), metrics: rules.metrics)
        var after = ""
        while true {
            try Task.checkCancellation()
            let values: [SQLValue] = [
                .text(app.rawValue), .integer(sums.day.lowerBound), .integer(sums.day.upperBound), .text(after), .integer(Int64(page)),
            ]
            let (events, installs) = try await database.read { connection in
                (try connection.rows(Self.eventsText, values + types), try connection.rows(Self.installsText, values))
            }
            let rows = try Dictionary(grouping: installs) { try $0.text(0) }
            var known: [String: ReportedInstall] = [:]
            for (id, rows) in rows { known[id] = try ReportedInstall(id, rows) }
            for (id, events) in try Dictionary(grouping: events, by: { try $0.text(0) }) {
                // The installs of the team's own phones say nothing about its users.
                guard let install = known[id], testDevices.device(install.id, first: install.firstInstall) == nil else { continue }
                try sums.add(events.map { try PaywallSums.Event($0) }, attributedAtMs: install.origin?.recordedAtMs)
            }
            guard rows.count >= page, let last = rows.keys.max() else { break }
            after = last
        }
        return sums.cells
    }

    private var types: [SQLValue] {
        let types = [Event.Kind.paywallShown.rawValue] + rules.types.map(\.rawValue).sorted()
        return (0..<EventReading.mostTypes).map { .text(types.indices.contains($0) ? types[$0] : types[0]) }
    }

    /// The next installs that saw a paywall on the day. The condition on the install is written so that no index answers it: the one of
    /// all events by their install would be read from end to end.
    private static let installs = """
        SELECT install_id FROM (
          SELECT DISTINCT install_id FROM event WHERE app_id = $1 AND type = 'paywall_shown' AND occurred_at_ms >= $2 AND occurred_at_ms < $3
        ) AS seen
        WHERE install_id || '' > $4 ORDER BY install_id LIMIT $5
        """
    /// Each install's events are found by the install: the condition on the id makes that the shortest way.
    static let eventsText = """
        SELECT e.install_id, e.type, e.occurred_at_ms, e.placement, e.paywall, e.variation_id, e.audience, e.origin, e.elapsed_ms
        FROM (
        \(installs)
        ) d CROSS JOIN event e
        WHERE e.app_id = $1 AND e.install_id = d.install_id AND e.id > ''
          AND e.type IN (\((0..<EventReading.mostTypes).map { "$\($0 + 6)" }.joined(separator: ", ")))
        """
    static let installsText = InstallReading.columns + "\nFROM (\n\(installs)\n) d CROSS JOIN install i\n" + InstallReading.facts
        + "\nWHERE i.app_id = $1 AND i.install_id = d.install_id"
}

/// The sums of one day of exposures.
struct PaywallSums {
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
    /// Texts that were seen, by their bytes: a place is told apart by numbers.
    private var numbers: [[UInt8]: Int32] = [:]
    private var texts: [[UInt8]] = []
    private var counts: [Place: [Int64]] = [:]

    init(day: Range<Int64>, metrics: [RollupRules.Counted]) {
        self.day = day
        self.metrics = metrics
    }

    /// What was seen, as far as a cut tells it apart. A text that is not there, or that the cut does not tell apart, is -1.
    private struct Place: Hashable {
        let mask: Int
        var numbers: [Int32]
    }

    private struct Seen {
        let numbers: [Int32]
        var firstMs: Int64
        var countOfDay: Int64
        /// Of the exposures of the day that told their time.
        var buckets: [Int] = []
    }

    /// - Parameters:
    ///   - events: all exposures of one install, and all its events of the metrics' types.
    ///   - attributedAtMs: when the install's source was known; nil if it is not.
    mutating func add(_ events: [Event], attributedAtMs: Int64?) {
        var seen: [[Int32]: Seen] = [:], converted: [String: [Int64]] = [:]
        for event in events {
            if event.type == .paywallShown, event.occurredAtMs < day.upperBound {
                let numbers = event.texts.map { number($0) }
                var one = seen[numbers] ?? Seen(numbers: numbers, firstMs: event.occurredAtMs, countOfDay: 0)
                one.firstMs = min(one.firstMs, event.occurredAtMs)
                if event.occurredAtMs >= day.lowerBound {
                    one.countOfDay += 1
                    if let elapsedMs = event.elapsedMs { one.buckets.append(ElapsedBuckets.bucket(of: elapsedMs)) }
                }
                seen[numbers] = one
            }
            // A metric may count exposures too.
            converted[event.type.rawValue, default: []].append(event.occurredAtMs)
        }
        for cut in PaywallCut.all {
            var places: [[Int32]: Seen] = [:]
            for one in seen.values {
                let numbers = one.numbers.enumerated().map { cut.has($0.offset) ? $0.element : -1 }
                guard var place = places[numbers] else { places[numbers] = one; continue }
                place.firstMs = min(place.firstMs, one.firstMs)
                place.countOfDay += one.countOfDay
                place.buckets += one.buckets
                places[numbers] = place
            }
            for (numbers, place) in places where place.countOfDay > 0 {
                add(place, to: Place(mask: cut.mask, numbers: numbers), converted, attributedAtMs)
            }
        }
    }

    private mutating func add(_ seen: Seen, to place: Place, _ converted: [String: [Int64]], _ attributedAtMs: Int64?) {
        var sum = counts[place] ?? Array(repeating: 0, count: PaywallCounts.size(metrics: metrics.count))
        sum[PaywallCounts.exposures] += seen.countOfDay
        let firstBucket = PaywallCounts.elapsed(metrics: metrics.count).lowerBound
        for bucket in seen.buckets { sum[firstBucket + bucket] += 1 }
        if seen.firstMs >= day.lowerBound {
            sum[PaywallCounts.shown] += 1
            if let attributedAtMs {
                sum[PaywallCounts.attributed] += 1
                if seen.firstMs < attributedAtMs { sum[PaywallCounts.late] += 1 }
            }
            for (number, metric) in metrics.enumerated() {
                let window = seen.firstMs...(seen.firstMs + metric.windowDays * Retention.dayMs)
                if converted[metric.type]?.contains(where: { window.contains($0) }) == true { sum[PaywallCounts.firstMetric + number] += 1 }
            }
        }
        counts[place] = sum
    }

    private mutating func number(_ text: String?) -> Int32 {
        guard let text else { return -1 }
        let bytes = Array(text.utf8)
        if let number = numbers[bytes] { return number }
        let number = Int32(texts.count)
        numbers[bytes] = number
        texts.append(bytes)
        return number
    }

    var cells: [PaywallCut: [ReportSheet.Key: [Int64]]] {
        var cells: [PaywallCut: [ReportSheet.Key: [Int64]]] = [:]
        for cut in PaywallCut.all { cells[cut] = [:] }
        for (place, sum) in counts {
            let cut = PaywallCut.all[place.mask]
            let key: ReportSheet.Key = place.numbers.enumerated().filter { cut.has($0.offset) }.map {
                $0.element < 0 ? nil : texts[Int($0.element)]
            }
            cells[cut, default: [:]][key] = sum
        }
        return cells.mapValues { DayCells.capped($0).mapValues { PaywallCounts.short($0, metrics: metrics.count) } }
    }
}

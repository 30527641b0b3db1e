// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallWire

/// Counts what units did, for every metric, and by source for the primary one. Only a unit that converted is held in memory.
struct OutcomeCounter: Sendable {
    /// Buckets are never divided further, whatever the number of units.
    private static let mostParts: Int64 = 1_024
    /// Units whose sources are read together.
    private static let lot = 10_000

    let counting: ExperimentCounter
    let basis: ExperimentNumbers.Basis

    struct Outcomes: Sendable {
        /// Without units.
        var tally: ExperimentTally
        /// The conversions of units that have a source, and what they paid.
        var sources = SourceCounts()
        /// By metric.
        var unconverted: [UnconvertedMoney] = []
    }

    /// - Parameter span: the first exposure and the last one; nil if there is none.
    func outcomes(_ span: ClosedRange<Int64>?) async throws -> Outcomes {
        guard let span else { return Outcomes(tally: ExperimentTally(counting.experiment)) }
        var parts: Int64 = 1
        while true {
            let most = parts < Self.mostParts ? counting.mostUnitsAtOnce : Int.max
            if var found = try await read(span, parts: parts, most: most) {
                try await countPurchases(into: &found)
                return found
            }
            parts *= 2
        }
    }

    /// - Returns: nil if more units converted in a part of the buckets.
    private func read(_ span: ClosedRange<Int64>, parts: Int64, most: Int) async throws -> Outcomes? {
        var outcomes = Outcomes(tally: ExperimentTally(counting.experiment))
        let all = Int64(Draw.bucketCount)
        for part in 0..<parts {
            let buckets = part * all / parts..<(part + 1) * all / parts
            guard try await read(span, buckets, most: most, into: &outcomes) else { return nil }
        }
        return outcomes
    }

    private func read(
        _ span: ClosedRange<Int64>, _ buckets: Range<Int64>, most: Int, into outcomes: inout Outcomes
    ) async throws -> Bool {
        let reading = OutcomeReader(
            database: counting.database, app: counting.app, experiment: counting.experiment.name, basis: basis, buckets: buckets
        )
        var converted: [(unit: String, arm: ExperimentTally.Arm)] = []
        for (place, measure) in counting.measures.enumerated() {
            guard case .event(let event)? = measure else { continue }
            let windowMs = counting.experiment.metrics[place].windowMs
            let range = span.lowerBound..<span.upperBound + windowMs
            let isWhole = try await reading.forEach(of: event, windowMs: windowMs, in: range, most: most) { found in
                guard let arm = counting.arm(found.epoch, found.variation), !counting.testDevices.contains(found.unit) else {
                    return
                }
                outcomes.tally.count(by: place, of: arm, on: CountedExperiment.day(found.atMs))
                if place == 0 { converted.append((found.unit.id.rawValue, arm)) }
            }
            guard isWhole else { return false }
        }
        converted.sort { $0.unit < $1.unit }
        let sources = UnitSources(database: counting.database, app: counting.app)
        for begin in stride(from: 0, to: converted.count, by: Self.lot) {
            let units = converted[begin...].prefix(Self.lot)
            let segments = try await sources.segments(of: units.map { $0.unit })
            for (unit, arm) in units {
                if let segment = segments[unit] { outcomes.sources.count(conversions: 1, of: arm, from: segment) }
            }
        }
        return true
    }
}

extension OutcomeCounter {
    private struct Purchased {
        let place: Int
        let measure: Metric.Measure
        let windowMs: Int64
    }

    /// What needs charges and not events. It walks over the units once, for all metrics of purchases.
    private func countPurchases(into outcomes: inout Outcomes) async throws {
        let metrics = counting.experiment.metrics
        let purchased = counting.measures.enumerated().compactMap { place, measure -> Purchased? in
            guard let measure, metrics[place].isMeasured else { return nil }
            if case .event = measure { return nil }
            return Purchased(place: place, measure: measure, windowMs: metrics[place].windowMs)
        }
        guard let windowMs = purchased.map(\.windowMs).max() else { return }
        let reading = PurchaseReader(
            database: counting.database, app: counting.app, experiment: counting.experiment.name, basis: basis, windowMs: windowMs)
        let sources = UnitSources(database: counting.database, app: counting.app), pricing = Pricing(counting.money)
        let isPrimary = purchased.contains { $0.place == 0 }
        var unconverted: [Int: (units: Int, currencies: Set<String>)] = [:]
        try await reading.forEachPage { units in
            let segments = isPrimary ? try await sources.segments(of: units.map(\.unit.id.rawValue)) : [:]
            for unit in units where !counting.testDevices.contains(unit.unit) {
                guard let arm = counting.arm(unit.epoch, unit.variation) else { continue }
                let source = segments[unit.unit.id.rawValue]
                for metric in purchased {
                    let segment = metric.place == 0 ? source : nil
                    switch metric.measure {
                    case .event: continue
                    case .purchase(let purchases):
                        guard let atMs = unit.firstAtMs(purchases, windowMs: metric.windowMs) else { continue }
                        outcomes.tally.count(by: metric.place, of: arm, on: CountedExperiment.day(atMs))
                        if let segment { outcomes.sources.count(conversions: 1, of: arm, from: segment) }
                    case .revenue:
                        let paid = unit.paid(windowMs: metric.windowMs, pricing)
                        outcomes.count(paid, by: metric.place, of: arm, from: segment)
                        guard !paid.unconverted.isEmpty else { continue }
                        unconverted[metric.place, default: (0, [])].units += 1
                        unconverted[metric.place, default: (0, [])].currencies.formUnion(paid.unconverted)
                    }
                }
            }
        }
        outcomes.unconverted = unconverted.sorted { $0.key < $1.key }.map { place, money in
            .init(metric: metrics[place].name, units: money.units, currencies: money.currencies.sorted())
        }
    }
}

extension OutcomeCounter.Outcomes {
    fileprivate mutating func count(
        _ paid: UnitPurchases.Paid, by metric: Int, of arm: ExperimentTally.Arm, from segment: String?
    ) {
        tally.note(price: paid.highestPrice, by: metric)
        for (day, step) in paid.steps { tally.count(step, by: metric, of: arm, on: day) }
        guard let segment else { return }
        var whole = Payments()
        whole.count(.init(from: 0, to: paid.milliunits))
        sources.count(paid: whole, of: arm, from: segment)
    }
}

// SPDX-License-Identifier: Apache-2.0
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
        /// The conversions of units that have a source.
        var sources = SourceCounts()
    }

    /// - Parameter span: the first exposure and the last one; nil if there is none.
    func outcomes(_ span: ClosedRange<Int64>?) async throws -> Outcomes {
        guard let span else { return Outcomes(tally: ExperimentTally(counting.experiment)) }
        var parts: Int64 = 1
        while true {
            let most = parts < Self.mostParts ? counting.mostUnitsAtOnce : Int.max
            if let found = try await read(span, parts: parts, most: most) { return found }
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
        for (place, event) in counting.events.enumerated() {
            guard let event else { continue }
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
        guard counting.experiment.metrics[0].isMeasured else { return true }
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

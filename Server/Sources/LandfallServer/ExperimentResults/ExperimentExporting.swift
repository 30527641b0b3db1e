// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallResults
import LandfallWire

/// Reads an experiment's units page by page, each with its outcomes. It reads a unit's events by the unit's installs: another way
/// than the one by which results are counted, so that each proves the other.
struct ExperimentExporting: Sendable {
    static let page = 1_000
    /// As many types as a statement asks for.
    static let mostTypes = Metric.most

    let database: any Database
    let app: AppID
    let experiment: ResultsExperiment
    let epochs: [StoredEpoch]
    var testDevices: Set<InstallKey> = []
    var page = page

    /// - Parameter after: the last unit of the page before; empty at first.
    func export(after: String, _ basis: ExperimentNumbers.Basis) async throws -> ExperimentExport {
        let types = experiment.events.compactMap { $0 }
        let rows = try await rows(after: after)
        let events = try await events(of: types, after: after, until: rows.last?.text(0))
        let counted = experiment.counted(epochs)
        let units = try rows.map { row in try unit(row, events[Array(try row.text(0).utf8)] ?? [], counted, basis) }
        return ExperimentExport(
            experiment: experiment.name, basis: basis.rawValue, variations: experiment.variations.map(\.name),
            metrics: counted.metrics.map { .init(metric: $0.name, windowMilliseconds: $0.windowMs, measured: $0.isMeasured) },
            epochs: epochs.map { $0.exported(experiment.name) }, units: units, next: rows.count < page ? nil : units.last?.unit)
    }

    private func rows(after: String) async throws -> [Row] {
        let values: [SQLValue] = [.text(app.rawValue), .text(experiment.name), .text(after), .integer(Int64(page))]
        return try await database.read { try $0.rows(Self.unitsText, values) }
    }

    private typealias Happened = (type: String, atMs: Int64)

    /// By the bytes of their units.
    private func events(of types: [Event.Kind], after: String, until: String?) async throws -> [[UInt8]: [Happened]] {
        guard let until, let first = types.first else { return [:] }
        let padded = types + Array(repeating: first, count: Self.mostTypes - types.count)
        let values: [SQLValue] =
            [.text(app.rawValue), .text(experiment.name), .text(after), .text(until)] + padded.map { .text($0.rawValue) }
        var events: [[UInt8]: [Happened]] = [:]
        for text in [Self.eventsText, Self.reinstalledText] {
            try Task.checkCancellation()
            for row in try await database.read({ try $0.rows(text, values) }) {
                events[Array(try row.text(0).utf8), default: []].append((try row.text(1), try row.integer(2)))
            }
        }
        return events
    }

    private func unit(
        _ row: Row, _ events: [Happened], _ counted: CountedExperiment, _ basis: ExperimentNumbers.Basis
    ) throws -> ExperimentExport.Unit {
        let id = try row.text(0), step = try row.text(4), epoch = try row.integer(1), variation = try row.text(2)
        let isTest = InstallKey(InstallID(id)).map(testDevices.contains) ?? false
        let exposedAtMs = CountedExperiment.exposedAtMs(
            shownAtMs: row.optionalInteger(8), decidedAtMs: row.optionalInteger(7), basis)
        let isCounted = ExperimentArms.steps.contains(step) && !isTest && counted.place(of: variation, in: epoch) != nil
        var outcomes: [String: Int64] = [:]
        if let exposedAtMs, isCounted {
            for metric in experiment.metrics.compactMap({ $0 }) {
                outcomes[metric.name] = events.filter { happened in
                    happened.type == metric.event?.rawValue
                        && CountedExperiment.counts(happened.atMs, since: exposedAtMs, windowMs: metric.windowMs)
                }.map(\.atMs).min()
            }
        }
        return ExperimentExport.Unit(
            unit: id, epoch: epoch, variation: variation, bucket: try row.integer(3), step: step,
            revision: try row.integer(5), assignedAtMilliseconds: try row.integer(6), decidedAtMilliseconds: row.optionalInteger(7),
            shownAtMilliseconds: row.optionalInteger(8), fallbackAtMilliseconds: row.optionalInteger(9),
            exposedAtMilliseconds: isCounted ? exposedAtMs : nil, outcomes: outcomes)
    }

    static let unitsText = """
        SELECT unit, epoch, variation, bucket, step, revision, assigned_at_ms, decided_at_ms, shown_at_ms, fallback_at_ms
        FROM experiment_unit WHERE app_id = $1 AND experiment = $2 AND unit > $3 ORDER BY unit LIMIT $4
        """
    private static let types = Statement.places(5..<5 + mostTypes)
    static let eventsText = """
        SELECT u.unit, e.type, e.occurred_at_ms
        FROM experiment_unit u JOIN event e ON e.app_id = $1 AND e.install_id = u.unit
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.unit > $3 AND u.unit <= $4 AND e.type IN (\(types))
        """
    /// What a reinstall did counts for its phone's first install.
    static let reinstalledText = """
        SELECT u.unit, e.type, e.occurred_at_ms
        FROM experiment_unit u
          JOIN install i ON i.app_id = $1 AND i.first_install_id = u.unit AND i.first_install_id IS NOT NULL
          JOIN event e ON e.app_id = $1 AND e.install_id = i.install_id
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.unit > $3 AND u.unit <= $4 AND e.type IN (\(types))
        """
}

extension StoredEpoch {
    /// With the ranges of buckets: ⌊10⁶·W(i−1)/W⌋ up to ⌊10⁶·W(i)/W⌋, where W adds the weights up.
    fileprivate func exported(_ experiment: String) -> ExperimentExport.Epoch {
        let all = weights.reduce(0) { $0 + $1.weight }, buckets = Int64(Draw.bucketCount)
        var sum: Int64 = 0
        let ranges = weights.map { weight in
            let from = all > 0 ? sum * buckets / all : 0
            sum += weight.weight
            return ExperimentExport.Weight(
                variation: weight.name, weight: weight.weight, from: from, to: all > 0 ? sum * buckets / all : 0)
        }
        return .init(epoch: number, salt: "\(experiment)#\(number)", startedAtMilliseconds: startedAtMs, weights: ranges)
    }
}

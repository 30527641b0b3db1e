// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Reads an experiment's units page by page, each with its outcomes. It reads a unit's events by the unit's installs: another way
/// than the one by which results are counted, so that each proves the other.
struct ExperimentExportReader: Sendable {
    static let page = 1_000
    /// As many types as a statement asks for.
    static let mostTypes = Metric.most

    let database: any Database
    let app: AppID
    let experiment: ResultsExperiment
    let epochs: [StoredEpoch]
    var testDevices: Set<InstallKey> = []
    var money = MoneyRules()
    var page = page

    private enum Column: Int, TableColumn {
        case unit, epoch, variation, bucket, step, revision, assigned_at_ms, decided_at_ms, shown_at_ms, fallback_at_ms
    }

    /// - Parameter after: the last unit of the page before; empty at first.
    func export(after: String, _ basis: ExperimentNumbers.Basis) async throws -> ExperimentExport {
        let types = experiment.metrics.compactMap { $0?.event }
        let rows = try await rows(after: after)
        let until = try rows.last?.text(at[.unit])
        let firsts = try await firsts(of: types, after: after, until: until, basis)
        let purchases = try await purchases(after: after, until: until, basis)
        let counted = experiment.counted(epochs), pricing = Pricing(money)
        let units = try rows.map { row in
            let id = Array(try row.text(at[.unit]).utf8)
            return try unit(row, firsts[id] ?? [:], purchases[id], pricing, counted, basis)
        }
        return ExperimentExport(
            experiment: experiment.name, basis: basis.rawValue, variations: experiment.variations.map(\.name),
            metrics: counted.metrics.map { .init(metric: $0.name, windowMilliseconds: $0.windowMs, measured: $0.isMeasured, money: $0.isMoney) },
            currency: counted.currency, epochs: epochs.map { $0.exported(experiment.name) }, units: units, next: rows.count < page ? nil : units.last?.unit)
    }

    private func rows(after: String) async throws -> [Row] {
        let values: [SQLValue] = [.text(app.rawValue), .text(experiment.name), .text(after), .integer(Int64(page))]
        return try await database.read { try $0.rows(Self.unitsText, values) }
    }

    private let at = ColumnIndexes<Column>()

    /// When a unit first did what each metric counts, from its first exposure on. Found in the store: one unit may have any number of events.
    private typealias Firsts = [Event.Kind: Int64]

    /// By the bytes of their units.
    private func firsts(
        of types: [Event.Kind], after: String, until: String?, _ basis: ExperimentNumbers.Basis
    ) async throws -> [[UInt8]: Firsts] {
        guard let until, let first = types.first else { return [:] }
        let padded = types + Array(repeating: first, count: Self.mostTypes - types.count)
        let key: [SQLValue] = [.text(app.rawValue), .text(experiment.name), .text(after), .text(until), .flag(basis == .decided)]
        let values = key + padded.map { SQLValue.text($0.rawValue) }
        var firsts: [[UInt8]: Firsts] = [:]
        for text in [Self.firstsText, Self.reinstalledText] {
            try Task.checkCancellation()
            for row in try await database.read({ try $0.rows(text, values) }) {
                let unit = Array(try row.text(0).utf8)
                for (place, type) in types.enumerated() {
                    guard let atMs = row.optionalInteger(1 + place) else { continue }
                    firsts[unit, default: [:]][type] = min(atMs, firsts[unit]?[type] ?? .max)
                }
            }
        }
        return firsts
    }

    /// By the bytes of their units; units that bought nothing are missing.
    private func purchases(
        after: String, until: String?, _ basis: ExperimentNumbers.Basis
    ) async throws -> [[UInt8]: UnitPurchases] {
        let windows = experiment.metrics.compactMap { $0 }.filter { $0.event == nil }.map(\.windowMs)
        guard let until, let windowMs = windows.max() else { return [:] }
        let reading = PurchaseReader(database: database, app: app, experiment: experiment.name, basis: basis, windowMs: windowMs)
        let units = try await reading.purchases(after: after, until: until)
        return Dictionary(units.map { (Array($0.unit.id.rawValue.utf8), $0) }) { first, _ in first }
    }

    private func unit(
        _ row: Row, _ firsts: Firsts, _ purchases: UnitPurchases?, _ pricing: Pricing, _ counted: CountedExperiment, _ basis: ExperimentNumbers.Basis
    ) throws -> ExperimentExport.Unit {
        let id = try row.text(at[.unit]), step = try row.text(at[.step])
        let epoch = try row.integer(at[.epoch]), variation = try row.text(at[.variation])
        let isTest = InstallKey(InstallID(id)).map(testDevices.contains) ?? false
        let exposedAtMs = CountedExperiment.exposedAtMs(
            shownAtMs: row.optionalInteger(at[.shown_at_ms]), decidedAtMs: row.optionalInteger(at[.decided_at_ms]), basis)
        let isCounted = ExperimentArms.steps.contains(step) && !isTest && counted.place(of: variation, in: epoch) != nil
        var outcomes: [String: Int64] = [:], paid: [String: Int64] = [:]
        if let exposedAtMs, isCounted {
            for metric in experiment.metrics.compactMap({ $0 }) {
                switch metric.measure {
                case .event(let type):
                    let atMs = firsts[type]
                    if let atMs, CountedExperiment.counts(atMs, since: exposedAtMs, windowMs: metric.windowMs) { outcomes[metric.name] = atMs }
                case .purchase(let products):
                    outcomes[metric.name] = purchases?.firstAtMs(products, windowMs: metric.windowMs)
                case .revenue:
                    let milliunits = purchases?.paid(windowMs: metric.windowMs, pricing).milliunits ?? 0
                    if milliunits > 0 { paid[metric.name] = milliunits }
                }
            }
        }
        return ExperimentExport.Unit(
            unit: id, epoch: epoch, variation: variation, bucket: try row.integer(at[.bucket]), step: step,
            revision: try row.integer(at[.revision]), assignedAtMilliseconds: try row.integer(at[.assigned_at_ms]),
            decidedAtMilliseconds: row.optionalInteger(at[.decided_at_ms]), shownAtMilliseconds: row.optionalInteger(at[.shown_at_ms]),
            fallbackAtMilliseconds: row.optionalInteger(at[.fallback_at_ms]),
            exposedAtMilliseconds: isCounted ? exposedAtMs : nil, outcomes: outcomes, paidMilliunits: paid)
    }

    static let unitsText = """
        SELECT \(Column.names())
        FROM experiment_unit WHERE app_id = $1 AND experiment = $2 AND unit > $3 ORDER BY unit LIMIT $4
        """
    private static let types = 6..<6 + mostTypes
    private static let minima = types.map { "MIN(CASE WHEN e.type = $\($0) THEN e.occurred_at_ms END)" }.joined(separator: ",\n  ")
    /// ``CountedExperiment/exposedAtMs(shownAtMs:decidedAtMs:_:)``
    static let exposedAtMs = """
        CASE WHEN $5 = 1 AND (u.shown_at_ms IS NULL OR u.decided_at_ms < u.shown_at_ms) THEN u.decided_at_ms ELSE u.shown_at_ms END
        """
    /// The installs are compared with an expression: with the unit itself, SQLite would read the events of the whole range for every unit.
    static let firstsText = """
        SELECT u.unit,
          \(minima)
        FROM experiment_unit u CROSS JOIN event e
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.unit > $3 AND u.unit <= $4
          AND e.app_id = $1 AND e.install_id = u.unit || '' AND e.type IN (\(Statement.places(types)))
          AND e.occurred_at_ms >= \(exposedAtMs)
        GROUP BY u.unit
        """
    /// What a reinstall did counts for its phone's first install, unless it has a variation of its own.
    static let reinstalledText = """
        SELECT u.unit,
          \(minima)
        FROM experiment_unit u CROSS JOIN install i CROSS JOIN event e
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.unit > $3 AND u.unit <= $4
          AND i.app_id = $1 AND i.first_install_id = u.unit || '' AND i.first_install_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM experiment_unit o WHERE o.app_id = $1 AND o.unit = i.install_id AND o.experiment = $2)
          AND e.app_id = $1 AND e.install_id = i.install_id AND e.type IN (\(Statement.places(types)))
          AND e.occurred_at_ms >= \(exposedAtMs)
        GROUP BY u.unit
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

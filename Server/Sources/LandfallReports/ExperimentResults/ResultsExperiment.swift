// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallResults
package import LandfallRules
package import LandfallStore
import LandfallWire

/// An experiment of the configuration as its results need it: its metrics are found, its test devices known.
package struct ResultsExperiment: Sendable {
    package struct Variation: Hashable, Sendable {
        package let name: String
        package let weight: Int64
        var showsNothing = false
    }

    package struct Guarded: Hashable, Sendable {
        package let metric: Metric
        let bound: Guardrail
    }

    package let name: String
    /// `draft`, `live` or `stopped`.
    let state: String
    /// In the order of the file; the first is the control.
    package let variations: [Variation]
    /// Nil if the experiment names none: then its units are counted, and nothing is compared.
    package let primary: Metric?
    package var guardrails: [Guarded] = []
    /// Every other metric of the configuration.
    package var secondaries: [Metric] = []
    package var plannedUnits = ConfidenceSequence.usualPlannedUnits
    /// Of money; nil if the configuration names none.
    package var currency: String?

    /// - Parameter epochs: those that began; a draft has none, and is described by its weights.
    func counted(_ epochs: [StoredEpoch]) -> CountedExperiment {
        let known = epochs.map { epoch in
            CountedExperiment.Epoch(
                number: epoch.number, startedAtMs: epoch.startedAtMs,
                weights: variations.map { variation in
                    epoch.weights.first { $0.name.utf8.elementsEqual(variation.name.utf8) }.map { Double($0.weight) } ?? 0
                })
        }
        let drafted = CountedExperiment.Epoch(number: 1, startedAtMs: nil, weights: variations.map { Double($0.weight) })
        var counted = CountedExperiment(
            name: name, state: state, variations: variations.map(\.name), epochs: known.isEmpty ? [drafted] : known,
            metrics: metrics.map { $0?.counted(in: currency) ?? Self.noPrimary })
        if counted.metrics.contains(where: \.isMoney) { counted.currency = currency }
        counted.showsNothing = variations.contains(where: \.showsNothing)
        counted.plannedUnits = plannedUnits
        counted.guardrails = guardrails.enumerated().map { .init(metric: 1 + $0, bound: $1.bound) }
        counted.secondaries = secondaries.indices.map { 1 + guardrails.count + $0 }
        return counted
    }

    /// In the order of ``CountedExperiment/metrics``.
    package var metrics: [Metric?] { [primary] + guardrails.map(\.metric) + secondaries }

    static let noPrimary = CountedExperiment.Metric(
        name: "primary", windowMs: Metric.usualWindowDays * Retention.dayMs,
        missing: ExperimentNote.noPrimary.sentence)
}

extension Metric {
    package var isMoney: Bool { if case .revenue = measure { true } else { false } }

    /// Whether nothing leads from what people paid to one currency.
    package func lacksCurrency(_ currency: String?) -> Bool { isMoney && currency == nil }

    fileprivate func counted(in currency: String?) -> CountedExperiment.Metric {
        .init(
            name: name, windowMs: windowMs, missing: lacksCurrency(currency) ? ExperimentNote.noCurrency(name).sentence : nil, isMoney: isMoney)
    }
}

/// Units that were drawn by the same weights, as the publication wrote them down.
package struct StoredEpoch: Hashable, Sendable {
    package struct Weight: Hashable, Sendable {
        package let name: String
        package let weight: Int64
    }

    package let number: Int64
    package let startedAtMs: Int64
    /// In the order of the file.
    package let weights: [Weight]

    package static func all(of experiment: String, in app: AppID, _ database: any Database) async throws -> [StoredEpoch] {
        let values: [SQLValue] = [.text(app.rawValue), .text(experiment)]
        return try await database.read { connection in
            try connection.rows(text, values).map { row in
                let weights = try WireCoding.decode([JSONValue].self, from: Data(try row.text(2).utf8))
                return StoredEpoch(
                    number: try row.integer(0), startedAtMs: try row.integer(1), weights: weights.compactMap { Weight($0) })
            }
        }
    }

    static let text = """
        SELECT epoch, started_at_ms, weights FROM experiment_epoch WHERE app_id = $1 AND experiment = $2 ORDER BY epoch
        """
}

extension StoredEpoch.Weight {
    /// `["A",50]`
    fileprivate init?(_ pair: JSONValue) {
        guard case .array(let parts) = pair, parts.count == 2, case .string(let name) = parts[0], case .integer(let weight) = parts[1]
        else { return nil }
        self.init(name: name, weight: weight)
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire

/// All experiments of the configuration: `GET /v1/experiments`.
package struct ExperimentList: Hashable, Sendable, Codable {
    package struct Experiment: Hashable, Sendable, Codable {
        package let experiment: String
        package let state: String
        /// Null before it has begun.
        package let day: Int?
        /// Null where it names none.
        package let primary: String?
        package let variations: [String]
        package let basis: String
        /// Of all variations.
        package let units: Int
        package let plannedUnits: Int
    }

    package let experiments: [Experiment]
}

/// Counts the units of an experiment and nothing else.
package struct ExperimentUnitCounts: Sendable {
    package let database: any Database
    package let snapshot: Snapshot
    package let time: ServerTime

    package init(database: any Database, snapshot: Snapshot, time: ServerTime) {
        (self.database, self.snapshot, self.time) = (database, snapshot, time)
    }

    func entry(_ experiment: ResultsExperiment) async throws -> ExperimentList.Experiment {
        let counting = try await counting(experiment)
        let (basis, exposures) = try await counting.exposures()
        let units = basis == .shown ? exposures.shown : exposures.decided
        return entry(experiment, counting, units.reduce(0, +), basis)
    }

    /// - Returns: the same, and the share of units whose window is over; nil without units.
    package func entryWithMatured(_ experiment: ResultsExperiment) async throws -> (ExperimentList.Experiment, matured: Double?) {
        let counting = try await counting(experiment)
        let basis = try await counting.basis(), (units, matured) = try await counting.units(basis)
        return (entry(experiment, counting, units, basis), units > 0 ? Double(matured) / Double(units) : nil)
    }

    private func counting(_ experiment: ResultsExperiment) async throws -> ExperimentCounter {
        try await ExperimentCounter(experiment, measures: [], of: snapshot, in: database, time)
    }

    private func entry(
        _ experiment: ResultsExperiment, _ counting: ExperimentCounter, _ units: Int, _ basis: ExperimentNumbers.Basis
    ) -> ExperimentList.Experiment {
        .init(
            experiment: experiment.name, state: experiment.state,
            day: counting.experiment.firstDay.map { Int(CountedExperiment.day(counting.nowMs) - $0 + 1) }, primary: experiment.primary?.name,
            variations: counting.experiment.variations, basis: basis.rawValue, units: units, plannedUnits: experiment.plannedUnits)
    }
}

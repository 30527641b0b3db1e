// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallResults
import LandfallWire

/// All experiments of the configuration: `GET /v1/experiments`.
public struct ExperimentList: Hashable, Sendable, Codable {
    public struct Experiment: Hashable, Sendable, Codable {
        public let experiment: String
        public let state: String
        /// Null before it has begun.
        public let day: Int?
        /// Null where it names none.
        public let primary: String?
        public let variations: [String]
        public let basis: String
        /// Of all variations.
        public let units: Int
        public let plannedUnits: Int
    }

    public let experiments: [Experiment]
}

/// Counts the units of an experiment and nothing else.
struct ExperimentListing: Sendable {
    let database: any Database
    let snapshot: Snapshot
    let time: ServerTime

    func entry(_ experiment: ResultsExperiment) async throws -> ExperimentList.Experiment {
        let counting = try await counting(experiment)
        let (basis, exposures) = try await counting.exposures()
        let units = basis == .shown ? exposures.shown : exposures.decided
        return entry(experiment, counting, units.reduce(0, +), basis)
    }

    /// - Returns: the same, and the share of units whose window is over; nil without units.
    func entryWithMatured(_ experiment: ResultsExperiment) async throws -> (ExperimentList.Experiment, matured: Double?) {
        let counting = try await counting(experiment)
        let basis = try await counting.basis(), (units, matured) = try await counting.units(basis)
        return (entry(experiment, counting, units, basis), units > 0 ? Double(matured) / Double(units) : nil)
    }

    private func counting(_ experiment: ResultsExperiment) async throws -> ExperimentCounting {
        let app = snapshot.app.id, counted = experiment.counted(try await StoredEpoch.all(of: experiment.name, in: app, database))
        return ExperimentCounting(
            database: database, app: app, experiment: counted, events: [],
            testDevices: try await TestUnits(database: database, app: app, experiment: experiment.name)
                .units(of: snapshot.configuration.testDevices.map(\.install)),
            nowMs: time.nowMs())
    }

    private func entry(
        _ experiment: ResultsExperiment, _ counting: ExperimentCounting, _ units: Int, _ basis: ExperimentNumbers.Basis
    ) -> ExperimentList.Experiment {
        .init(
            experiment: experiment.name, state: experiment.state,
            day: counting.experiment.firstDay.map { Int(CountedExperiment.day(counting.nowMs) - $0 + 1) }, primary: experiment.primary?.name,
            variations: counting.experiment.variations, basis: basis.rawValue, units: units, plannedUnits: experiment.plannedUnits)
    }
}

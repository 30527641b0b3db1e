// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallResults
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire
import NIOCore

/// `/v1/experiments`: what experiments have found, for a server key with `reports`, or for a command.
package struct ExperimentRoutes: Sendable {
    package static let path = "/v1/experiments"
    package static let resultsPath = path + "/{name}/results"
    package static let numbersPath = path + "/{name}/numbers"
    package static let unitsPath = path + "/{name}/units"

    package let database: any Database
    package let time: ServerTime
    /// Each call counts every arm anew.
    package var rows = RowReader()

    package init(database: any Database, time: ServerTime, rows: RowReader = RowReader()) {
        (self.database, self.time, self.rows) = (database, time, rows)
    }

    /// `GET /v1/experiments`: all of them, with their units.
    @Sendable package func list(_ request: Request, context: AppContext) async throws -> Answer<ExperimentList> {
        Answer(try await all(in: context.snapshot))
    }

    package func all(in snapshot: Snapshot) async throws -> ExperimentList {
        let listing = ExperimentUnitCounts(database: database, snapshot: snapshot, time: time)
        return try await rows.run {
            var experiments: [ExperimentList.Experiment] = []
            for experiment in snapshot.resultsExperiments { experiments.append(try await listing.entry(experiment)) }
            return ExperimentList(experiments: experiments)
        }
    }

    /// `GET /v1/experiments/{name}/results`
    @Sendable package func results(_ request: Request, context: AppContext) async throws -> Answer<ResultsDocument> {
        Answer(try ResultsDocument(try await numbers(context)))
    }

    /// `GET /v1/experiments/{name}/numbers`: what the results are computed from, in the form of `landfall results --input`.
    @Sendable package func numbers(_ request: Request, context: AppContext) async throws -> Answer<ResultsDocument> {
        Answer(bytes: ByteBuffer(string: try await numbers(context).document))
    }

    /// `GET /v1/experiments/{name}/units?after=&basis=`
    @Sendable package func units(_ request: Request, context: AppContext) async throws -> Answer<ExperimentExport> {
        let query = request.uri.queryParameters, experiment = try experiment(context)
        let after = query["after"].map(String.init) ?? ""
        guard after.utf8.count <= Limits.customerID, !after.utf8.contains(0) else {
            throw RequestError.invalid("after", "the 'next' of the page before.")
        }
        var basis: ExperimentNumbers.Basis?
        if let text = query["basis"].map(String.init) {
            guard let known = ExperimentNumbers.Basis(rawValue: text) else { throw RequestError.invalid("basis", "shown or decided.") }
            basis = known
        }
        return Answer(try await export(experiment, after: after, basis, context.snapshot))
    }

    /// Not from a replica: it names single installs, and those that were just forgotten must not be in it.
    /// - Parameter basis: nil for the rule by which the results count.
    private func export(
        _ experiment: ResultsExperiment, after: String, _ basis: ExperimentNumbers.Basis?, _ snapshot: Snapshot
    ) async throws -> ExperimentExport {
        try await rows.run {
            let app = snapshot.app.id
            let exporting = ExperimentExportReader(
                database: database, app: app, experiment: experiment,
                epochs: try await StoredEpoch.all(of: experiment.name, in: app, database),
                testDevices: try await TestUnits(database: database, app: app, experiment: experiment.name)
                    .units(of: snapshot.configuration.testDevices.map(\.install)),
                money: snapshot.configuration.purchases.money)
            if let basis { return try await exporting.export(after: after, basis) }
            return try await exporting.export(after: after, try await counting(experiment, snapshot).basis())
        }
    }

    private func numbers(_ context: AppContext) async throws -> ExperimentNumbers {
        try await numbers(of: try experiment(context), in: context.snapshot)
    }

    func numbers(of experiment: ResultsExperiment, in snapshot: Snapshot) async throws -> ExperimentNumbers {
        try await counted(experiment, in: snapshot).numbers
    }

    /// The numbers, which say that events expire, if they do; and the same as a note for a page.
    package func counted(
        _ experiment: ResultsExperiment, in snapshot: Snapshot
    ) async throws -> (numbers: ExperimentNumbers, expiry: ExperimentNote?) {
        try await rows.run {
            var numbers = try await counting(experiment, snapshot).numbers()
            let expiry = try await expiry(of: experiment, numbers.basis, in: snapshot)
            if let expiry { numbers.notes.append(expiry.sentence) }
            return (numbers, expiry)
        }
    }

    private func experiment(_ context: AppContext) throws -> ResultsExperiment {
        try Self.experiment(context.parameters.get("name") ?? "", in: context.snapshot)
    }

    /// - Throws: `not_found` with the name that may be meant.
    package static func experiment(_ name: String, in snapshot: Snapshot) throws -> ResultsExperiment {
        let all = snapshot.resultsExperiments
        guard let experiment = all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw RequestError(
                .notFound, "There is no experiment '\(name.shortened)'.\(Suggestion.sentence(for: name, among: all.map(\.name)))")
        }
        return experiment
    }

    private func counting(_ experiment: ResultsExperiment, _ snapshot: Snapshot) async throws -> ExperimentCounter {
        try await ExperimentCounter(experiment, measures: experiment.metrics.map { $0?.measure }, of: snapshot, in: database, time)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallWire
import NIOCore

/// The pages about experiments. They show what `GET /v1/experiments` answers; nothing is counted here.
struct ExperimentRoom: Sendable {
    /// A page, or the same as a file.
    enum Form: String, CaseIterable, Sendable {
        case page = ""
        case json = ".json"
        case csv = ".csv"
    }

    let experiments: ExperimentRoutes
    let isFileOwned: Bool

    /// `GET /console/experiments`
    @Sendable func list(_ call: ConsoleCall) async throws -> Response {
        let snapshot = call.context.snapshot
        let listing = ExperimentUnitCounts(database: experiments.database, snapshot: snapshot, time: experiments.time), isExact = try call.seesPeople
        let entries: [ExperimentEntry] = try await experiments.rows.run {
            var entries: [ExperimentEntry] = []
            for experiment in snapshot.resultsExperiments {
                let (entry, matured) = try await listing.entryWithMatured(experiment)
                entries.append(
                    ExperimentEntry(
                        name: entry.experiment, state: snapshot.experimentState(of: experiment), placements: snapshot.placements(of: experiment),
                        units: entry.units, planned: entry.plannedUnits,
                        matured: isExact || !SmallGroups.isFew(Int64(entry.units)) ? matured : nil))
            }
            return entries
        }
        var frame = try call.frame
        frame.isFileOwned = isFileOwned
        var page = ExperimentListPage(frame: frame, entries: entries)
        page.version = try await ConfigurationStore(experiments.database).newestNumber()
        // They are counted for this page.
        page.countedAtMs = entries.isEmpty ? nil : call.nowMs
        return ConsoleAnswer.page(page.html)
    }

    /// `GET /console/experiments.json`: what `GET /v1/experiments` answers.
    @Sendable func listDocument(_ call: ConsoleCall) async throws -> Response {
        try ConsoleAnswer.document(try await experiments.all(in: call.context.snapshot))
    }

    /// `GET /console/experiments.csv`
    @Sendable func listTable(_ call: ConsoleCall) async throws -> Response {
        ExperimentTableFile.response(
            ExperimentTableFile.list(try await experiments.all(in: call.context.snapshot)), named: "experiments.csv")
    }

    /// `GET /console/experiments/{name}`, also with `.json` for what the API answers and `.csv` for the variations.
    @Sendable func experiment(_ call: ConsoleCall) async throws -> Response {
        let snapshot = call.context.snapshot
        let (experiment, form) = try Self.asked(call.context.parameters.get("name") ?? "", in: snapshot)
        guard form != .page else { return ConsoleAnswer.page(try await page(experiment, call).html) }
        // Files are passed on: they tell everybody what a viewer sees.
        let numbers = try await experiments.counted(experiment, in: snapshot).numbers
        let results = try ResultsDocument(numbers.withoutFew(Int(SmallGroups.least)))
        switch form {
        case .json, .page: return try ConsoleAnswer.document(results)
        case .csv: return ExperimentTableFile.response(ExperimentTableFile.variations(results), named: experiment.name + ".csv")
        }
    }

    func page(_ experiment: ResultsExperiment, _ call: ConsoleCall) async throws -> ExperimentPage {
        let snapshot = call.context.snapshot, counted = try await experiments.counted(experiment, in: snapshot)
        let least = Int(SmallGroups.least), isExact = try call.seesPeople
        let numbers = isExact ? counted.numbers : counted.numbers.withoutFew(least)
        var drawn = numbers
        if !isExact { drawn.history = numbers.historyWithoutFew(least) }
        var page = ExperimentPage(
            frame: try call.frame, name: experiment.name, state: snapshot.experimentState(of: experiment),
            results: try ResultsDocument(numbers),
            bands: drawn.variations.indices.dropFirst().map { ResultsBand(drawn, variation: $0) })
        page.countedAtMs = call.nowMs
        page.metric = numbers.primary.name
        page.placements = snapshot.placements(of: experiment)
        page.notes = experiment.notes + numbers.unconverted.map { .unconverted($0) } + [counted.expiry].compactMap(\.self)
        if page.state == .draft {
            page.weights = experiment.variations.map { .init($0.name, $0.weight) }
            page.start = ExperimentStart(
                metrics: snapshot.metrics.map(\.name), primary: experiment.primary?.name ?? "", plannedUnits: "\(experiment.plannedUnits)")
        }
        page.epochs = try await StoredEpoch.all(of: experiment.name, in: snapshot.app.id, experiments.database).map { epoch in
            ExperimentPage.Epoch(
                number: epoch.number, beganAtMs: epoch.startedAtMs, weights: epoch.weights.map { .init($0.name, $0.weight) })
        }
        return page
    }

    /// A name may itself end with `.csv`: the experiment of the whole name goes first.
    /// - Throws: `not_found`.
    static func asked(_ text: String, in snapshot: Snapshot) throws -> (ResultsExperiment, Form) {
        for form in Form.allCases where text.hasSuffix(form.rawValue) || form == .page {
            let name = String(text.dropLast(form.rawValue.count))
            if let experiment = try? ExperimentRoutes.experiment(name, in: snapshot) { return (experiment, form) }
        }
        throw RequestError.notFound
    }
}

extension ConsoleRoute {
    /// Experiments and their results.
    static func experiments(_ room: ExperimentRoom, _ publishing: ConsolePublisher) -> [ConsoleRoute] {
        let stopping = ExperimentStop(room: room, publishing: publishing), starting = DraftStart(room: room, publishing: publishing)
        return [
            get("/console/experiments", .member(.reports), room.list),
            get("/console/experiments.json", .member(.reports), room.listDocument),
            get("/console/experiments.csv", .member(.reports), room.listTable),
            get("/console/experiments/{name}", .member(.reports), room.experiment),
        ]
            + editing([
                post("/console/experiments/{name}/start", .member(.publishing), starting.start),
                post("/console/experiments/{name}/stop", .member(.publishing), stopping.stop),
            ])
    }
}

extension Snapshot {
    fileprivate func configured(_ experiment: ResultsExperiment) -> Experiment? { experiments[ExperimentID(experiment.name)] }

    /// A stopped experiment that shows another variation than the control has promoted it.
    func experimentState(of experiment: ResultsExperiment) -> ExperimentState {
        guard let configured = configured(experiment) else { return .stopped }
        switch configured.state {
        case .draft: return .draft
        case .live: return .live
        case .stopped: return configured.promoted > 0 ? .promoted(configured.variations[configured.promoted].name.rawValue) : .stopped
        }
    }

    /// The placements that name it, in the order of the file.
    func placements(of experiment: ResultsExperiment) -> [String] {
        guard let configured = configured(experiment) else { return [] }
        return configuration.placements.filter { $0.has(configured) }.map(\.id.rawValue)
    }
}

extension ResultsExperiment {
    /// The notes of the results, as the console says them.
    var notes: [ExperimentNote] {
        var notes: [ExperimentNote] = []
        for metric in metrics {
            let note: ExperimentNote? = if let metric { metric.lacksCurrency(currency) ? .noCurrency(metric.name) : nil } else { .noPrimary }
            if let note, !notes.contains(note) { notes.append(note) }
        }
        return notes
    }
}

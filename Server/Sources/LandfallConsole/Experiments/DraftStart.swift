// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// Starts a draft by an edit of the newest version's text, which takes the way of every other one.
struct DraftStart: Sendable {
    let room: ExperimentRoom
    let publishing: ConsolePublisher

    /// `POST /console/experiments/{name}/start` with the primary metric and, if it changes, the number of planned units.
    @Sendable func start(_ call: ConsoleCall) async throws -> Response {
        let snapshot = call.context.snapshot
        let experiment = try ExperimentRoutes.experiment(call.context.parameters.get("name") ?? "", in: snapshot)
        guard snapshot.experimentState(of: experiment) == .draft else { throw RequestError.notFound }
        let words = call.words.experiments, primary = call.field("primary"), typed = call.field("plannedUnits")
        let planned = typed.isEmpty ? Int64(experiment.plannedUnits) : Int64(typed)
        var problems: [FieldProblem] = []
        if !snapshot.metrics.contains(where: { $0.name.hasSameBytes(as: primary) }) {
            problems.append(FieldProblem("primary", words.chooseMetric))
        }
        if !(planned.map { (1...1_000_000_000).contains($0) } ?? false) { problems.append(FieldProblem("plannedUnits", words.needsUnits)) }
        guard problems.isEmpty, let planned else {
            var page = try await room.page(experiment, call)
            page.start?.primary = primary
            page.start?.plannedUnits = typed
            page.start?.problems = problems
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
        let isOther = planned != Int64(experiment.plannedUnits)
        let byHand = words.cannotEdit(
            experiment.name, ["state: live", "primary: " + primary] + (isOther ? ["plannedUnits: \(planned)"] : []))
        return try await publishing.check(message: words.startMessage(experiment.name), elseByHand: byHand, call) { text in
            try Self.started(experiment.name, by: primary, plannedUnits: isOther ? planned : nil, in: text)
        }
    }

    /// - Parameter plannedUnits: nil leaves what the file says.
    static func started(
        _ name: String, by primary: String, plannedUnits: Int64?, in text: String
    ) throws(ConfigurationEditRefusal) -> String {
        var values: [(String, ConfigurationValue)] = [("state", .text("live")), ("primary", .text(primary))]
        if let plannedUnits { values.append(("plannedUnits", .integer(plannedUnits))) }
        let edits = values.compactMap { field, value in
            ConfigurationEditPath([.key("experiments"), .key(name), .key(field)]).map { ConfigurationEdit.set($0, to: value) }
        }
        return try ConfigurationEdits(edits).applied(to: text)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// Stops an experiment by an edit of the newest version's text. The edited text takes the way of every other one: it is checked,
/// compared and measured before somebody publishes it.
struct ExperimentStop: Sendable {
    let room: ExperimentRoom
    let publishing: ConsolePublisher

    /// `POST /console/experiments/{name}/stop` with the variation that everyone sees from then on.
    @Sendable func stop(_ call: ConsoleCall) async throws -> Response {
        let experiment = try ExperimentRoutes.experiment(call.context.parameters.get("name") ?? "", in: call.context.snapshot)
        let words = call.words.experiments, chosen = call.field("promote")
        guard let place = experiment.variations.firstIndex(where: { $0.name.hasSameBytes(as: chosen) }) else {
            var page = try await room.page(experiment, call)
            page.problems = [FieldProblem("promote", words.chooseVariation)]
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
        let byHand = words.cannotEdit(experiment.name, ["state: stopped", "promote: " + chosen])
        return try await publishing.check(message: words.stopMessage(experiment.name, chosen), elseByHand: byHand, call) { text in
            try Self.stopped(experiment.name, promoting: place > 0 ? chosen : nil, in: text)
        }
    }

    /// - Parameter variation: nil: everyone sees the control.
    static func stopped(
        _ name: String, promoting variation: String?, in text: String
    ) throws(ConfigurationEditRefusal) -> String {
        func path(_ field: String) -> ConfigurationEditPath? { ConfigurationEditPath([.key("experiments"), .key(name), .key(field)]) }
        guard let state = path("state"), let promote = path("promote") else { return text }
        let stopped = ConfigurationEdit.set(state, to: .text("stopped"))
        if let variation { return try ConfigurationEdits([stopped, .set(promote, to: .text(variation))]).applied(to: text) }
        do {
            return try ConfigurationEdits([stopped, .remove(promote)]).applied(to: text)
        } catch .absent(promote) {
            return try stopped.applied(to: text)
        }
    }
}

extension ConsolePublisher {
    /// Checks an edit of the newest version's text.
    /// - Parameter problem: what the page says where the text cannot be edited in place.
    func check(
        message: String, elseByHand problem: String, _ call: ConsoleCall, _ edit: (String) throws -> String
    ) async throws -> Response {
        guard let newest = try await publishing.store.newest() else { throw RequestError.notFound }
        let text: String
        do {
            text = try edit(newest.text)
        } catch is ConfigurationEditRefusal {
            var page = DraftPage(
                frame: try call.frame, draft: DraftText(text: newest.text, base: newest.number, message: message), isFileOwned: isFileOwned)
            page.problems = [FieldProblem("text", problem)]
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
        return try await check(text: text, base: newest.number, message: message, call: call)
    }
}

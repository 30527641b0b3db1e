// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// The forms that add an entry. Each one answers with the page of the new entry, which carries the draft.
extension ConfigurationRoutes {
    /// `GET /console/new/{kind}`
    @Sendable func newEntry(_ call: ConsoleCall) async throws -> Response {
        guard let document = try await documents.newest(store) else { throw RequestError.notFound }
        return try await page(kind(call), call, document, ConfigurationForms(base: document.number))
    }

    /// `POST /console/new/{kind}`: makes the entry, or shows the form for one more entry of a draft.
    @Sendable func createEntry(_ call: ConsoleCall) async throws -> Response {
        let kind = try kind(call)
        let (base, document) = try await started(call)
        func draft(_ document: ConfigurationDocument, _ entry: String?) -> ConfigurationDraft? {
            document.text.hasSameBytes(as: base.text) ? nil : ConfigurationDraft(from: base.text, to: document, owner: owner, entry: entry)
        }
        var forms = ConfigurationForms(base: base.number, message: call.form["message"] ?? "")
        if call.form["change"] == "open" {
            forms.draft = draft(document, nil)
            return try await page(kind, call, document, forms)
        }
        let creating = NewEntry(kind, words: call.words, form: call.form, document: document)
        let name = creating.changing.name
        if kind == .audience, !AudienceEditing(creating.changing).isDone {
            forms.draft = draft(document, nil)
            return try await audienceForm(call, document, forms)
        }
        do {
            let changed = try ConfigurationDocument(number: base.number, text: creating.text()) { problem, _ in
                FieldProblem(creating.field(of: problem), problem.message, isEnglish: true)
            }
            guard let node = changed.entry(kind.section, name) else { throw RequestError.notFound }
            forms.draft = draft(changed, changed.text(of: [.key(kind.section), .key(name)]))
            return ConsoleAnswer.page(try await made(kind, call, changed, name, node, forms))
        } catch {
            let refusal = try ConfigurationFormRefusal(any: error, field: "name")
            (forms.problems, forms.typed) = (refusal.problems, call.form)
            forms.draft = draft(document, nil)
            return try await page(kind, call, document, forms, refusal.status)
        }
    }

    private func kind(_ call: ConsoleCall) throws -> NewEntryPage.Kind {
        guard let kind = call.context.parameters.get("kind").flatMap({ NewEntryPage.Kind(rawValue: $0) }) else { throw RequestError.notFound }
        return kind
    }

    private func page(
        _ kind: NewEntryPage.Kind, _ call: ConsoleCall, _ document: ConfigurationDocument, _ forms: ConfigurationForms,
        _ status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        if kind == .audience { return try await audienceForm(call, document, forms, status) }
        var page = NewEntryPage(frame: try call.frame, kind: kind, forms: forms)
        page.paywalls = document.entries("paywalls").map(\.key)
        page.experiments = document.entries("experiments").map(\.key)
        return ConsoleAnswer.page(page.html, status)
    }

    private func made(
        _ kind: NewEntryPage.Kind, _ call: ConsoleCall, _ document: ConfigurationDocument, _ name: String, _ node: ConfigurationNode,
        _ forms: ConfigurationForms
    ) async throws -> HTML {
        switch kind {
        case .paywall: try paywallPage(call, document, name, node, forms, locale: nil)
        case .audience: try await answer(call, document, name, node, forms)
        case .placement: try await placementPage(call, document, name, node, forms)
        case .experiment: RemovedEntryPage(frame: try call.frame, section: .experiments, name: name, forms: forms).html
        }
    }

    /// `POST /console/experiments/{name}/delete`
    @Sendable func deleteExperiment(_ call: ConsoleCall) async throws -> Response {
        try await change("experiments", .experiments, call) { changing in
            try changing.deleted(changing.document.uses(ofExperiment: changing.name))
        } page: { _, name, _, forms in
            RemovedEntryPage(frame: try call.frame, section: .experiments, name: name, forms: forms).html
        }
    }
}

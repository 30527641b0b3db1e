// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// The forms of placements, audiences and paywalls. Each one answers with the changed page and keeps nothing: the page carries the
/// draft, until somebody has it checked and published.
extension ConfigurationRoutes {
    /// `POST /console/placements/{name}`
    @Sendable func changePlacement(_ call: ConsoleCall) async throws -> Response {
        try await change("placements", .placements, call) { try $0.changedPlacement() } page: { document, name, node, forms in
            try await placementPage(call, document, name, node, forms)
        }
    }

    /// `POST /console/paywalls/{name}`
    @Sendable func changePaywall(_ call: ConsoleCall) async throws -> Response {
        try await change("paywalls", .paywalls, call) { try $0.changedPaywall() } page: { document, name, node, forms in
            let change = call.form["change"] ?? "", other = change.hasPrefix("open.") ? String(change.dropFirst(5)) : nil
            let next = change == "locale" ? call.form["newLocale"] : other
            return try paywallPage(call, document, name, node, forms, locale: forms.problems.isEmpty ? next ?? call.form["locale"] : call.form["locale"])
        }
    }

    func change(
        _ section: String, _ place: Frame.Section, _ call: ConsoleCall, _ edit: (ConfigurationFormChange) throws -> String,
        page: (ConfigurationDocument, String, ConfigurationNode, ConfigurationForms) async throws -> HTML
    ) async throws -> Response {
        let (base, document) = try await started(call)
        guard let name = call.context.parameters.get("name"), let node = document.entry(section, name), !node.isNull else {
            throw RequestError.notFound
        }
        let changing = ConfigurationFormChange(
            words: call.words, form: call.form, document: document, section: section, name: name, node: node)
        var forms = ConfigurationForms(base: base.number, message: call.form["message"] ?? "")
        var changed = document
        var status = HTTPResponse.Status.ok
        do {
            let text = try edit(changing)
            changed = try ConfigurationDocument(number: base.number, text: text, told: { changing.told($0, in: $1) })
        } catch {
            let refusal = try ConfigurationFormRefusal(any: error, field: changing.field("change") == "yaml" ? "yaml" : "")
            (forms.problems, forms.typed, status) = (refusal.problems, call.form, refusal.status)
        }
        if !changed.text.hasSameBytes(as: base.text) {
            forms.draft = ConfigurationDraft(
                from: base.text, to: changed, owner: owner, entry: changed.text(of: [.key(section), .key(name)]))
        }
        guard let node = changed.entry(section, name), !node.isNull else {
            return ConsoleAnswer.page(RemovedEntryPage(frame: try call.frame, section: place, name: name, forms: forms).html)
        }
        return ConsoleAnswer.page(try await page(changed, name, node, forms), status)
    }

    /// The version from which the member began, and what they made of it so far.
    /// - Throws: `not_found`, if there is no such version; ``FormExcess``.
    func started(_ call: ConsoleCall) async throws -> (base: ConfigurationDocument, ConfigurationDocument) {
        let found: ConfigurationDocument?
        if let number = call.form["base"].flatMap({ Int64($0) }) {
            found = try await documents.version(number, store)
        } else {
            found = try await documents.newest(store)
        }
        guard let base = found else { throw RequestError.notFound }
        guard let sent = call.form["text"], !sent.isEmpty else { return (base, base) }
        let text = EditedText.restored(sent, like: base.text)
        guard text.utf8.count <= FormExcess.longestDraft else { throw FormExcess.draftBytes }
        var source = ConfigurationText(mostNodes: FormExcess.mostValues)
        guard let root = source.parse(text), source.problems.isEmpty else {
            if source.hasTooManyNodes { throw FormExcess.draftValues }
            throw RequestError(.malformedRequest, "The draft is not YAML.")
        }
        return (base, ConfigurationDocument(number: base.number, text: text, root: root))
    }
}

extension ConfigurationDocument {
    /// A changed file, if a server can serve it.
    /// - Parameter told: a problem of the file, at its field.
    init(number: Int64, text: String, told: (ConfigurationProblem, _ root: ConfigurationNode?) -> FieldProblem) throws {
        // To change a file, nobody needs the secrets that the file names.
        let reading = ReadConfiguration(yaml: text, secrets: SecretEnvironment(value: { ProcessEnvironment.anySecret(of: $0) }))
        guard reading.problems.isEmpty, let root = reading.root else {
            throw ConfigurationFormRefusal(reading.problems.prefix(5).map { told($0, reading.root) })
        }
        self.init(number: number, text: text, root: root)
    }
}

extension ConfigurationFormRefusal {
    /// - Throws: an error that is not about the form.
    init(any error: any Error, field: String) throws {
        switch error {
        case let refusal as ConfigurationFormRefusal: self = refusal
        case let refusal as ConfigurationEditRefusal: self.init([FieldProblem(field, refusal.description, isEnglish: true)])
        default: throw error
        }
    }
}

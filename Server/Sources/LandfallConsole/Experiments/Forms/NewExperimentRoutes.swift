// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// The form of a new experiment: from the question to a draft. Units and days are computed from what this app's reports have counted.
struct NewExperimentRoutes: Sendable {
    let configuration: ConfigurationRoutes
    let reports: Reports

    /// `GET /console/new/experiment`
    @Sendable func form(_ call: ConsoleCall) async throws -> Response {
        guard let document = try await configuration.documents.newest(configuration.store) else { throw RequestError.notFound }
        return try await begun(call, document, ConfigurationForms(base: document.number))
    }

    /// `POST /console/new/experiment`: makes the draft; with `change=compute` only computes, and answers a program with the sentences
    /// alone; with `change=open` shows the form for a draft of other entries.
    @Sendable func take(_ call: ConsoleCall) async throws -> Response {
        let (base, document) = try await configuration.started(call)
        func draft(_ document: ConfigurationDocument, _ entry: String?) -> ConfigurationDraft? {
            document.text.hasSameBytes(as: base.text)
                ? nil : ConfigurationDraft(from: base.text, to: document, owner: configuration.owner, entry: entry)
        }
        var forms = ConfigurationForms(base: base.number, message: call.form["message"] ?? "")
        forms.draft = draft(document, nil)
        if call.form["change"] == "open" { return try await begun(call, document, forms) }
        forms.typed = call.form
        let making = NewExperiment(words: call.words, form: call.form, document: document)
        var plan: ExperimentPlan?
        do {
            plan = try await self.plan(making, call)
            guard call.form["change"] != "compute" else {
                guard Self.isForProgram(call) else { return try page(call, document, forms, plan) }
                return try ConsoleAnswer.document(plan?.sentences(call.words.experiments) ?? [])
            }
            let changed = try ConfigurationDocument(number: base.number, text: making.text(plan)) { problem, _ in
                FieldProblem(making.field(of: problem), problem.message, isEnglish: true)
            }
            let name = making.changing.name
            var made = ConfigurationForms(base: base.number, message: forms.message.isEmpty ? making.question : forms.message)
            made.draft = draft(changed, changed.text(of: [.key("experiments"), .key(name)]))
            return ConsoleAnswer.page(RemovedEntryPage(frame: try call.frame, section: .experiments, name: name, forms: made).html)
        } catch {
            let refusal = try ConfigurationFormRefusal(any: error, field: "name")
            if call.form["change"] == "compute", Self.isForProgram(call) { return try ConsoleAnswer.document(refusal.problems.map(\.sentence)) }
            forms.problems = refusal.problems
            return try page(call, document, forms, plan, refusal.status)
        }
    }

    private static func isForProgram(_ call: ConsoleCall) -> Bool { call.request.headers[.accept] == "application/json" }

    /// The form as it begins, computed for what it offers.
    private func begun(_ call: ConsoleCall, _ document: ConfigurationDocument, _ forms: ConfigurationForms) async throws -> Response {
        var forms = forms
        forms.typed = NewExperiment.usual(document)
        let plan: ExperimentPlan?
        do {
            plan = try await self.plan(NewExperiment(words: call.words, form: forms.typed, document: document), call)
        } catch is ConfigurationFormRefusal {
            // The usual effect does not suit this app's rate. The button says so.
            plan = nil
        }
        return try page(call, document, forms, plan)
    }

    private func page(
        _ call: ConsoleCall, _ document: ConfigurationDocument, _ forms: ConfigurationForms, _ plan: ExperimentPlan?,
        _ status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var page = NewExperimentPage(frame: try call.frame, forms: forms, plan: plan)
        page.paywalls = document.entries("paywalls").map(\.key)
        page.placements = document.entries("placements").map(\.key)
        page.audiences = document.entries("audiences").map(\.key)
        page.metrics = document.entries("metrics").map(\.key)
        return ConsoleAnswer.page(page.html, status)
    }

    /// - Throws: a ``ConfigurationFormRefusal`` about a number; the errors of the store.
    private func plan(_ making: NewExperiment, _ call: ConsoleCall) async throws -> ExperimentPlan? {
        let snapshot = call.context.snapshot, metric = snapshot.metrics.first { $0.name.hasSameBytes(as: making.metric) }
        return try making.plan(metric, counted: try await counted(making, metric, call))
    }

    /// A placement with one entry is counted as a whole: also what apps reported without an audience.
    private func counted(_ making: NewExperiment, _ metric: Metric?, _ call: ConsoleCall) async throws -> ExperimentPlan.Counted? {
        guard let metric, !making.placement.isEmpty else { return nil }
        let audience = making.entries.count > 1 && making.entryIndex != nil ? making.audience : nil
        let isMerging = try !call.seesPeople
        // A form does not wait for it: then it asks for the numbers.
        let traffic = try await withTimeout(LinkNumbers.patience, by: reports.time) {
            try await reports.traffic(of: making.placement, audience: audience, metric: metric, call.context.snapshot, isMerging: isMerging)
        }
        return traffic?.map { ExperimentPlan.Counted(traffic: $0, placement: making.placement, audience: audience) }
    }
}

extension ConsoleRoute {
    static func newExperiment(_ routes: NewExperimentRoutes) -> [ConsoleRoute] {
        [
            get("/console/new/experiment", .member(.publishing), routes.form),
            post("/console/new/experiment", .member(.publishing), formLimit: ConsolePublisher.formLimit, routes.take),
        ]
    }
}

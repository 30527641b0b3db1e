// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// The form of an audience that the file does not have yet.
extension ConfigurationRoutes {
    /// - Parameter forms: with what is wrong already.
    func audienceForm(
        _ call: ConsoleCall, _ document: ConfigurationDocument, _ forms: ConfigurationForms, _ status: HTTPResponse.Status = .unprocessableContent
    ) async throws -> Response {
        var forms = forms
        forms.typed = call.form
        var page = NewEntryPage(frame: try call.frame, kind: .audience, forms: forms)
        // While somebody edits, the name is not whole either.
        let asked = NewEntry(.audience, words: call.words, form: call.form.merging(["name": "new"]) { $1 }, document: document)
        let editing = AudienceEditing(asked.changing), rule = editing.rule ?? AudienceRule()
        if !editing.isDone, rule.written() != nil {
            do {
                let changed = try ConfigurationDocument(number: document.number, text: asked.changing.changedRule()) { problem, _ in
                    FieldProblem(asked.field(of: problem), problem.message, isEnglish: true)
                }
                page.condition = changed.entry("audiences", "new").map { ConditionPartReader(segments: changed.root["segments"]).part($0) }
                page.matches = try await counted(AudienceID("new"), of: changed, call)
            } catch {
                page.forms.problems = try ConfigurationFormRefusal(any: error, field: "").problems
            }
        }
        page.form = try await ruleForm(call, rule, document, page.forms, focus: editing.focus)
        return ConsoleAnswer.page(page.html, page.forms.problems.isEmpty ? .ok : status)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// The pages of audiences.
extension ConfigurationRoutes {
    /// `GET /console/audiences?q=&page=&count=now`
    @Sendable func audiences(_ call: ConsoleCall) async throws -> Response {
        let document = try await newest()
        var filter = filter(call)
        let entries = filter.slice(document?.entries("audiences") ?? []) { $0.key }
        var counting: MatchCounts?
        if let document { counting = try await self.counting(entries.map(\.key), document, call) }
        let counted = document.flatMap { matches.known($0.number, nowMs: call.nowMs) }
        let conditions = ConditionPartReader(segments: document?.root["segments"])
        let audiences = entries.map { entry in
            AudiencesPage.Audience(
                name: entry.key, condition: conditions.part(entry.value),
                uses: document?.uses(ofAudience: entry.key).count ?? 0, matches: counted?.sample(of: AudienceID(entry.key)))
        }
        var page = AudiencesPage(frame: try frame(call), version: document?.number, audiences: audiences, filter: filter)
        page.counting = counting
        return ConsoleAnswer.page(page.html)
    }

    /// `GET /console/audiences/{name}?count=now`
    @Sendable func audience(_ call: ConsoleCall) async throws -> Response {
        let (document, name, node) = try await entry("audiences", call)
        let matches = try await matches(AudienceID(name), document, call)
        return ConsoleAnswer.page(try await audiencePage(call, document, name, node, forms(call, document), matches))
    }

    private func matches(
        _ audience: AudienceID, _ document: ConfigurationDocument, _ call: ConsoleCall
    ) async throws -> AudiencePage.Matches {
        let snapshot = call.context.snapshot
        guard snapshot.revision == document.number else { return .notServed }
        if call.query("count") == "now" {
            let counted = try await matches.count(
                [audience], of: snapshot, in: installs, numbers: SystemRandomNumberGenerator(), nowMs: call.nowMs)
            guard let counted else { return .busy }
            return counted.sample(of: audience).map { .counted($0) } ?? .notServed
        }
        let known = matches.known(document.number, nowMs: call.nowMs)
        return known?.sample(of: audience).map { .counted($0) } ?? .notCounted
    }

    /// `POST /console/audiences/{name}`
    @Sendable func changeAudience(_ call: ConsoleCall) async throws -> Response {
        try await change("audiences", .audiences, call) { try $0.changedAudience() } page: { document, name, node, forms in
            try await answer(call, document, name, node, forms)
        }
    }

    /// The page that answers a form, with the form as it is typed.
    func answer(
        _ call: ConsoleCall, _ document: ConfigurationDocument, _ name: String, _ node: ConfigurationNode, _ forms: ConfigurationForms
    ) async throws -> HTML {
        let editing = AudienceEditing(
            ConfigurationFormChange(words: call.words, form: call.form, document: document, section: "audiences", name: name, node: node))
        let isEmpty = editing.rule.map { $0.written() == nil } ?? false
        let matches = forms.problems.isEmpty && !isEmpty ? try await counted(AudienceID(name), of: document, call) : .notCounted
        return try await audiencePage(call, document, name, node, forms, matches, editing, isAnswer: true)
    }

    /// - Parameter editing: of a form that was sent; a form without a rule shows that of the file.
    private func audiencePage(
        _ call: ConsoleCall, _ document: ConfigurationDocument, _ name: String, _ node: ConfigurationNode, _ forms: ConfigurationForms?,
        _ matches: AudiencePage.Matches, _ editing: AudienceEditing? = nil, isAnswer: Bool = false
    ) async throws -> HTML {
        let typed = editing?.rule
        let condition = typed.map { $0.written() == nil } == true ? nil : ConditionPartReader(segments: document.root["segments"]).part(node)
        var page = AudiencePage(
            frame: try call.frame, version: document.number, name: name, condition: condition, matches: matches,
            uses: document.uses(ofAudience: name), yaml: document.text(of: [.key("audiences"), .key(name)]))
        page.forms = forms
        page.isAnswer = isAnswer
        if let forms, let rule = typed ?? AudienceRule(node) {
            page.form = try await ruleForm(call, rule, document, forms, focus: editing?.focus)
        }
        return page.html
    }

    /// The fields of a rule, with a line for one more condition.
    func ruleForm(
        _ call: ConsoleCall, _ rule: AudienceRule, _ document: ConfigurationDocument, _ forms: ConfigurationForms, focus: String? = nil
    ) async throws -> AudienceRuleForm {
        var rule = rule
        if rule.parts.last != .line(AudienceRule.Line()) { _ = rule.apply(AudienceRule.Order(.add, [])) }
        let choices = AttributeChoices(document)
        let suggestions = AudienceSuggestions(
            for: rule, in: document, choices, ads: try await AppleAdsSuggestions(for: rule, ads),
            drawn: matches.sample.known(call.context.snapshot.revision, nowMs: call.nowMs))
        return AudienceRuleForm(
            frame: try call.frame, forms: forms, rule: rule, choices: choices, suggestions: suggestions, focus: focus)
    }

    /// How many installs an audience of a draft matches.
    func counted(_ audience: AudienceID, of document: ConfigurationDocument, _ call: ConsoleCall) async throws -> AudiencePage.Matches {
        // To count, nobody needs the secrets that the file names.
        let reading = ReadConfiguration(
            yaml: document.text, secrets: SecretEnvironment(value: { ProcessEnvironment.anySecret(of: $0) }))
        guard let condition = (try? reading.requireConfiguration())?.audiences.first(where: { $0.id == audience })?.condition else {
            return .notServed
        }
        let drawn = try await matches.sample.drawn(
            for: call.context.snapshot, from: installs, numbers: SystemRandomNumberGenerator(), nowMs: call.nowMs)
        return drawn.map { .counted($0.sample(of: condition)) } ?? .busy
    }
}

extension AudienceMatches.Counted {
    /// Nil where the audience was not counted.
    func sample(of audience: AudienceID) -> MatchSample? {
        audiences[audience].map { numbers in
            MatchSample(
                count: numbers.count, of: numbers.sampled, isEverything: numbers.sampled < AudienceMatches.most, atMs: numbers.atMs)
        }
    }
}

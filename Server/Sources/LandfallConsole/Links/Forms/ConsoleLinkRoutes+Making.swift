// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// Making links by a form, and what is told of them before.
extension ConsoleLinkRoutes {
    /// `GET /console/links/new?like=`: with the labels of another link.
    @Sendable func form(_ call: ConsoleCall) async throws -> Response {
        var draft = LinkDraft()
        if let like = call.query("like") {
            let link = try await link(like, call).link
            draft = LinkDraft(labelsOf: link)
            if call.context.snapshot.brandDomain(link.host) != nil { draft.domain = link.host }
        }
        return ConsoleAnswer.page(try await newPage(draft, [], call).html)
    }

    /// `POST /console/links/draft`: what a script changes of the form's page while somebody types. With the address of a link it is that
    /// of its change.
    @Sendable func drafted(_ call: ConsoleCall) async throws -> Response {
        let draft = LinkDraft(call), url = call.field("url")
        let drafted =
            url.isEmpty ? try await drafted(draft, call) : try await drafted(draft, changing: try await link(url, call).link, call)
        return ConsoleAnswer.page(drafted.parts(of: draft, call.words))
    }

    /// `POST /console/links/new`: makes all links of the form, or none. Asked to show them, it makes none.
    @Sendable func make(_ call: ConsoleCall) async throws -> Response {
        let draft = LinkDraft(call)
        guard call.field("show").isEmpty else { return ConsoleAnswer.page(try await newPage(draft, [], call).html) }
        var problems: [FieldProblem] = []
        let newLinks = draft.newLinks(call.words, nowMs: call.nowMs, &problems), making = making(draft, call)
        if problems.isEmpty { problems = Self.problems(try await making.check(newLinks, nowMs: call.nowMs), call.words) }
        guard problems.isEmpty else { return try await refused(draft, problems, call) }
        let outcomes = try await making.make(newLinks, nowMs: call.nowMs)
        guard let first = outcomes.first, outcomes.count > 1 else {
            guard let link = outcomes.first?.link else {
                return try await refused(draft, Self.problems(outcomes, call.words), call)
            }
            let isNew = outcomes.first == .made(link)
            return ConsoleAnswer.see(Place("/console/links/show", query: [("url", link.address), ("made", isNew ? "1" : nil)]))
        }
        let missing = zip(outcomes, newLinks).filter { $0.0.link == nil }.map { $0.1.channel ?? first.link?.address ?? "–" }
        let entries = outcomes.compactMap(\.link).map { LinkEntry($0, isInFile: false, nowMs: call.nowMs) }
        return ConsoleAnswer.page(MadeLinksPage(frame: try call.frame, entries: entries, missing: missing).html)
    }

    private func making(_ draft: LinkDraft, _ call: ConsoleCall) -> LinkCreation {
        var making = LinkCreation(links: links, snapshot: call.context.snapshot, noting: call.notingLinks)
        making.drawn = draft.drawn
        return making
    }

    private func newPage(_ draft: LinkDraft, _ problems: [FieldProblem], _ call: ConsoleCall) async throws -> NewLinkPage {
        var draft = draft
        if draft.drawn.isEmpty { draft.drawn = making(draft, call).code() }
        let configuration = call.context.snapshot.configuration
        return NewLinkPage(
            frame: try call.frame, draft: draft, drafted: try await drafted(draft, call), hosts: configuration.domains.brand.map(\.host),
            names: try await listing(call).names(), templates: configuration.linkTemplates.map(\.name), problems: problems)
    }

    private func refused(_ draft: LinkDraft, _ problems: [FieldProblem], _ call: ConsoleCall) async throws -> Response {
        let isTaken = problems.contains { $0.sentence == call.words.linkTaken }
        let page = try await newPage(draft, problems, call)
        return ConsoleAnswer.page(page.html, isTaken ? .conflict : .unprocessableContent)
    }

    /// What is refused, each sentence once: most links of a form have the same fields.
    private static func problems(_ outcomes: [LinkCreation.Outcome], _ words: Words) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        for case .refused(let refusal) in outcomes {
            let problem = FieldProblem(refusal, words)
            if !problems.contains(problem) { problems.append(problem) }
        }
        return problems
    }

    /// Reads the store at the link's place, at most twice.
    private func drafted(_ draft: LinkDraft, _ call: ConsoleCall) async throws -> DraftedLink {
        var ignored: [FieldProblem] = []
        let newLink = draft.newLink(call.words, nowMs: call.nowMs, &ignored), making = making(draft, call)
        func state(_ outcome: LinkCreation.Outcome?) -> DraftedLink.Suffix? {
            if case .made? = outcome, !draft.suffix.isEmpty { .free } else { nil }
        }
        var drafted = DraftedLink()
        let whole = try await making.check([newLink], nowMs: call.nowMs).first
        if let link = whole?.link {
            drafted.suffix = state(whole)
            tell(link, in: &drafted, call)
            return drafted
        }
        // The address does not wait for the rest of the form. No link can be at the host of this destination.
        var bare = NewLink(to: "https://landfall.invalid/")
        (bare.domain, bare.suffix) = (newLink.domain, newLink.suffix)
        let alone = try await making.check([bare], nowMs: call.nowMs).first
        if let link = alone?.link {
            (drafted.place, drafted.suffix) = (link.place, state(alone))
            let problem = whole.flatMap { Self.problems([$0], call.words).first }
            drafted.missing = draft.to.isEmpty ? call.words.linkDraftOpen : problem?.sentence
        } else if let problem = alone.flatMap({ Self.problems([$0], call.words).first }) {
            let isSuffix = problem.field == "suffix"
            (drafted.suffix, drafted.missing) = isSuffix ? (.refused(problem.sentence), call.words.linkDraftOpen) : (nil, problem.sentence)
        }
        return drafted
    }
}

extension ConsoleLinkRoutes {
    /// What a tap does once the link can be followed.
    func tell(_ link: StoredLink, in drafted: inout DraftedLink, _ call: ConsoleCall) {
        let tapping = LinkTapPreview(
            links: links, snapshot: call.context.snapshot, nowMs: max(call.nowMs, link.startsAtMs ?? call.nowMs))
        drafted.place = link.place
        (drafted.happenings, drafted.card) = (tapping.happenings(link), tapping.preview(link, in: call.words.language))
    }
}

extension LinkCreation.Outcome {
    var link: StoredLink? {
        switch self {
        case .made(let link), .unchanged(let link): link
        case .refused: nil
        }
    }
}

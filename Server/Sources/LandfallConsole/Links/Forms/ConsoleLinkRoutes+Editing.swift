// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Changing one stored link by a form.
extension ConsoleLinkRoutes {
    /// `GET /console/links/edit?url=`
    @Sendable func editing(_ call: ConsoleCall) async throws -> Response {
        // A sign-in in between forgets which link it was.
        guard let url = call.query("url") else { return ConsoleAnswer.see(Place("/console/links")) }
        let found = try await link(url, call)
        guard !found.isInFile else { return try await inFile(found, call) }
        return ConsoleAnswer.page(try await editPage(found.link, LinkDraft(found.link), [], call).html)
    }

    /// `POST /console/links/edit`: changes the link if it is still the one that the form was about. Asked to show the change, it makes none.
    @Sendable func edit(_ call: ConsoleCall) async throws -> Response {
        let found = try await link(call.field("url"), call), old = found.link
        guard !found.isInFile else { return try await inFile(found, call) }
        let draft = LinkDraft(call)
        guard try old.mark().hasSameBytes(as: call.field("mark")) else { return try await meanwhile(old, draft, call) }
        guard call.field("show").isEmpty else { return ConsoleAnswer.page(try await editPage(old, draft, [], call).html) }
        let new: StoredLink
        switch try await changed(old, by: draft, call) {
        case .success(let link): new = link
        case .failure(let refused): return try await refusedEdit(old, draft, refused.problems, call)
        }
        let shown = Place("/console/links/show", query: [("url", old.address), ("changed", "1")])
        guard new != old else { return ConsoleAnswer.see(shown) }
        let isChanged = try await links.store.change(
            [LinkStore.Change(old: old, new: new)], of: call.context.snapshot.app.id,
            noting: { call.line(.linkChanged, AuditLine.subject(of: [$0])) }, nowMs: call.nowMs)
        guard isChanged == [true] else {
            // Removed, or changed after it was read above.
            return try await meanwhile(try await link(call.field("url"), call).link, draft, call)
        }
        return ConsoleAnswer.see(shown)
    }

    /// What the form makes of a link, or what is wrong in it.
    private func changed(_ old: StoredLink, by draft: LinkDraft, _ call: ConsoleCall) async throws -> Result<StoredLink, RefusedDraft> {
        var problems: [FieldProblem] = []
        var newLink = draft.newLink(call.words, nowMs: call.nowMs, changing: old, &problems)
        newLink.keepUnshown(of: old)
        guard problems.isEmpty else { return .failure(RefusedDraft(problems: problems)) }
        return try await LinkCreation(links: links, snapshot: call.context.snapshot).changed(old, to: newLink, nowMs: call.nowMs)
            .mapError { RefusedDraft(problems: [FieldProblem($0, call.words)]) }
    }

    /// The link as the form would change it; its address stays.
    func drafted(_ draft: LinkDraft, changing old: StoredLink, _ call: ConsoleCall) async throws -> DraftedLink {
        var drafted = DraftedLink()
        drafted.place = old.place
        switch try await changed(old, by: draft, call) {
        case .success(let link): tell(link, in: &drafted, call)
        case .failure(let refused): drafted.missing = draft.to.isEmpty ? call.words.linkDraftOpen : refused.problems.first?.sentence
        }
        return drafted
    }

    private func editPage(
        _ link: StoredLink, _ draft: LinkDraft, _ problems: [FieldProblem], _ call: ConsoleCall
    ) async throws -> LinkEditPage {
        var page = LinkEditPage(
            frame: try call.frame, entry: LinkEntry(link, isInFile: false, nowMs: call.nowMs), draft: draft,
            drafted: try await drafted(draft, changing: link, call), mark: try link.mark(), names: try await listing(call).names())
        page.problems = problems
        return page
    }

    private func refusedEdit(
        _ link: StoredLink, _ draft: LinkDraft, _ problems: [FieldProblem], _ call: ConsoleCall
    ) async throws -> Response {
        ConsoleAnswer.page(try await editPage(link, draft, problems, call).html, .unprocessableContent)
    }

    private func meanwhile(_ link: StoredLink, _ draft: LinkDraft, _ call: ConsoleCall) async throws -> Response {
        let problems = [FieldProblem("", call.words.linkEditedMeanwhile)]
        return ConsoleAnswer.page(try await editPage(link, draft, problems, call).html, .conflict)
    }

    func inFile(_ found: LinkList.Page.Entry, _ call: ConsoleCall) async throws -> Response {
        var page = try await facts(found, call)
        page.problems = [FieldProblem("", call.words.linkInFile)]
        return ConsoleAnswer.page(page.html, .conflict)
    }
}

/// What is wrong in a form that changes a link.
private struct RefusedDraft: Error { let problems: [FieldProblem] }

extension NewLink {
    /// Takes the address of a stored link, and the words that the form does not have.
    fileprivate mutating func keepUnshown(of old: StoredLink) {
        (domain, suffix) = (old.host, old.path.text)
        guard !old.preview.fitsTable else { return }
        var preview = preview ?? LinkPreview()
        (preview.locales, preview.icon, preview.colour) = (old.preview.locales, old.preview.icon, old.preview.colour)
        self.preview = preview
    }
}

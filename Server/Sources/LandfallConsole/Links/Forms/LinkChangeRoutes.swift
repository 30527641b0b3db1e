// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// Archiving, taking up and relabelling the links that a member chose in the list.
struct LinkChangeRoutes: Sendable {
    let links: Links

    /// `POST /console/links/change`: says what would change; with `step=apply`, changes it.
    @Sendable func take(_ call: ConsoleCall) async throws -> Response {
        let kind = LinkChangeKind(rawValue: call.field("action"))
        let chosen = Self.chosen(call), isTooMany = chosen.count > LinkChanges.most
        var page = LinkChangePage(
            frame: try call.frame, kind: kind ?? .relabel, addresses: isTooMany ? [] : chosen.map(\.address),
            draft: LabelChanges(call), back: Self.back(call))
        guard !chosen.isEmpty else { return refused(page, [FieldProblem("", call.words.linkChangeNone)]) }
        guard !isTooMany else { return refused(page, [FieldProblem("", call.words.linkChangeTooMany(LinkChanges.most))]) }
        if page.kind == .relabel {
            let listing = LinkList(store: links.store, snapshot: call.context.snapshot, nowMs: call.nowMs)
            page.campaigns = try await listing.names().campaigns
        }
        // The list asks for labels: what they shall be is typed first. What no page asks for changes nothing.
        let step = kind == nil ? "" : call.field("step")
        if page.kind == .relabel, step.isEmpty { return ConsoleAnswer.page(page.html) }
        let problems = page.kind == .relabel ? page.draft.problems(call.words) : []
        guard problems.isEmpty else { return refused(page, problems) }

        let change = page.change, places = chosen.map(\.place)
        let changing = LinkChanges(links: links, snapshot: call.context.snapshot)
        let outcomes =
            step == "apply"
            ? try await changing.apply(change, to: places, noting: { call.line(change.action, $0.address) }, nowMs: call.nowMs)
            : try await changing.check(change, of: places, nowMs: call.nowMs)
        let wrong = Self.problems(outcomes, call.words)
        guard wrong.isEmpty else { return refused(page, wrong) }
        page.isDone = step == "apply"
        page.rows = zip(chosen, outcomes).map { LinkChangePage.Row($0.address, $1, call) }
        return ConsoleAnswer.page(page.html)
    }

    private func refused(_ page: LinkChangePage, _ problems: [FieldProblem]) -> Response {
        var page = page
        page.problems = problems
        return ConsoleAnswer.page(page.html, .unprocessableContent)
    }

    /// The chosen links, each once, in the order of the list. The fields are `link0`, `link1` and so on.
    private static func chosen(_ call: ConsoleCall) -> [(address: String, place: LinkPlace?)] {
        let numbered = call.form.compactMap { name, value -> (number: Int, address: String)? in
            guard name.hasPrefix("link"), !value.isEmpty, let number = Int(name.dropFirst(4)) else { return nil }
            return (number, value)
        }
        var seen: Set<ExactText> = []
        return numbered.sorted { $0.number < $1.number }.compactMap { _, address in
            let place = LinkPlace(url: address)
            let name = place?.url ?? address.cut(toBytes: LinkAddress.longest)
            return seen.insert(ExactText(name)).inserted ? (name, place) : nil
        }
    }

    /// The page of the list from which somebody came.
    private static func back(_ call: ConsoleCall) -> Place {
        let text = call.field("back")
        guard text.hasPrefix("/console/links?"), let place = Place(next: text) else { return Place("/console/links") }
        return place
    }

    /// What is wrong with a label is wrong for every link: it is told at its field.
    private static func problems(_ outcomes: [LinkChanges.Outcome], _ words: Words) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        for case .refused(_, let refusal) in outcomes {
            guard let field = refusal.field, LinkEntry.LabelName(rawValue: field) != nil else { continue }
            let problem = FieldProblem(refusal, words)
            if !problems.contains(problem) { problems.append(problem) }
        }
        return problems
    }
}

extension LinkChangePage {
    fileprivate var change: LinkChanges.Change {
        switch kind {
        case .archive: .archive
        case .takeUp: .takeUp
        case .relabel: .relabel(draft.values, cleared: draft.cleared)
        }
    }
}

extension LabelChanges {
    /// A field that is left empty is no wish.
    init(_ call: ConsoleCall) {
        self.init()
        for name in LinkEntry.LabelName.allCases {
            let value = call.field(name.rawValue)
            if !value.isEmpty { values[name] = value }
            if !call.field("clear-" + name.rawValue).isEmpty { cleared.insert(name) }
        }
    }

    fileprivate func problems(_ words: Words) -> [FieldProblem] {
        if isEmpty { return [FieldProblem(LinkEntry.LabelName.campaign.rawValue, words.linkChangeNoLabel)] }
        let both = LinkEntry.LabelName.allCases.filter { values[$0] != nil && cleared.contains($0) }
        return both.map { FieldProblem($0.rawValue, words.linkChangeBoth) }
    }
}

extension LinkChangePage.Row {
    fileprivate init(_ address: String, _ outcome: LinkChanges.Outcome, _ call: ConsoleCall) {
        func entry(_ link: StoredLink) -> LinkEntry { LinkEntry(link, isInFile: false, nowMs: call.nowMs) }
        switch outcome {
        case .changed(let old, let new): self.init(address: address, outcome: .changed(from: entry(old), to: entry(new)))
        case .unchanged: self.init(address: address, outcome: .unchanged)
        case .inFile: self.init(address: address, outcome: .refused(call.words.linkInFile))
        case .refused(_, let refusal):
            self.init(
                address: address,
                outcome: .refused(call.words.linkChangeRefused + " " + FieldProblem(refusal, call.words).sentence))
        case .changedMeanwhile: self.init(address: address, outcome: .refused(call.words.linkChangedMeanwhile))
        case .missing: self.init(address: address, outcome: .refused(call.words.linkNotThere))
        }
    }
}

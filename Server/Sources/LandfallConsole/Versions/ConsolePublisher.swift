// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// An edited text on its way to a version: checked, compared, measured, published. Every page of the console that changes the
/// configuration sends its text here, with the number of the version that it was made from.
struct ConsolePublisher: Sendable {
    /// A form has up to three bytes for one of the text.
    static let formLimit = 3 * FormExcess.longestDraft + 64 * 1024
    static let sample = 2_000

    let publishing: VersionPublisher
    let measuring: ImpactMeasurement
    /// How many members' texts this node measures at the same time: each reads some thousand installs.
    let measurements = AsyncSemaphore(permits: 2)
    let app: AppID

    var isFileOwned: Bool { publishing.owner == .file }

    /// Shows what the text would change, and for whom.
    func check(text: String, base: Int64?, message: String, call: ConsoleCall) async throws -> Response {
        switch try await compared(text: text, base: base, message: message, call) {
        case .answer(let response): response
        case .changed(let draft, let newest): try await review(draft, newest, call)
        }
    }

    /// Makes the text the newest version, if it is the checked one and its base is the newest version.
    /// - Parameters:
    ///   - checked: what the page of the check said about the text.
    ///   - at: a time in the zone of the reports, as 2026-11-24T09:00; empty publishes now.
    func publish(text: String, base: Int64?, message: String, checked: String, at: String, call: ConsoleCall) async throws -> Response {
        let draft: DraftText, newest: String?
        switch try await compared(text: text, base: base, message: message, call) {
        case .answer(let response): return response
        case .changed(let edited, let text): (draft, newest) = (edited, text)
        }
        guard ConfigurationStore.hash(of: draft.text).hasSameBytes(as: checked) else {
            return try await review(draft, newest, call, refusal: .unchecked, at: at)
        }
        if needsProof(from: newest, to: draft.text, call) { return try await review(draft, newest, call, refusal: .unproven, at: at) }
        if !at.isEmpty { return try await publish(draft, newest, at: at, call) }
        let line = call.line(.versionPublished, draft.message)
        let order = VersionPublisher.Order(
            text: draft.text, base: draft.base, author: try call.author, message: draft.message,
            further: line.insertion(into: app, nowMs: call.nowMs))
        do {
            let answer = try await publishing.carryOut(order, call.context.namedLogger)
            return ConsoleAnswer.see(Place("/console/versions", ["\(answer.version ?? draft.base)"]))
        } catch let refusal as PublishingRefusal {
            return try await page(for: refusal, draft, newest, call)
        }
    }

    /// Who holds a member's browser for a moment may not change who may call, who is trusted, where data goes and what is deleted.
    static let provenSections = Configuration.protectedSections

    /// Whether the text changes a protected section, and the member gave the password too long ago.
    func needsProof(from old: String?, to new: String, _ call: ConsoleCall) -> Bool {
        guard let session = call.visitor?.session, !session.isProven(nowMs: call.nowMs) else { return false }
        return !publishing.sections(changedFrom: old, to: new).isDisjoint(with: Self.provenSections)
    }

    /// Lets the text be published at a time.
    private func publish(_ draft: DraftText, _ newest: String?, at: String, _ call: ConsoleCall) async throws -> Response {
        let words = call.words.versions, zone = call.context.snapshot.configuration.reportZone
        func refused(_ sentence: String) async throws -> Response {
            try await review(draft, newest, call, problems: [FieldProblem("at", sentence)], at: at)
        }
        // Browsers leave the seconds out where they are zero.
        let text = at.utf8.count == 16 ? at + ":00Z" : at + "Z"
        guard let local = Instant(text) else { return try await refused(words.wrongTime) }
        let atMs = zone.instantMs(ofLocal: local.milliseconds)
        guard atMs > call.nowMs, atMs <= call.nowMs + ScheduledVersions.longestAheadMs else { return try await refused(words.wrongTime) }
        let subject = call.words.language.instant(atMs) + " UTC" + (draft.message.isEmpty ? "" : ", " + draft.message)
        let line = call.line(.versionScheduled, subject)
        var order = VersionPublisher.Order(text: draft.text, base: draft.base, author: try call.author, message: draft.message, atMs: atMs)
        order.scheduling = [line.insertion(into: app, id: UUIDv7.make(nowMs: call.nowMs), nowMs: call.nowMs)]
        do {
            _ = try await publishing.carryOut(order, call.context.namedLogger)
            return ConsoleAnswer.see(Place("/console/versions"))
        } catch PublishingRefusal.wrongTime {
            // The time has passed since the page was checked.
            return try await refused(words.wrongTime)
        } catch PublishingRefusal.manyScheduled {
            return try await refused(words.tooManyScheduled)
        } catch let refusal as PublishingRefusal {
            return try await page(for: refusal, draft, newest, call)
        }
    }

    // MARK: The steps

    private enum Comparison {
        /// There is nothing to check or to publish: the page says why.
        case answer(Response)
        /// The text differs from the newest one, from which it was made.
        case changed(DraftText, newest: String?)
    }

    private func compared(text: String, base: Int64?, message: String, _ call: ConsoleCall) async throws -> Comparison {
        let words = call.words.versions
        let newest = try await publishing.store.newest(), number = newest?.number ?? 0
        let from = base == number ? newest : try await version(base, below: number)
        var draft = DraftText(text: EditedText.restored(text, like: from?.text), base: number, message: message)
        var problems: [FieldProblem] = []
        if draft.text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) {
            problems.append(FieldProblem("text", words.emptyText))
        } else if draft.text.utf8.count > FormExcess.longestDraft {
            problems.append(FieldProblem("text", words.longText(FormExcess.longestDraft / 1024)))
        }
        if !VersionPublisher.isMessage(message) {
            problems.append(FieldProblem("message", words.longMessage(VersionPublisher.longestMessage)))
        }
        if from == nil, base != number { problems.append(FieldProblem("", words.unknownBase(number))) } else { draft.base = base ?? number }
        var page = DraftPage(frame: try call.frame, draft: draft, isFileOwned: isFileOwned)
        guard problems.isEmpty else {
            page.problems = problems
            return .answer(ConsoleAnswer.page(page.html, .unprocessableContent))
        }
        if let newest, draft.base != number { return .answer(try await conflict(draft, from?.text ?? "", newest, call)) }
        guard newest?.text.hasSameBytes(as: draft.text) != true else {
            page.isUnchanged = true
            return .answer(ConsoleAnswer.page(page.html))
        }
        return .changed(draft, newest: newest?.text)
    }

    private func version(_ number: Int64?, below newest: Int64) async throws -> ConfigurationStore.Version? {
        guard let number, (1..<max(newest, 1)).contains(number) else { return nil }
        return try await publishing.store.version(number)
    }

    private func review(
        _ draft: DraftText, _ newest: String?, _ call: ConsoleCall, refusal: ReviewPage.Refusal? = nil, problems: [FieldProblem] = [],
        at: String = ""
    ) async throws -> Response {
        let logger = call.context.namedLogger
        let answer: PublishingAnswer
        do {
            let order = VersionPublisher.Order(
                text: draft.text, base: draft.base, author: try call.author, message: draft.message, isDry: true)
            answer = try await publishing.carryOut(order, logger)
        } catch let refusal as PublishingRefusal {
            return try await page(for: refusal, draft, newest, call)
        }
        var page = ReviewPage(
            frame: try call.frame, draft: draft, checked: ConfigurationStore.hash(of: draft.text),
            changes: ChangeList(answer.changes, leftOut: answer.changesLeftOut ?? 0),
            lineChanges: LineChanges(from: newest ?? "", to: draft.text))
        let refused = answer.refusal.map(ConfigurationRemark.refused)
        page.warnings = [TextRemark](answer.warnings.filter { $0 != refused }, in: draft.text)
        page.impact = try await measurements.withPermitIfFree { try await impact(draft, newest, call) }.map(ImpactSample.init)
        page.refusal = answer.refusal.flatMap(ReviewPage.Refusal.init) ?? refusal
        (page.problems, page.at, page.timeZone) = (problems, at, call.context.snapshot.configuration.reportZone.name)
        page.isScheduled = try await publishing.schedule.list().contains { $0.state == .waiting }
        let status: HTTPResponse.Status = refusal == .unproven ? .forbidden : .unprocessableContent
        return ConsoleAnswer.page(page.html, refusal == nil && problems.isEmpty ? .ok : status)
    }

    /// - Parameter newest: the text that the draft was made from, as its changes are.
    private func impact(_ draft: DraftText, _ newest: String?, _ call: ConsoleCall) async throws -> ConfigurationImpact {
        let (snapshot, warnings) = try await publishing.draft(draft.text, after: draft.base)
        return try await measuring.measure(
            from: try await base(draft, newest, call), to: snapshot, warnings: warnings, sample: Self.sample,
            seesPeople: try call.author.seesPeople, numbers: SystemRandomNumberGenerator())
    }

    /// The version that the draft was made from: this node may not serve it yet. The served one, if this release cannot read it.
    private func base(_ draft: DraftText, _ newest: String?, _ call: ConsoleCall) async throws -> Snapshot {
        let served = call.context.snapshot
        guard served.revision != draft.base, let newest, let read = try? publishing.read(newest) else { return served }
        return try await publishing.store.snapshot(read.configuration, draft.base)
    }

    private func page(
        for refusal: PublishingRefusal, _ draft: DraftText, _ newest: String?, _ call: ConsoleCall
    ) async throws -> Response {
        switch refusal {
        case .invalid(let found):
            var page = DraftPage(frame: try call.frame, draft: draft, isFileOwned: isFileOwned)
            page.remarks = [TextRemark](found.problems, in: draft.text)
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        case .stale:
            // Somebody has published since the text was compared.
            guard let live = try await publishing.store.newest() else { throw refusal }
            return try await conflict(draft, newest ?? "", live, call)
        case .protected, .ownedByFile:
            let response = try await review(draft, newest, call)
            guard response.status == .ok else { return response }
            var refused = response
            refused.status = refusal.code == .configurationOwned ? .conflict : .forbidden
            return refused
        case .unknownVersion, .crowded, .wrongTime, .manyScheduled: throw refusal
        }
    }

    /// Both sides since the base, and a text with both.
    private func conflict(
        _ draft: DraftText, _ base: String, _ newest: ConfigurationStore.Version, _ call: ConsoleCall
    ) async throws -> Response {
        let published = try await publishing.store.summaries(before: .max, limit: 20).filter { $0.number > draft.base }
        let merge = LineMerge(base: base, theirs: (newest.text, "version \(newest.number)"), mine: (draft.text, "yours"))
        let page = ConflictPage(
            frame: try call.frame, draft: draft, published: published.map { VersionLine($0, newest: newest.number) }, newest: newest.number,
            theirs: .init(changes: ChangeList(from: base, to: newest.text), lineChanges: LineChanges(from: base, to: newest.text)),
            own: .init(changes: ChangeList(from: base, to: draft.text), lineChanges: LineChanges(from: base, to: draft.text)),
            merged: merge.text, conflicts: merge.conflicts)
        return ConsoleAnswer.page(page.html, .conflict)
    }
}

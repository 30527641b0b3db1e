// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallServer
import LandfallStore
import LandfallWire
import NIOCore

/// The pages about versions, and the way of a text to a version.
struct VersionRoutes: Sendable {
    static let pageLength = 50

    let publishing: ConsolePublisher

    private var store: ConfigurationStore { publishing.publishing.store }
    private var schedule: ScheduledVersions { publishing.publishing.schedule }

    /// `GET /console/versions?before=`
    @Sendable func list(_ call: ConsoleCall) async throws -> Response {
        let (versions, scheduled, newest) = try await entries(call)
        let next = versions.count == Self.pageLength ? versions.last?.number : nil
        return ConsoleAnswer.page(
            VersionsPage(
                frame: try call.frame, lines: versions.map { VersionLine($0, newest: newest) }, scheduled: scheduled.map(ScheduledLine.init),
                before: next.flatMap { $0 > 1 ? $0 : nil }, isFileOwned: publishing.isFileOwned
            ).html)
    }

    /// `GET /console/versions.json?before=`: the entries of the list as the API has them.
    @Sendable func listDocument(_ call: ConsoleCall) async throws -> Response {
        let (versions, scheduled, _) = try await entries(call)
        return try ConsoleAnswer.document(scheduled.map(VersionEntry.init) + versions.map(VersionEntry.init))
    }

    private func entries(_ call: ConsoleCall) async throws -> ([ConfigurationStore.Summary], [ScheduledVersion], newest: Int64) {
        let before = call.query("before").flatMap(ConsoleCall.number)
        let scheduled = before == nil ? try await schedule.list() : []
        let versions = try await store.summaries(before: before ?? .max, limit: Self.pageLength)
        return (versions, scheduled, try await store.newestNumber() ?? 0)
    }

    /// `GET /console/versions/{number}?against=`, also with `.json` for the changes and `.yaml` for the text.
    @Sendable func version(_ call: ConsoleCall) async throws -> Response {
        let name = call.context.parameters.get("number") ?? ""
        if name.hasSuffix(".yaml") {
            let version = try await version(name.dropLast(5))
            return ConsoleAnswer.file(version.text.utf8, type: "application/yaml", name: "landfall-\(version.number).yaml")
        }
        if name.hasSuffix(".json") {
            let version = try await version(name.dropLast(5)), base = try await base(of: version, call).version
            return try ConsoleAnswer.document(VersionDocument(version, against: base))
        }
        return ConsoleAnswer.page(try await page(try await version(name[...]), call).html)
    }

    /// `GET /console/versions/fallback.json`: what an app bundles, of the version that is served.
    @Sendable func fallback(_ call: ConsoleCall) async throws -> Response {
        ConsoleAnswer.file(try WireCoding.encode(FallbackExport(call.context.snapshot)), type: "application/json", name: "fallback.json")
    }

    private func version(_ name: Substring) async throws -> ConfigurationStore.Version {
        guard let number = ConsoleCall.number(String(name)), let version = try await store.version(number) else {
            throw RequestError.notFound
        }
        return version
    }

    /// The version to compare with: the requested one, else the one before.
    private func base(
        of version: ConfigurationStore.Version, _ call: ConsoleCall
    ) async throws -> (version: ConfigurationStore.Version?, isOther: Bool) {
        guard let against = call.query("against"), !against.isEmpty else { return (try await store.version(upTo: version.number - 1), false) }
        if let number = ConsoleCall.number(against), let found = try await store.version(number) { return (found, false) }
        return (try await store.version(upTo: version.number - 1), true)
    }

    private func page(_ version: ConfigurationStore.Version, _ call: ConsoleCall) async throws -> VersionPage {
        let newest = try await store.newestNumber() ?? version.number, base = try await base(of: version, call)
        var page = VersionPage(
            frame: try call.frame, line: VersionLine(version, newest: newest), newest: newest, against: base.version?.number,
            changes: ChangeList(from: base.version?.text, to: version.text),
            lineChanges: LineChanges(from: base.version?.text ?? "", to: version.text),
            text: version.text.utf8.count > FormExcess.longestDraft ? nil : version.text, isFileOwned: publishing.isFileOwned)
        page.isAgainstUnknown = base.isOther
        return page
    }

    /// `POST /console/versions/{number}/rollback`: the old text as a new version.
    @Sendable func rollBack(_ call: ConsoleCall) async throws -> Response {
        let words = call.words.versions
        let version = try await version(Substring(call.context.parameters.get("number") ?? ""))
        var page = try await page(version, call)
        page.message = call.field("message")
        func refused(_ problem: FieldProblem, _ status: HTTPResponse.Status) -> Response {
            page.problems = [problem]
            return ConsoleAnswer.page(page.html, status)
        }
        guard VersionPublisher.isMessage(page.message) else {
            return refused(FieldProblem("message", words.longMessage(VersionPublisher.longestMessage)), .unprocessableContent)
        }
        guard let base = call.base, base == page.newest else { return refused(FieldProblem("", words.meanwhile(page.newest)), .conflict) }
        guard try await store.version(base)?.text.hasSameBytes(as: version.text) != true else {
            return refused(FieldProblem("", words.isLiveAlready), .conflict)
        }
        if publishing.needsProof(from: try await store.version(base)?.text, to: version.text, call) {
            page.needsPassword = true
            return refused(FieldProblem("", words.sentence(of: .unproven)), .forbidden)
        }
        let line = call.line(.versionRolledBack, "\(version.number)" + (page.message.isEmpty ? "" : ", \(page.message)"))
        do {
            let answer = try await publishing.publishing.rollBack(
                to: version.number, base: base, by: try call.author, message: page.message,
                with: line.insertion(into: publishing.app, nowMs: call.nowMs),
                call.context.namedLogger)
            return ConsoleAnswer.see(Place("/console/versions", ["\(answer.version ?? base)"]))
        } catch PublishingRefusal.invalid(let found) {
            page.remarks = [TextRemark](found.problems, in: version.text)
            return refused(FieldProblem("", words.cannotBeServed), .unprocessableContent)
        } catch PublishingRefusal.stale(let stale) {
            return refused(FieldProblem("", words.meanwhile(stale.newest)), .conflict)
        } catch let refusal as PublishingRefusal {
            guard let reason = ReviewPage.Refusal(refusal) else { throw refusal }
            return refused(FieldProblem("", words.sentence(of: reason)), refusal.code == .configurationOwned ? .conflict : .forbidden)
        }
    }

    /// `POST /console/versions/scheduled/{id}/cancel`. A repeated call is not an error.
    @Sendable func cancel(_ call: ConsoleCall) async throws -> Response {
        guard let scheduled = try await schedule.find(call.context.parameters.get("id") ?? "") else { throw RequestError.notFound }
        let line = call.line(.versionCancelled, call.words.language.instant(scheduled.atMs) + " UTC " + scheduled.draft.message)
        let entry = line.insertion(into: publishing.app, id: UUIDv7.make(nowMs: call.nowMs), nowMs: call.nowMs)
        _ = try await schedule.cancel(scheduled.id, with: [entry])
        return ConsoleAnswer.see(Place("/console/versions"))
    }

    /// `GET /console/versions/draft`: the text of the newest version, to be edited.
    @Sendable func draft(_ call: ConsoleCall) async throws -> Response {
        let newest = try await store.newest()
        let isLong = newest.map { $0.text.utf8.count > FormExcess.longestDraft } ?? false
        var page = DraftPage(
            frame: try call.frame, draft: DraftText(text: isLong ? "" : newest?.text ?? "", base: newest?.number ?? 0, message: ""),
            isFileOwned: publishing.isFileOwned)
        if isLong { page.problems = [FieldProblem("text", call.words.versions.longText(FormExcess.longestDraft / 1024))] }
        return ConsoleAnswer.page(page.html)
    }

    /// `POST /console/versions/draft/check`: from any page's form with `text`, `base` and `message`.
    @Sendable func check(_ call: ConsoleCall) async throws -> Response {
        try await publishing.check(text: call.form["text"] ?? "", base: call.base, message: call.field("message"), call: call)
    }

    /// `POST /console/versions/draft/publish`
    @Sendable func publish(_ call: ConsoleCall) async throws -> Response {
        try await publishing.publish(
            text: call.form["text"] ?? "", base: call.base, message: call.field("message"), checked: call.field("checked"), at: call.field("at"), call: call)
    }
}

extension ConsoleRoute {
    /// Versions and publishing.
    static func versions(_ routes: VersionRoutes) -> [ConsoleRoute] {
        let limit = ConsolePublisher.formLimit
        return [
            get("/console/versions", .member(.configuration), routes.list),
            get("/console/versions.json", .member(.configuration), routes.listDocument),
            get("/console/versions/draft", .member(.publishing), routes.draft),
            post("/console/versions/draft/check", .member(.publishing), formLimit: limit, routes.check),
            post("/console/versions/draft/publish", .member(.publishing), formLimit: limit, routes.publish),
            post("/console/versions/scheduled/{id}/cancel", .member(.publishing), routes.cancel),
            get("/console/versions/fallback.json", .member(.configuration), routes.fallback),
            get("/console/versions/{number}", .member(.configuration), routes.version),
            post("/console/versions/{number}/rollback", .member(.publishing), routes.rollBack),
        ]
    }
}

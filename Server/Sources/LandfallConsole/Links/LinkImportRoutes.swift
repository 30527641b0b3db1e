// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// Importing links from a table.
struct LinkImportRoutes: Sendable {
    /// A megabyte of text: each of its bytes may be three on their way, and the end of a line, which is one in a file, six.
    static let formLimit = 8 * 1024 * 1024

    let links: Links

    /// `GET /console/links/import`
    @Sendable func form(_ call: ConsoleCall) async throws -> Response { ConsoleAnswer.page(try page(call).html) }

    private func page(_ call: ConsoleCall) throws -> LinkImportPage {
        LinkImportPage(frame: try call.frame, hosts: call.context.snapshot.configuration.domains.brand.map(\.host))
    }

    /// `POST /console/links/import`: says what would be made; with `action=apply`, makes it. A refused row does not affect the others.
    @Sendable func take(_ call: ConsoleCall) async throws -> Response {
        var page = try page(call)
        page.text = call.form["text"] ?? ""
        page.format = LinkImportPage.Format(rawValue: call.field("format")) ?? .csv
        page.host = page.hosts.first { $0.hasSameBytes(as: call.field("domain")) }
        page.isDone = call.field("action") == "apply"
        let table: LinkImport
        do {
            table = try LinkImport(page.text, page.format == .csv ? .csv : .firebase)
        } catch {
            page.detail = error.description
            return refused(page, call.words.linkImportUnreadable)
        }
        let rows = table.rows
        page.remarks = table.remarks
        guard !rows.isEmpty else { return refused(page, call.words.linkImportEmpty) }
        guard rows.count <= LinkCreation.most else { return refused(page, call.words.linkImportTooMany(LinkCreation.most)) }

        let newLinks = rows.compactMap { row -> NewLink? in
            guard var newLink = try? row.newLink.get() else { return nil }
            newLink.domain = page.host ?? newLink.domain
            return newLink
        }
        let making = LinkCreation(links: links, snapshot: call.context.snapshot, noting: call.notingLinks)
        var outcomes = try await (page.isDone ? making.make(newLinks, nowMs: call.nowMs) : making.check(newLinks, nowMs: call.nowMs))[...]
        page.rows = rows.map { row in
            switch row.newLink {
            case .success(let newLink): LinkImportPage.Row(row, newLink, outcomes.removeFirst(), isMade: page.isDone, call.words)
            case .failure(let refusal): LinkImportPage.Row(row, NewLink(to: "–"), .refused(refusal), isMade: false, call.words)
            }
        }
        return ConsoleAnswer.page(page.html)
    }

    private func refused(_ page: LinkImportPage, _ sentence: String) -> Response {
        var page = page
        page.isDone = false
        page.problems = [FieldProblem("text", sentence)]
        return ConsoleAnswer.page(page.html, .unprocessableContent)
    }
}

extension LinkImportPage.Row {
    /// - Parameter isMade: the link has its address; a check only draws one.
    init(_ row: LinkImport.Row, _ newLink: NewLink, _ outcome: LinkCreation.Outcome, isMade: Bool, _ words: Words) {
        var address = newLink.suffix.map { (newLink.domain ?? "") + $0 }
        if isMade || newLink.suffix != nil, let link = outcome.link { address = link.address }
        switch outcome {
        case .made, .unchanged:
            let isNew = if case .made = outcome { true } else { false }
            self.init(line: row.place(of: nil).line, address: address, destination: newLink.to, outcome: isNew ? .made : .unchanged)
        case .refused(let refusal):
            self.init(
                line: row.place(of: refusal.field).line, address: address ?? "–", destination: newLink.to,
                outcome: .refused(FieldProblem(refusal, words).sentence))
        }
    }
}

extension ConsoleCall {
    /// The line about links that are made in one transaction: it names the first, and counts the others.
    var notingLinks: @Sendable ([StoredLink]) -> AuditLine {
        { made in line(.linkMade, AuditLine.subject(of: made)) }
    }
}

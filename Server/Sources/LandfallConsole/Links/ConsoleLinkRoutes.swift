// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire
import NIOCore

/// The room of links: their list, the page of each, making and removing them.
struct ConsoleLinkRoutes: Sendable {
    let links: Links
    let numbers: LinkNumbers

    /// `GET /console/links?q=&host=&campaign=&tag=&folder=&state=&page=`
    @Sendable func list(_ call: ConsoleCall) async throws -> Response {
        let filter = LinkFilter(call), listing = listing(call)
        let found = try await listing.page(filter, from: call.query("page"), most: LinkList.pageLength)
        let isMerging = try !call.seesPeople
        let counted =
            found.entries.isEmpty ? LinkNumbers.All(isWhole: true) : try await numbers.all(call.context.snapshot, isMerging: isMerging)
        let entries = found.entries.map { found in
            var entry = LinkEntry(found.link, isInFile: found.isInFile, nowMs: call.nowMs)
            let count = counted.count(found.link.place)
            (entry.clicks, entry.unique) = (count?.clicks, count?.unique)
            entry.take(counted, of: found.link)
            return entry
        }
        var page = LinkListPage(
            frame: try call.frame, filter: filter, entries: entries, next: found.next, hosts: Self.hosts(call),
            names: try await listing.names())
        (page.page, page.completeToMs) = (call.query("page"), counted.completeToMs)
        (page.isCut, page.hasNumbers, page.isRemoved) = (found.isCut, counted.isWhole, call.query("removed") != nil)
        return ConsoleAnswer.page(page.html)
    }

    /// `GET /console/links.csv`: every link that the filter finds, a thousand at a time. If a later read fails, the connection ends
    /// before the answer does, so that nobody takes a part for the whole.
    @Sendable func csv(_ call: ConsoleCall) async throws -> Response {
        let filter = LinkFilter(call), listing = listing(call), nowMs = call.nowMs
        let first = try await listing.page(filter, from: call.query("page"), most: LinkList.longestPage)
        let counted = try await numbers.all(call.context.snapshot, isMerging: true)
        return ConsoleAnswer.file(type: "text/csv; charset=utf-8", name: "links.csv") { writer in
            var page = first
            try await writer.write(ByteBuffer(string: LinkSheet.header))
            while true {
                try await writer.write(ByteBuffer(string: LinkSheet.lines(page, counted, nowMs: nowMs)))
                guard let next = page.next else { break }
                try Task.checkCancellation()
                page = try await listing.page(filter, from: next, most: LinkList.longestPage)
            }
            try await writer.finish(nil)
        }
    }

    /// `GET /console/links.json`: up to 1,000 links, and where the next ones begin.
    @Sendable func json(_ call: ConsoleCall) async throws -> Response {
        let found = try await listing(call).page(LinkFilter(call), from: call.query("page"), most: LinkList.longestPage)
        let counted = try await numbers.all(call.context.snapshot, isMerging: true)
        return try ConsoleAnswer.document(LinkSheet(found, counted, nowMs: call.nowMs))
    }

    func listing(_ call: ConsoleCall) -> LinkList {
        LinkList(store: links.store, snapshot: call.context.snapshot, nowMs: call.nowMs)
    }

    private static func hosts(_ call: ConsoleCall) -> [String] {
        let domains = call.context.snapshot.configuration.domains
        return domains.brand.map(\.host) + domains.old.map(\.host)
    }
}

extension LinkEntry {
    fileprivate mutating func take(_ counted: LinkNumbers.All, of link: StoredLink) {
        (firstOpens, hasFewOpens) = (counted.firstOpens(link), counted.hasFewOpens(link.place))
    }
}

/// One link.
extension ConsoleLinkRoutes {
    /// `GET /console/links/show?url=`
    @Sendable func show(_ call: ConsoleCall) async throws -> Response {
        var page = try await facts(try await link(call.query("url"), call), call)
        (page.isMade, page.isChanged) = (call.query("made") != nil, call.query("changed") != nil)
        return ConsoleAnswer.page(page.html)
    }

    /// - Throws: `not_found`.
    func link(_ text: String?, _ call: ConsoleCall) async throws -> LinkList.Page.Entry {
        guard let place = text.flatMap({ LinkPlace(url: $0) }) else { throw RequestError.notFound }
        let snapshot = call.context.snapshot
        if let link = snapshot.link(host: place.host, path: place.path) { return .init(link: link, isInFile: true) }
        guard let link = try await links.store.link(snapshot.app.id, host: place.host, path: place.path) else { throw RequestError.notFound }
        return .init(link: link, isInFile: false)
    }

    func facts(_ found: LinkList.Page.Entry, _ call: ConsoleCall) async throws -> LinkFactsPage {
        let link = found.link, tapping = LinkTapPreview(links: links, snapshot: call.context.snapshot, nowMs: call.nowMs)
        let own: [(LinkTapOutcome.Device, [LinkWay])] = [
            (.ios, link.ways.ios), (.android, link.ways.android), (.desktop, link.ways.desktop),
        ]
        let ways = own.filter { !$0.1.isEmpty }.map { (device: $0.0, text: $0.1.map(\.text).joined(separator: ", ")) }
        var entry = LinkEntry(link, isInFile: found.isInFile, nowMs: call.nowMs)
        let opened = try await numbers.firstOpens(call.context.snapshot, isMerging: try !call.seesPeople)
        entry.take(opened, of: link)
        var page = LinkFactsPage(
            frame: try call.frame, entry: entry,
            numbers: try await numbers.one(link.place, call.context.snapshot), happenings: tapping.happenings(link),
            preview: tapping.preview(link, in: call.words.language), picture: QRCode(link.address).map { LinkPicture($0) }, ways: ways,
            handover: (link.handover.pasteboard ? [.pasteboard] : []) + (link.handover.code ? [.code] : []))
        (page.storePage, page.routes) = (link.storePage, (NewLink(link).when ?? []).map(\.line))
        page.completeToMs = opened.completeToMs
        return page
    }

    /// `GET /console/links/qr.svg?url=`
    @Sendable func drawing(_ call: ConsoleCall) async throws -> Response {
        let (code, name) = try await picture(call)
        return ConsoleAnswer.file(code.svg.utf8, type: "image/svg+xml", name: name + ".svg")
    }

    /// `GET /console/links/qr.png?url=`
    @Sendable func pixels(_ call: ConsoleCall) async throws -> Response {
        let (code, name) = try await picture(call)
        return ConsoleAnswer.file(code.png, type: "image/png", name: name + ".png")
    }

    /// - Returns: the code, and the name of its file.
    private func picture(_ call: ConsoleCall) async throws -> (QRCode, String) {
        let link = try await link(call.query("url"), call).link
        guard let code = QRCode(link.address) else { throw RequestError.notFound }
        let name = link.path.text.utf8.map { byte in
            Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || (48...57).contains(byte) ? Character(Unicode.Scalar(byte)) : "-"
        }
        return (code, "qr" + String(name).cut(toBytes: 60))
    }

    /// `POST /console/links/remove`
    @Sendable func remove(_ call: ConsoleCall) async throws -> Response {
        let found = try await link(call.field("url"), call)
        guard !found.isInFile else { return try await inFile(found, call) }
        let app = call.context.snapshot.app.id
        let line = call.line(.linkRemoved, found.link.address)
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: call.nowMs), nowMs: call.nowMs)
        guard try await links.store.remove(app, host: found.link.host, path: found.link.path, noting: entry) else { throw RequestError.notFound }
        return ConsoleAnswer.see(Place("/console/links", query: [("removed", "1")]))
    }
}

extension ConsoleRoute {
    static func links(
        _ routes: ConsoleLinkRoutes, importing: LinkImportRoutes, changing: LinkChangeRoutes
    ) -> [ConsoleRoute] {
        [
            get("/console/links", .member(.reports), routes.list),
            get("/console/links.csv", .member(.reports), routes.csv),
            get("/console/links.json", .member(.reports), routes.json),
            get("/console/links/new", .member(.links), routes.form),
            post("/console/links/new", .member(.links), routes.make),
            post("/console/links/draft", .member(.links), routes.drafted),
            get("/console/links/import", .member(.links), importing.form),
            post("/console/links/change", .member(.links), changing.take),
            get("/console/links/edit", .member(.links), routes.editing),
            post("/console/links/edit", .member(.links), routes.edit),
            get("/console/links/show", .member(.reports), routes.show),
            get("/console/links/qr.svg", .member(.reports), routes.drawing),
            get("/console/links/qr.png", .member(.reports), routes.pixels),
            post("/console/links/remove", .member(.links), routes.remove),
        ] + editing([post("/console/links/import", .member(.links), formLimit: LinkImportRoutes.formLimit, importing.take)])
    }
}

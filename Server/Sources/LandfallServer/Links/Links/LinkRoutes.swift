// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import Hummingbird
package import LandfallRules
import LandfallStore
import LandfallWire
package import Logging

/// Everything that a brand domain answers: association files, links, and help pages.
package final class LinkRoutes: Sendable {
    private let links: Links
    private let clicks: any ClickStore
    private let taking: ClickIntake
    private let visitors: VisitorNumbers
    private let addressKeys: AddressKeys
    private let storing: FirstOpenWriter
    private let time: ServerTime

    /// - Parameter storing: how long an answer waits for its click to be on disk.
    package init(
        _ links: Links, _ clicks: any ClickStore, _ taking: ClickIntake, _ visitors: VisitorNumbers, _ addressKeys: AddressKeys,
        storing: FirstOpenWriter, _ time: ServerTime
    ) {
        self.storing = storing
        self.links = links
        self.clicks = clicks
        self.taking = taking
        self.visitors = visitors
        self.addressKeys = addressKeys
        self.time = time
    }

    /// - Throws: `CancellationError`, and what the store throws on reading.
    package func respond(
        to head: HTTPRequest, on domain: BrandDomain, in snapshot: Snapshot, for client: LinkClient, _ logger: Logger
    ) async throws -> Response {
        let language = head.headerFields[.acceptLanguage]
        let isWhole = head.method != .head
        guard head.method == .get || head.method == .head else {
            var response = snapshot.linkPages.otherMethod().response()
            response.headers[.allow] = "GET, HEAD"
            return response
        }
        if let file = associationFile(for: head, in: snapshot) { return file }
        let question = client.question(head.path ?? "/", on: domain)
        do {
            let nowMs = time.nowMs()
            let reply = try await links.reply(to: question, in: snapshot, nowMs: nowMs)
            let tokens = reply.tokens(for: client.visitor)
            let isKept = try await record(reply, in: snapshot, handing: tokens, to: client, nowMs: nowMs, logger)
            return response(reply, by: snapshot.linkPages, in: language, for: client.visitor, handing: isKept ? tokens : [])
        } catch let error as InvalidLink {
            return snapshot.linkPages.speaking(language).refused(error).response(isWhole: isWhole)
        }
    }

    /// - Returns: nil for every other request.
    package func associationFile(for head: HTTPRequest, in snapshot: Snapshot) -> Response? {
        guard head.method == .get || head.method == .head else { return nil }
        let path = (head.path ?? "/").prefix { $0 != "?" }
        return snapshot.associationFiles.response(to: path, isWhole: head.method == .get)
    }

    private func response(
        _ reply: LinkReply, by pages: LinkPages, in language: String?, for visitor: LinkVisitor, handing tokens: [DeferredToken]
    ) -> Response {
        if case .redirect(let head) = reply.form { return Response(status: .found, headers: head.fields) }
        let isWhole = visitor.kind != .head
        let pages = pages.speaking(language)
        switch reply.form {
        case .missing: return pages.missing().response(isWhole: isWhole)
        case .expired: return pages.expired().response(isWhole: isWhole)
        case .early: return pages.early().response(isWhole: isWhole)
        case .tooSoon: return pages.tooSoon().response(isWhole: isWhole)
        case .preview: return pages.preview(reply.link).response()
        case .redirect(let head): return Response(status: .found, headers: head.fields)
        case .page(let opening):
            return pages.open(reply.link, opening, visitor, handing: tokens).response(isWhole: isWhole)
        }
    }

    /// Stores the click before the answer is sent.
    /// - Returns: false if the click is only counted, or the store refuses writes just now or is late: the visitor is redirected all
    ///   the same, but gets no token.
    private func record(
        _ reply: LinkReply, in snapshot: Snapshot, handing tokens: [DeferredToken], to client: LinkClient, nowMs: Int64,
        _ logger: Logger
    ) async throws -> Bool {
        guard let outcome = reply.outcome else { return true }
        guard stores(reply, from: client, nowMs: nowMs) else { return false }
        do {
            let store: @Sendable () async throws -> Void = { [self] in
                try await visitors.prepare(nowMs: nowMs)
                let place = place(outcome, client, in: snapshot)
                let key = place == nil ? nil : try await addressKeys.prepared(nowMs: nowMs)
                let entry = entry(reply, outcome, client, handing: tokens, at: place, addressKey: key, nowMs: nowMs)
                try await clicks.record(entry, of: snapshot.app.id)
                taking.telemetry.clicked(entry.click)
            }
            return try await storing.outcome(of: store, time: time, afterwards: {}) != nil
        } catch let error as CancellationError {
            throw error
        } catch {
            lost(error, logger)
            return false
        }
    }

    private func stores(_ reply: LinkReply, from client: LinkClient, nowMs: Int64) -> Bool {
        taking.stores(clickOn: reply.link.decision, from: client.boundedAddress, nowMs: nowMs)
    }

    private func lost(_ error: any Error, _ logger: Logger) {
        taking.telemetry.lost()
        // This happens at nearly every click of a busy day: a log line for each would fill the rest of the disk.
        if case .diskLow? = error as? DatabaseError { return taking.limitHits.hit(.disk) }
        logger.error("A click could not be stored.", metadata: ["error.text": "\(error)"])
    }

    /// The stored form of a click.
    private func entry(
        _ reply: LinkReply, _ outcome: Click.Outcome, _ client: LinkClient, handing tokens: [DeferredToken] = [],
        at place: AddressPlace?, addressKey: AddressKey?, nowMs: Int64
    ) -> ClickEntry {
        let link = reply.link
        var visitor: Int64?
        if client.visitor.kind == .person {
            visitor = visitors.number(
                link: reply.visited, address: client.address, userAgent: client.userAgent, nowMs: nowMs)
        }
        let click = Click(reply, outcome, client, visitor: visitor, nowMs: nowMs)
        return ClickEntry(
            click: click, deferred: tokens.isEmpty ? [] : deferred(link, tokens),
            waiting: waiting(link, click, place, addressKey)
        )
    }

    private func deferred(_ link: FollowedLink, _ tokens: [DeferredToken]) -> [DeferredClick] {
        let (original, resolved) = link.handedOver
        return tokens.map { DeferredClick(token: $0, original: original, resolved: resolved) }
    }

    /// Where an install may find the click by its address: only a person's click, on iOS, and only if the team enabled it.
    private func place(_ outcome: Click.Outcome, _ client: LinkClient, in snapshot: Snapshot) -> AddressPlace? {
        guard client.visitor.kind == .person, client.visitor.platform == .ios, outcome != .expired, !client.isAhead else { return nil }
        return AddressPlace(client.address, snapshot.addressMatching)
    }

    private func waiting(_ link: FollowedLink, _ click: Click, _ place: AddressPlace?, _ key: AddressKey?) -> AddressedClick? {
        guard let place, let key, click.visitor != nil else { return nil }
        let (original, resolved) = link.handedOver
        return AddressedClick(place: place, key: key, original: original, resolved: resolved)
    }
}

/// A redirect that needs the store only to write its click.
struct PlainRedirect: Sendable {
    let app: AppID
    let head: RedirectHead
    /// Nil if the click is only counted.
    let entry: ClickEntry?
}

extension LinkRoutes {
    /// Nil if the store has to be read first, and for every other answer: then `respond` answers, by the same rules.
    /// - Parameter target: as written in the first line of a GET or HEAD.
    func plainRedirect(
        to target: String, on domain: BrandDomain, in snapshot: Snapshot, for client: LinkClient
    ) -> PlainRedirect? {
        let nowMs = time.nowMs()
        guard visitors.isPrepared(nowMs: nowMs),
            let reply = try? links.replyAtOnce(to: client.question(target, on: domain), in: snapshot, nowMs: nowMs),
            case .redirect(let redirectHead) = reply.form, let outcome = reply.outcome
        else { return nil }
        // A click that is only counted needs no key.
        guard stores(reply, from: client, nowMs: nowMs) else {
            return PlainRedirect(app: snapshot.app.id, head: redirectHead, entry: nil)
        }
        let place = place(outcome, client, in: snapshot), key = place.flatMap { _ in addressKeys.known(nowMs: nowMs) }
        if place != nil, key == nil { return nil }
        return PlainRedirect(
            app: snapshot.app.id, head: redirectHead,
            entry: entry(reply, outcome, client, at: place, addressKey: key, nowMs: nowMs))
    }

    /// - Parameter answer: called once, on any thread, when the click is on disk, or when the store refuses writes.
    /// - Parameter logger: called only if a line is logged.
    func record(
        _ redirect: PlainRedirect, _ logger: @escaping @Sendable () -> Logger, then answer: @escaping @Sendable () -> Void
    ) {
        guard let entry = redirect.entry else { return answer() }
        clicks.record(entry, of: redirect.app) { result in
            switch result {
            case .success: self.taking.telemetry.clicked(entry.click)
            case .failure(let error): self.lost(error, logger())
            }
            answer()
        }
    }
}

/// The client's values in a request on a brand domain.
package struct LinkClient: Hashable, Sendable {
    let visitor: LinkVisitor
    let address: ClientAddress?
    /// The same if limits count this address, else nil.
    let boundedAddress: ClientAddress?
    let userAgent: String?
    /// Two capital letters.
    let country: String?
    /// A browser requests the link before a person clicked.
    let isAhead: Bool

    fileprivate func question(_ target: String, on domain: BrandDomain) -> LinkQuestion {
        LinkQuestion(host: domain.host, target: target, visitor: visitor, isAhead: isAhead, country: country)
    }
}

extension LinkReply {
    fileprivate func tokens(for visitor: LinkVisitor) -> [DeferredToken] {
        guard case .page = form, visitor.kind == .person, let handover = link.decision.link?.handover else { return [] }
        let mayCopy = visitor.platform == .ios || visitor.platform == .ipadOrMac
        return (handover.pasteboard && mayCopy ? [.pasteboard()] : []) + (handover.code ? [.code()] : [])
    }
}

extension Click {
    fileprivate init(_ reply: LinkReply, _ outcome: Outcome, _ client: LinkClient, visitor: Int64?, nowMs: Int64) {
        self.init(
            id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: client.visitor.kind, platform: client.visitor.platform,
            host: reply.link.address.host ?? "", path: reply.path, outcome: outcome, visitor: visitor, country: client.country,
            labels: reply.labels, parameters: reply.parameters
        )
    }
}

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
    private let buttons: ButtonTapStore
    private let taking: ClickIntake
    private let visitors: VisitorNumbers
    private let addressKeys: AddressKeys
    private let storing: FirstOpenWriter
    private let time: ServerTime

    /// - Parameter storing: how long an answer waits for its click to be on disk.
    package init(
        _ links: Links, _ clicks: any ClickStore, _ buttons: ButtonTapStore, _ taking: ClickIntake, _ visitors: VisitorNumbers,
        _ addressKeys: AddressKeys, storing: FirstOpenWriter, _ time: ServerTime
    ) {
        self.storing = storing
        self.links = links
        self.clicks = clicks
        self.buttons = buttons
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
            var response = snapshot.linkPages(of: domain).otherMethod().response()
            response.headers[.allow] = "GET, HEAD"
            return response
        }
        if let file = associationFile(for: head, in: snapshot) { return file }
        let path = (head.path ?? "/").prefix { $0 != "?" }
        if let file = BrandFiles(app: snapshot.app, domain: domain).response(to: path, isWhole: isWhole) { return file }
        let pages = snapshot.linkPages(of: domain)
        let tap = head.path.flatMap { ButtonTap(target: $0) }
        let question = client.question(tap?.target ?? head.path ?? "/", on: domain)
        do {
            let nowMs = time.nowMs()
            let reply = try await links.reply(to: question, in: snapshot, nowMs: nowMs)
            if let tap, let address = address(tap, reply, on: domain, in: snapshot, for: client, nowMs: nowMs) {
                await record(tap, reply, in: snapshot, from: client, nowMs: nowMs, logger)
                return Response(status: .found, headers: RedirectHead(to: address).fields)
            }
            let tokens = reply.tokens(for: client.visitor)
            let click = try await record(reply, in: snapshot, handing: tokens, to: client, nowMs: nowMs, logger)
            let taps = click.flatMap { client.visitor.kind == .person ? ButtonTaps(clickID: $0, target: question.target) : nil }
            return response(reply, by: pages, in: language, for: client.visitor, handing: click == nil ? [] : tokens, taps)
        } catch let error as InvalidLink {
            return pages.speaking(language).refused(error, for: client.visitor).response(isWhole: isWhole)
        }
    }

    /// - Returns: nil for every other request.
    package func associationFile(for head: HTTPRequest, in snapshot: Snapshot) -> Response? {
        guard head.method == .get || head.method == .head else { return nil }
        let path = (head.path ?? "/").prefix { $0 != "?" }
        return snapshot.associationFiles.response(to: path, isWhole: head.method == .get)
    }

    private func response(
        _ reply: LinkReply, by pages: LinkPages, in language: String?, for visitor: LinkVisitor, handing tokens: [DeferredToken],
        _ taps: ButtonTaps?
    ) -> Response {
        if case .redirect(let head) = reply.form { return Response(status: .found, headers: head.fields) }
        let isWhole = visitor.kind != .head
        let pages = pages.speaking(language)
        switch reply.form {
        case .missing: return pages.missing(for: visitor).response(isWhole: isWhole)
        case .expired: return pages.expired(for: visitor).response(isWhole: isWhole)
        case .early: return pages.early(for: visitor).response(isWhole: isWhole)
        case .tooSoon: return pages.tooSoon().response(isWhole: isWhole)
        case .preview: return pages.preview(reply.link).response()
        case .redirect(let head): return Response(status: .found, headers: head.fields)
        case .page(let opening):
            return pages.open(reply.link, opening, visitor, handing: tokens, taps).response(isWhole: isWhole)
        }
    }

    /// Stores the click before the answer is sent.
    /// - Returns: the id of the stored click. Nil if no click is stored, it is only counted, or the store refuses writes just now or is
    ///   late: the visitor is redirected all the same, but gets no token.
    private func record(
        _ reply: LinkReply, in snapshot: Snapshot, handing tokens: [DeferredToken], to client: LinkClient, nowMs: Int64,
        _ logger: Logger
    ) async throws -> String? {
        guard let outcome = reply.outcome, stores(reply, from: client, nowMs: nowMs) else { return nil }
        let id = UUIDv7.make(nowMs: nowMs)
        do {
            let store: @Sendable () async throws -> Void = { [self] in
                try await visitors.prepare(nowMs: nowMs)
                let place = place(outcome, client, in: snapshot)
                let key = place == nil ? nil : try await addressKeys.prepared(nowMs: nowMs)
                let entry = entry(id, reply, outcome, client, handing: tokens, at: place, addressKey: key, nowMs: nowMs)
                try await clicks.record(entry, of: snapshot.app.id)
                taking.telemetry.clicked(entry.click)
            }
            return try await storing.outcome(of: store, time: time, afterwards: {}) != nil ? id : nil
        } catch let error as CancellationError {
            throw error
        } catch {
            lost(error, logger)
            return nil
        }
    }

    private func stores(_ reply: LinkReply, from client: LinkClient, nowMs: Int64) -> Bool {
        taking.stores(isInvented: reply.isInvented, from: client.boundedAddress, nowMs: nowMs)
    }

    private func lost(_ error: any Error, _ logger: Logger) {
        taking.telemetry.lost()
        // This happens at nearly every click of a busy day: a log line for each would fill the rest of the disk.
        if case .diskLow? = error as? DatabaseError { return taking.limitHits.hit(.disk) }
        logger.error("A click could not be stored.", metadata: ["error.text": "\(error)"])
    }

    /// The stored form of a click.
    private func entry(
        _ id: String, _ reply: LinkReply, _ outcome: Click.Outcome, _ client: LinkClient, handing tokens: [DeferredToken] = [],
        at place: AddressPlace?, addressKey: AddressKey?, nowMs: Int64
    ) -> ClickEntry {
        var visitor: Int64?
        if client.visitor.kind == .person {
            visitor = visitors.number(
                link: reply.visited, address: client.address, userAgent: client.userAgent, nowMs: nowMs)
        }
        let click = Click(id, reply, outcome, client, visitor: visitor, nowMs: nowMs)
        return ClickEntry(
            click: click, deferred: tokens.isEmpty ? [] : deferred(reply.link, tokens),
            waiting: waiting(reply, click, place, addressKey)
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

    private func waiting(_ reply: LinkReply, _ click: Click, _ place: AddressPlace?, _ key: AddressKey?) -> AddressedClick? {
        guard let place, let key, click.visitor != nil else { return nil }
        let (original, resolved) = reply.link.handedOver
        return AddressedClick(place: place, key: key, original: original, resolved: resolved)
    }
}

extension LinkRoutes {
    /// Where a button leads that a person tapped. Nil if the address is to be answered as the link: it is old, the page has no such
    /// button, or a program asks.
    private func address(
        _ tap: ButtonTap, _ reply: LinkReply, on domain: BrandDomain, in snapshot: Snapshot, for client: LinkClient, nowMs: Int64
    ) -> String? {
        guard tap.isFresh(nowMs: nowMs), client.visitor.kind == .person, reply.link.decision.isOpen else { return nil }
        return tap.address(
            LinkOpening(
                reply.link, client.visitor, snapshot.app, snapshot.linkDomains, usual: domain.ways, storePage: domain.storePage))
    }

    /// Counts the tap before the answer is sent. The person goes on in any case.
    private func record(
        _ tap: ButtonTap, _ reply: LinkReply, in snapshot: Snapshot, from client: LinkClient, nowMs: Int64, _ logger: Logger
    ) async {
        guard stores(reply, from: client, nowMs: nowMs) else { return }
        do {
            let isNew = try await buttons.record(
                tap, host: reply.link.address.host ?? "", path: reply.path, of: snapshot.app.id, nowMs: nowMs)
            if isNew { taking.telemetry.tapped(tap.button) }
        } catch {
            lost(error, logger)
        }
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
        guard ButtonTap(target: target) == nil, visitors.isPrepared(nowMs: nowMs),
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
            entry: entry(UUIDv7.make(nowMs: nowMs), reply, outcome, client, at: place, addressKey: key, nowMs: nowMs))
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
    /// With the browser and the language see ``ClickContext``.
    let referrer: String?
    let browser: String?
    let language: String?

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
    fileprivate init(_ id: String, _ reply: LinkReply, _ outcome: Outcome, _ client: LinkClient, visitor: Int64?, nowMs: Int64) {
        let host = reply.link.address.host ?? ""
        self.init(
            id: id, atMs: nowMs, kind: client.visitor.kind, platform: client.visitor.platform, host: host, path: reply.path,
            outcome: outcome, visitor: visitor, country: client.country, labels: reply.labels, parameters: reply.parameters,
            context: ClickContext(
                // A link's own page is no other place.
                referrer: client.referrer == host ? nil : client.referrer, browser: client.browser, language: client.language,
                productPage: reply.productPage))
    }
}

// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallDatabase
import LandfallWire
import Logging

/// Everything that a brand domain answers: association files, links, and pages that help.
struct LinkRoutes: Sendable {
    private let services: Services
    private let files: AssociationFiles
    private let pages: LinkPages

    init(services: Services) {
        self.services = services
        files = AssociationFiles(services.snapshot.app)
        pages = LinkPages(services.snapshot.app, services.snapshot.linkDomains)
    }

    /// - Throws: `CancellationError`, and what the store throws on reading.
    func respond(to request: Request, on domain: BrandDomain, for client: LinkClient, _ logger: Logger) async throws -> Response
    {
        let isWhole = request.method != .head
        guard request.method == .get || request.method == .head else {
            var response = pages.otherMethod().response()
            response.headers[.allow] = "GET, HEAD"
            return response
        }
        let target = request.head.path ?? "/"
        if let file = files.response(to: target.prefix { $0 != "?" }, isWhole: isWhole) { return file }
        do {
            // Browsers encode what is not ASCII; what is left as it came may be read in two ways.
            guard target.hasPrefix("/"), target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw InvalidLink(.forbiddenCharacter)
            }
            let address = try LinkAddress("https://\(domain.host)\(target)")
            let nowMs = services.time.nowMs()
            guard let link = try await services.links.follow(address, nowMs: nowMs) else {
                return pages.missing().response(isWhole: isWhole)
            }
            return try await answer(link, to: client, nowMs: nowMs, logger)
        } catch let error as InvalidLink {
            return pages.refused(error).response(isWhole: isWhole)
        }
    }

    private func answer(
        _ link: FollowedLink, to client: LinkClient, nowMs: Int64, _ logger: Logger
    ) async throws -> Response {
        let visitor = client.visitor
        let isWhole = visitor.kind != .head
        switch link.decision {
        case .reserved, .notFound: return pages.missing().response(isWhole: isWhole)
        case .expired:
            _ = try await record(link, .expired, client, handing: [], nowMs: nowMs, logger)
            return pages.expired().response(isWhole: isWhole)
        case .stored, .ownPath, .tracked: break
        }
        if client.isAhead {
            // Kept for later, the answer would be a click that nobody counts.
            _ = try await record(link, .page, client, handing: [], nowMs: nowMs, logger)
            return pages.tooSoon().response(isWhole: isWhole)
        }
        let snapshot = services.snapshot
        let opening = LinkOpening(link, visitor, snapshot.app, snapshot.linkDomains)
        guard visitor.kind == .person || visitor.kind == .head else {
            _ = try await record(link, .page, client, handing: [], nowMs: nowMs, logger)
            return pages.preview(link).response()
        }
        switch opening.outcome {
        case .store(let address), .web(let address):
            let outcome: Click.Outcome = if case .store = opening.outcome { .store } else { .web }
            _ = try await record(link, outcome, client, handing: [], nowMs: nowMs, logger)
            var headers = LinkPage.securityHeaders
            headers[.location] = address.asciiOnly
            return Response(status: .found, headers: headers)
        case .page:
            let tokens = visitor.kind == .person ? Self.tokens(for: link, visitor) : []
            let isKept = try await record(link, .page, client, handing: tokens, nowMs: nowMs, logger)
            return pages.open(link, opening, visitor, handing: isKept ? tokens : []).response(isWhole: isWhole)
        }
    }

    private static func tokens(for link: FollowedLink, _ visitor: LinkVisitor) -> [DeferredToken] {
        guard let handover = link.decision.link?.handover else { return [] }
        return (handover.pasteboard && visitor.platform == .ios ? [.pasteboard()] : []) + (handover.code ? [.code()] : [])
    }

    /// Stores the click before the answer goes out.
    /// - Returns: false where the store refuses writes just now: a person is sent on all the same, and nothing is handed over.
    private func record(
        _ link: FollowedLink, _ outcome: Click.Outcome, _ client: LinkClient, handing tokens: [DeferredToken], nowMs: Int64,
        _ logger: Logger
    ) async throws -> Bool {
        do {
            var visitor: Int64?
            if client.visitor.kind == .person {
                visitor = try await services.visitors.number(
                    link: "\(services.snapshot.app.id)\n\(link.address.host ?? "")\(link.path)", address: client.address,
                    userAgent: client.userAgent, nowMs: nowMs
                )
            }
            let click = Click(link, outcome, client, visitor: visitor, nowMs: nowMs)
            let deferred = tokens.map { DeferredClick(token: $0, original: link.address.text, resolved: link.resolved) }
            try await services.clicks.record(
                click, handing: deferred, waiting: waiting(link, click, client), of: services.snapshot.app.id)
            services.telemetry.links.clicked(click)
            return true
        } catch let error as DatabaseError {
            services.telemetry.links.lost()
            logger.error("A click could not be stored.", metadata: ["error.text": "\(error)"])
            return false
        }
    }

    /// What an install may find by address: only a person's click, on iOS, and only where the team wants it.
    private func waiting(_ link: FollowedLink, _ click: Click, _ client: LinkClient) -> AddressedClick? {
        guard click.kind == .person, click.platform == .ios, click.outcome != .expired, !client.isAhead,
            let place = AddressPlace(client.address, services.snapshot.addressMatching)
        else { return nil }
        return AddressedClick(place: place, original: link.address.text, resolved: link.resolved)
    }
}

/// What a request on a brand domain says of its sender.
struct LinkClient: Hashable, Sendable {
    let visitor: LinkVisitor
    let address: ClientAddress?
    let userAgent: String?
    /// Two capitals.
    let country: String?
    /// A browser asks before anybody clicked.
    let isAhead: Bool
}

extension Click {
    fileprivate init(_ link: FollowedLink, _ outcome: Outcome, _ client: LinkClient, visitor: Int64?, nowMs: Int64) {
        self.init(
            id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: client.visitor.kind, platform: client.visitor.platform,
            host: link.address.host ?? "", path: link.path, outcome: outcome, visitor: visitor, country: client.country,
            labels: link.labels, parameters: link.parameters.others
        )
    }
}

extension String {
    /// For a header field: everything else percent-encoded.
    var asciiOnly: String {
        if utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return self }
        return unicodeScalars.map { scalar in
            (0x21...0x7E).contains(scalar.value) ? String(scalar) : LinkPlaces.escaped(String(scalar))
        }.joined()
    }
}

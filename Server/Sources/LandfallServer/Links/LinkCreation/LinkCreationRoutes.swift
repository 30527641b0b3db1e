// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire

/// `/v1/links`: a backend makes, lists and removes links with its server key.
package struct LinkCreationRoutes: Sendable {
    static let bodyLimit = RequestForm.mostAwaited
    static let pageLength = 100
    static let longestPage = 1_000
    package let links: Links
    package let time: ServerTime

    package init(links: Links, time: ServerTime) {
        (self.links, self.time) = (links, time)
    }

    /// `POST`: makes up to 5,000 links. Each has its own result, in order.
    @Sendable package func make(_ request: Request, context: AppContext) async throws -> Answer<Made> {
        let asked = try await request.decoded(as: KnownFields<NewLinks>.self, upTo: Self.bodyLimit).value.links
        guard (1...LinkCreation.most).contains(asked.count) else {
            throw RequestError.invalid("links", "1 to \(LinkCreation.most) in one call.")
        }
        let caller = try context.requireCaller()
        let making = LinkCreation(
            links: links, snapshot: context.snapshot, noting: { caller.line(.linkMade, AuditLine.subject(of: $0)) })
        let outcomes = try await making.make(asked, nowMs: time.nowMs())
        return Answer(Made(links: outcomes.map(Made.Link.init)))
    }

    /// `GET`: the stored links in the order of their addresses, one page at a time.
    @Sendable package func list(_ request: Request, context: AppContext) async throws -> Answer<Page> {
        let query = request.uri.queryParameters
        let limit = try query["limit"].map { text in
            guard let limit = Int(text), (1...Self.longestPage).contains(limit) else {
                throw RequestError.invalid("limit", "a number from 1 to \(Self.longestPage).")
            }
            return limit
        }
        let after = try query["after"].map { try Self.place(String($0), "after") }
        let page = try await links.store.links(
            try context.requireCaller().app, after: after, limit: limit ?? Self.pageLength
        )
        let isLast = page.count < limit ?? Self.pageLength
        return Answer(Page(links: page.map(Page.Link.init), next: isLast ? nil : page.last?.address))
    }

    /// `DELETE ?url=`: from now on the link leads nowhere. Repeating it is not an error; a link in the file is.
    @Sendable package func remove(_ request: Request, context: AppContext) async throws -> Answer<Removed> {
        guard let text = request.uri.queryParameters["url"] else { throw RequestError.invalid("url", "the link's address.") }
        let place = try Self.place(String(text), "url")
        guard context.snapshot.link(host: place.host, path: place.path) == nil else {
            throw RequestError(.linkTaken, "This link is in landfall.yaml. Remove it there.")
        }
        let app = context.snapshot.app.id, nowMs = time.nowMs()
        let line = try context.requireCaller().line(.linkRemoved, "https://\(place.host)\(place.path.text)")
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return Answer(Removed(removed: try await links.store.remove(app, host: place.host, path: place.path, noting: entry)))
    }

    private static func place(_ text: String, _ field: String) throws -> LinkPlace {
        guard let address = try? LinkAddress(text), let host = address.host, let path = try? LinkPath(address) else {
            throw RequestError.invalid(field, "the address of a link, such as https://links.example.com/beach.")
        }
        return LinkPlace(host: host, path: path)
    }
}

extension LinkCreationRoutes {
    struct NewLinks: Codable, NamesItsFields {
        static let fields: [String: KnownField] = ["links": .list(NewLink.fields)]
        let links: [NewLink]
    }

    package struct Made: Codable {
        struct Link: Codable {
            /// Absent if it was refused.
            var url: String?
            /// `made`, `unchanged` or `refused`.
            let status: String
            var error: Problem?

            init(_ outcome: LinkCreation.Outcome) {
                switch outcome {
                case .made(let link): (url, status) = (link.address, "made")
                case .unchanged(let link): (url, status) = (link.address, "unchanged")
                case .refused(let refusal):
                    status = "refused"
                    error = Problem(code: refusal.code, message: refusal.description, field: refusal.field)
                }
            }
        }
        struct Problem: Codable {
            let code: ErrorCode
            let message: String
            /// The field of the link that is refused; absent if it is none in particular.
            var field: String?
        }
        let links: [Link]
    }

    package struct Page: Codable {
        struct Link: Codable {
            let url: String
            let to: String
            let campaign: String?
            let expiresAtMilliseconds: Int64?

            init(_ link: StoredLink) {
                (url, to) = (link.address, link.destination)
                (campaign, expiresAtMilliseconds) = (link.labels.campaign, link.expiresAtMs)
            }
        }
        let links: [Link]
        /// The value of `after` for the next page; absent on the last page.
        let next: String?
    }

    package struct Removed: Codable { let removed: Bool }
}

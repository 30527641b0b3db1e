// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire

/// `/v1/links`: a backend makes links with its server key, and removes one by its address.
package struct LinkCreationRoutes: Sendable {
    static let bodyLimit = RequestForm.mostAwaited
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

    /// `DELETE ?url=`: from now on the link leads nowhere. Repeating it is not an error; a link in the file is.
    @Sendable package func remove(_ request: Request, context: AppContext) async throws -> Answer<Removed> {
        guard let place = request.uri.queryParameters["url"].flatMap({ LinkPlace(url: String($0)) }) else {
            throw RequestError.invalid("url", "the address of a link, such as https://links.example.com/beach.")
        }
        guard context.snapshot.link(host: place.host, path: place.path) == nil else {
            throw RequestError(.linkTaken, "This link is in landfall.yaml. Remove it there.")
        }
        let app = context.snapshot.app.id, nowMs = time.nowMs()
        let line = try context.requireCaller().line(.linkRemoved, place.url)
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return Answer(Removed(removed: try await links.store.remove(app, host: place.host, path: place.path, noting: entry)))
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

    package struct Removed: Codable { let removed: Bool }
}

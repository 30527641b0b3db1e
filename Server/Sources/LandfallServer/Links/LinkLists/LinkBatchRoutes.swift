// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallWire

/// `PATCH /v1/links`: changes up to 100 stored links in one transaction. Each has its own result; a refused change does not affect the
/// others.
package struct LinkBatchRoutes: Sendable {
    let links: Links
    let time: ServerTime

    package init(links: Links, time: ServerTime) {
        (self.links, self.time) = (links, time)
    }

    /// In each element `url` names the link, `etag` may name its state, and the other members are those of a change.
    private struct Changes: Decodable { let links: [[String: JSONValue]] }

    package struct Changed: Codable {
        struct Link: Codable {
            let url: String
            /// `changed`, `unchanged` or `refused`.
            var status = "refused"
            /// Absent if it was refused.
            var etag: String?
            var error: LinkCreationRoutes.Made.Problem?
        }
        let links: [Link]
    }

    @Sendable package func change(_ request: Request, context: AppContext) async throws -> Answer<Changed> {
        let asked = try await request.decoded(as: Changes.self, upTo: LinkCreationRoutes.bodyLimit).links
        guard (1...LinkStore.largestUnit).contains(asked.count) else {
            throw RequestError.invalid("links", "1 to \(LinkStore.largestUnit) in one call.")
        }
        let places = try asked.enumerated().map { index, fields -> LinkPlace in
            guard case .string(let url)? = fields["url"], let place = LinkPlace(url: url) else {
                throw RequestError.invalid("links[\(index)].url", "the address of a link, such as https://links.example.com/beach.")
            }
            return place
        }
        guard Set(places).count == places.count else { throw RequestError.invalid("links", "each link once.") }

        let caller = try context.requireCaller(), nowMs = time.nowMs()
        var results = places.map { Changed.Link(url: $0.url) }
        var changes: [(index: Int, change: LinkStore.Change)] = []
        let stored = try await links.store.links(caller.app, at: places)
        for (index, old) in stored.enumerated() {
            do {
                let change = try await change(asked[index], of: old, at: places[index], context, nowMs: nowMs)
                (results[index].status, results[index].etag) = ("unchanged", try change.new.mark())
                if change.new != change.old { changes.append((index, change)) }
            } catch let error as RequestError {
                results[index].error = .init(code: error.code, message: error.message)
            } catch let error as LinkRefusal {
                results[index].error = .init(code: error.code, message: error.description, field: error.field)
            }
        }
        let isChanged = try await links.store.change(
            changes.map(\.change), of: caller.app, noting: { caller.line(.linkChanged, AuditLine.subject(of: [$0])) }, nowMs: nowMs)
        for ((index, _), isChanged) in zip(changes, isChanged) {
            results[index].status = isChanged ? "changed" : "refused"
            guard !isChanged else { continue }
            results[index].etag = nil
            results[index].error = .init(code: RequestError.linkStale.code, message: RequestError.linkStale.message)
        }
        return Answer(Changed(links: results))
    }

    private func change(
        _ fields: [String: JSONValue], of old: StoredLink?, at place: LinkPlace, _ context: AppContext, nowMs: Int64
    ) async throws -> LinkStore.Change {
        guard context.snapshot.link(host: place.host, path: place.path) == nil else { throw RequestError.linkInFile }
        guard let old else { throw RequestError.noLink }
        if let etag = fields["etag"], etag != .string(try old.mark()) { throw RequestError.linkStale }
        let newLink = try LinkPatch(fields: fields).applied(to: old)
        let making = LinkCreation(links: links, snapshot: context.snapshot)
        return LinkStore.Change(old: old, new: try await making.changedOrEnded(old, to: newLink, nowMs: nowMs))
    }
}

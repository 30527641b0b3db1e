// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire

/// `/v1/links/{domain}/{suffix}`: reads, changes and removes one link.
package struct OneLinkRoutes: Sendable {
    /// A suffix may have several segments.
    package static let path = "/v1/links/{domain}/**"
    static let bodyLimit = 256 * 1024

    let links: Links
    let time: ServerTime

    package init(links: Links, time: ServerTime) {
        (self.links, self.time) = (links, time)
    }

    /// `GET`: also a link of the configuration.
    @Sendable package func show(_ request: Request, context: AppContext) async throws -> Response {
        let place = try Self.place(request)
        if let link = context.snapshot.link(host: place.host, path: place.path) {
            return try answer(.init(link: link, isInFile: true), request, context)
        }
        return try answer(.init(link: try await stored(place, context), isInFile: false), request, context)
    }

    /// `PATCH`, with `If-Match`: changes the fields that the body has. The address stays.
    @Sendable package func change(_ request: Request, context: AppContext) async throws -> Response {
        let place = try Self.place(request)
        try Self.requireOutsideFile(place, context)
        let old = try await stored(place, context), nowMs = time.nowMs()
        guard let wanted = IfMatch(request) else { throw RequestError.ifMatchMissing }
        guard wanted.matches(try old.mark()) else { throw RequestError.linkStale }
        let newLink = try LinkPatch(try await request.decoded(as: JSONValue.self, upTo: Self.bodyLimit)).applied(to: old)
        let new = try await LinkCreation(links: links, snapshot: context.snapshot).changedOrEnded(old, to: newLink, nowMs: nowMs)
        guard new != old else { return try answer(.init(link: old, isInFile: false), request, context) }
        let caller = try context.requireCaller()
        let isChanged = try await links.store.change(
            [LinkStore.Change(old: old, new: new)], of: caller.app,
            noting: { caller.line(.linkChanged, AuditLine.subject(of: [$0])) }, nowMs: nowMs)
        guard isChanged == [true] else { throw RequestError.linkStale }
        return try answer(.init(link: new, isInFile: false), request, context)
    }

    /// `DELETE`: from now on the link leads nowhere. With `If-Match` only as it was read; without, repeating it is not an error.
    @Sendable package func remove(_ request: Request, context: AppContext) async throws -> Answer<LinkCreationRoutes.Removed> {
        let place = try Self.place(request)
        try Self.requireOutsideFile(place, context)
        let caller = try context.requireCaller(), nowMs = time.nowMs()
        var read: StoredLink?
        let wanted = IfMatch(request)
        if let wanted {
            read = try await links.store.link(caller.app, host: place.host, path: place.path)
            guard let read, wanted.matches(try read.mark()) else { throw RequestError.linkStale }
        }
        let line = caller.line(.linkRemoved, place.url)
        let entry = line.insertion(into: caller.app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        let removed = try await links.store.remove(caller.app, host: place.host, path: place.path, ifStill: read, noting: entry)
        guard removed || wanted == nil else { throw RequestError.linkStale }
        return Answer(LinkCreationRoutes.Removed(removed: removed))
    }

    private func stored(_ place: LinkPlace, _ context: AppContext) async throws -> StoredLink {
        let link = try await links.store.link(try context.requireCaller().app, host: place.host, path: place.path)
        guard let link else { throw RequestError.noLink }
        return link
    }

    private func answer(_ entry: LinkList.Page.Entry, _ request: Request, _ context: AppContext) throws -> Response {
        let document = try LinkDocument(entry, nowMs: time.nowMs())
        var response = try Answer(document).response(from: request, context: context)
        response.headers[.eTag] = "\"\(document.etag)\""
        return response
    }

    /// The place in the path of the call. Clients that take the suffix for one segment write its slashes as `%2F`.
    private static func place(_ request: Request) throws -> LinkPlace {
        let written = request.uri.path.dropFirst("/v1/links/".count).replacing("%2F", with: "/").replacing("%2f", with: "/")
        guard let place = LinkPlace(url: "https://" + written), place.path.text != "/" else { throw RequestError.noLink }
        return place
    }

    private static func requireOutsideFile(_ place: LinkPlace, _ context: AppContext) throws {
        guard context.snapshot.link(host: place.host, path: place.path) == nil else { throw RequestError.linkInFile }
    }
}

extension LinkCreation {
    /// A stored link with the values of a new link. A link that could not be made any more can still be archived.
    func changedOrEnded(_ old: StoredLink, to newLink: NewLink, nowMs: Int64) async throws -> StoredLink {
        var ended = old
        ended.expiresAtMs = newLink.expiresAtMilliseconds
        if NewLink(ended) == newLink, ended.isExpired(nowMs: nowMs) { return ended }
        return try await changed(old, to: newLink, nowMs: nowMs).get()
    }
}

extension RequestError {
    static let noLink = RequestError(.notFound, "No link is at this address. GET /v1/links lists those that are stored.")
    static let linkStale = RequestError(
        .linkStale, "The link is no longer in the state that the call is about: it was changed or removed in between. Read it again, then decide.")
    static let linkInFile = RequestError(.linkTaken, "This link is in landfall.yaml. Change or remove it there.")
    fileprivate static let ifMatchMissing = RequestError(
        .preconditionRequired, "A change needs 'If-Match' with the link's ETag, or * for any state. GET of the same path has the ETag.")
}

extension ErrorCode {
    /// The link is no longer as the call says with `If-Match`.
    static let linkStale = ErrorCode("link_stale")
    /// The call has to say with `If-Match` what it is about.
    static let preconditionRequired = ErrorCode("precondition_required")
}

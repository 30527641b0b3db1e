// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
package import LandfallWire

/// The links of the configuration and of the store together.
package struct Links: Sendable {
    package let store: LinkStore
    let memory = LinkCache()
    /// Asked about links of old domains that the store does not have; nil asks nobody.
    var resolver: (any LinkResolver)?

    package init(store: LinkStore, resolver: (any LinkResolver)? = nil) {
        self.store = store
        self.resolver = resolver
    }

    /// Decides what kind of link a brand domain's address is, for the app.
    /// - Parameter country: of the phone, for links that lead elsewhere by country; nil is not known.
    /// - Returns: nil if the host is not a brand domain: then there is nothing to resolve.
    /// - Throws: ``InvalidLink`` if the link must not be followed; what the store throws.
    package func follow(
        _ address: LinkAddress, in snapshot: Snapshot, country: String? = nil, nowMs: Int64
    ) async throws -> FollowedLink? {
        guard let place = try place(of: address, in: snapshot) else { return nil }
        let stored = try await link(at: place, in: snapshot, nowMs: nowMs).link?.routed(country: country, on: .ios)
        return try follow(address, at: stored?.place ?? place, stored: stored, in: snapshot, nowMs: nowMs)
    }

    /// The link at this place: the configuration's, else the store's. Where a domain ignores case, and no link has exactly this path, it
    /// is the one that was written with small letters.
    func link(
        at place: LinkPlace, in snapshot: Snapshot, nowMs: Int64
    ) async throws -> (link: StoredLink?, times: Range<Int64>) {
        let exact = try await exactLink(at: place, in: snapshot, nowMs: nowMs)
        guard exact.link == nil, let written = written(place, in: snapshot) else { return exact }
        let found = try await exactLink(at: written, in: snapshot, nowMs: nowMs)
        return (found.link, found.times.clamped(to: exact.times))
    }

    /// Nil if it is the same place, or another case is another link.
    private func written(_ place: LinkPlace, in snapshot: Snapshot) -> LinkPlace? {
        guard let domain = snapshot.brandDomain(place.host), domain.ignoresCase else { return nil }
        let path = domain.written(place.path)
        return path == place.path ? nil : LinkPlace(host: place.host, path: path)
    }

    private func exactLink(
        at place: LinkPlace, in snapshot: Snapshot, nowMs: Int64
    ) async throws -> (link: StoredLink?, times: Range<Int64>) {
        if let known = exactKnownLink(at: place, in: snapshot, nowMs: nowMs) { return known }
        let mark = memory.mark
        let link = try await store.link(snapshot.app.id, host: place.host, path: place.path)
        memory.remember(link, at: place, readAtMs: nowMs, mark)
        return (link, nowMs..<nowMs + LinkCache.lifeMs)
    }

    /// The same as ``link(at:in:nowMs:)`` without reading the store; nil if the store has to be read.
    private func knownLink(
        at place: LinkPlace, in snapshot: Snapshot, nowMs: Int64
    ) -> (link: StoredLink?, times: Range<Int64>)? {
        guard let exact = exactKnownLink(at: place, in: snapshot, nowMs: nowMs) else { return nil }
        guard exact.link == nil, let written = written(place, in: snapshot) else { return exact }
        return exactKnownLink(at: written, in: snapshot, nowMs: nowMs).map { ($0.link, $0.times.clamped(to: exact.times)) }
    }

    private func exactKnownLink(
        at place: LinkPlace, in snapshot: Snapshot, nowMs: Int64
    ) -> (link: StoredLink?, times: Range<Int64>)? {
        if place.path.isReserved { return (nil, .min ..< .max) }
        if let link = snapshot.link(host: place.host, path: place.path) { return (link, .min ..< .max) }
        return memory.link(at: place, nowMs: nowMs)
    }

    private func place(of address: LinkAddress, in snapshot: Snapshot) throws(InvalidLink) -> LinkPlace? {
        guard let host = address.host, let domain = snapshot.brandDomain(host) else { return nil }
        return LinkPlace(host: domain.host, path: try LinkPath(address))
    }

    private func follow(
        _ address: LinkAddress, at place: LinkPlace, stored: StoredLink?, in snapshot: Snapshot, nowMs: Int64
    ) throws(InvalidLink) -> FollowedLink {
        let decision = LinkDecision(
            address, path: place.path, stored: stored, patterns: snapshot.brandDomain(place.host)?.paths ?? [],
            parameters: try LinkParameters(address), nowMs: nowMs
        )
        return try FollowedLink(address, path: place.path, decision: decision, domains: snapshot.linkDomains)
    }
}

extension Links {
    /// The answer to a browser that follows a link.
    /// - Throws: ``InvalidLink`` if the link is not safe to follow; what the store throws.
    package func reply(to question: LinkQuestion, in snapshot: Snapshot, nowMs: Int64) async throws -> LinkReply {
        if let reply = try replyAtOnce(to: question, in: snapshot, nowMs: nowMs) { return reply }
        let mark = memory.mark
        let (address, place) = try read(question, in: snapshot)
        let link = try await link(at: place, in: snapshot, nowMs: nowMs)
        return try reply(to: question, address, place, link, in: snapshot, nowMs: nowMs, mark)
    }

    /// The same without reading the store; nil if the store has to be read.
    func replyAtOnce(to question: LinkQuestion, in snapshot: Snapshot, nowMs: Int64) throws(InvalidLink) -> LinkReply? {
        if let reply = memory.reply(to: question, revision: snapshot.revision, nowMs: nowMs) { return reply }
        let mark = memory.mark
        let (address, place) = try read(question, in: snapshot)
        guard let link = knownLink(at: place, in: snapshot, nowMs: nowMs) else { return nil }
        return try reply(to: question, address, place, link, in: snapshot, nowMs: nowMs, mark)
    }

    private func read(_ question: LinkQuestion, in snapshot: Snapshot) throws(InvalidLink) -> (LinkAddress, LinkPlace) {
        // Browsers encode characters outside ASCII; a target with raw ones could be read in two ways.
        guard question.target.hasPrefix("/"), question.target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw InvalidLink(.forbiddenCharacter)
        }
        let address = try LinkAddress("https://\(question.host)\(question.target)")
        guard let place = try place(of: address, in: snapshot) else { throw InvalidLink(.foreign) }
        return (address, place)
    }

    private func reply(
        to question: LinkQuestion, _ address: LinkAddress, _ place: LinkPlace,
        _ known: (link: StoredLink?, times: Range<Int64>), in snapshot: Snapshot, nowMs: Int64, _ mark: LinkCache.Mark
    ) throws(InvalidLink) -> LinkReply {
        let reply = try decided(question, address, place, known, in: snapshot, nowMs: nowMs)
        memory.remember(reply, to: question, revision: snapshot.revision, mark)
        return reply
    }

    private func decided(
        _ question: LinkQuestion, _ address: LinkAddress, _ place: LinkPlace,
        _ known: (link: StoredLink?, times: Range<Int64>), in snapshot: Snapshot, nowMs: Int64
    ) throws(InvalidLink) -> LinkReply {
        let link = known.link?.routed(country: question.country, on: question.visitor.platform)
        let followed = try follow(address, at: link?.place ?? place, stored: link, in: snapshot, nowMs: nowMs)
        let domain = snapshot.brandDomain(place.host)
        return LinkReply(
            followed, to: question, snapshot.app, snapshot.linkDomains,
            usual: domain?.ways ?? PlatformWays(), storePage: domain?.storePage ?? StorePage(), times: known.times)
    }
}

/// A link that need not be stored, such as one that somebody is writing: nothing is read, and nothing is remembered.
extension Links {
    /// What ``reply(to:in:nowMs:)`` says while this link is at the place of the question.
    package func reply(
        to question: LinkQuestion, with link: StoredLink, in snapshot: Snapshot, nowMs: Int64
    ) throws(InvalidLink) -> LinkReply {
        let (address, place) = try read(question, in: snapshot)
        return try decided(question, address, place, (link, .min ..< .max), in: snapshot, nowMs: nowMs)
    }

    /// What the app gets of the link's own address; nil for a link of an old domain.
    package func follow(_ link: StoredLink, in snapshot: Snapshot, nowMs: Int64) throws(InvalidLink) -> FollowedLink? {
        let address = try LinkAddress(link.address)
        guard let place = try place(of: address, in: snapshot) else { return nil }
        return try follow(address, at: place, stored: link.routed(country: nil, on: .ios), in: snapshot, nowMs: nowMs)
    }
}

extension Links {
    /// What the store's changes name is read again.
    func hear(_ news: StoreNews) {
        guard case .changed(let changes) = news else { return memory.forgetAll() }
        memory.forget(Set(changes.lazy.filter { $0.kind == .link }.map { LinkPlace(address: $0.subject) }))
    }
}

// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Makes links. A random code that is taken is drawn again without telling the caller. A chosen suffix is refused if a
/// different link has it, and reported as unchanged if the same link has it.
package struct LinkCreation: Sendable {
    /// The most links in one call.
    package static let most = 5_000
    /// There are 58^8 codes: a second draw is rare, and a fourth means that something else is wrong.
    private static let mostDraws = 8
    package static let codeLength = 8

    package let links: Links
    package let snapshot: Snapshot
    /// Draws a code of 8 characters, about 47 bits; injected so that a test can cause collisions.
    var drawCode: @Sendable () -> String
    /// A code that was drawn for a form before: the first new link gets it, if it has no suffix and nobody is there.
    package var drawn: String?
    /// The line of the audit log about links that are made; it is written in their transaction.
    package var noting: (@Sendable ([StoredLink]) -> AuditLine)?

    package init(
        links: Links, snapshot: Snapshot,
        drawCode: @escaping @Sendable () -> String = { RandomText.draw(LinkCreation.codeLength, of: RandomText.base58) },
        noting: (@Sendable ([StoredLink]) -> AuditLine)? = nil
    ) {
        (self.links, self.snapshot, self.drawCode, self.noting) = (links, snapshot, drawCode, noting)
    }

    /// The result of one new link.
    package enum Outcome: Hashable, Sendable {
        case made(StoredLink)
        /// The same link existed before.
        case unchanged(StoredLink)
        case refused(LinkRefusal)
    }

    /// - Returns: an outcome for each new link, in order; a refused new link does not affect the others. Made links are on disk.
    /// - Throws: what the store throws; then nothing of this round is stored.
    package func make(_ newLinks: [NewLink], nowMs: Int64) async throws -> [Outcome] {
        var outcomes: [Outcome?] = newLinks.map { _ in nil }
        var open = Array(newLinks.indices)
        for round in 0..<Self.mostDraws where !open.isEmpty {
            let drafts = try await drafts(of: open, newLinks, &outcomes, isFirst: round == 0, nowMs: nowMs)
            open = try await store(drafts, newLinks, &outcomes, nowMs: nowMs)
        }
        return outcomes.map { $0 ?? .refused(.taken("No free code was found. Try again.")) }
    }

    /// What ``make(_:nowMs:)`` would do at this moment; stores nothing. The code of a link without a suffix is drawn again later.
    package func check(_ newLinks: [NewLink], nowMs: Int64) async throws -> [Outcome] {
        var outcomes: [Outcome?] = newLinks.map { _ in nil }
        let drafts = try await drafts(of: Array(newLinks.indices), newLinks, &outcomes, isFirst: true, nowMs: nowMs)
        let there = try await links.store.links(snapshot.app.id, at: drafts.map(\.link.place))
        var made: [LinkPlace: StoredLink] = [:]
        for (draft, stored) in zip(drafts, there) {
            let place = draft.link.place
            if newLinks[draft.index].suffix != nil, let other = stored ?? made[place] {
                outcomes[draft.index] = Self.outcome(of: draft.link, against: other)
            } else {
                made[place] = draft.link
                outcomes[draft.index] = .made(draft.link)
            }
        }
        return outcomes.map { $0 ?? .refused(.taken("No free code was found. Try again.")) }
    }

    /// The links of the new links that no rule refuses and the configuration does not have; the others get their outcome.
    /// - Parameter isFirst: no code was refused before.
    private func drafts(
        of open: [Int], _ newLinks: [NewLink], _ outcomes: inout [Outcome?], isFirst: Bool, nowMs: Int64
    ) async throws -> [(index: Int, link: StoredLink)] {
        var drafts: [(index: Int, link: StoredLink)] = []
        for index in open {
            do throws(LinkRefusal) {
                let own = isFirst && index == 0 ? drawn.flatMap { isCode($0) ? $0 : nil } : nil
                let link = try newLinks[index].link(in: snapshot, code: own ?? code())
                if let configured = snapshot.link(host: link.host, path: link.path) {
                    outcomes[index] = Self.outcome(of: link, against: configured)
                } else {
                    drafts.append((index, link))
                }
            } catch {
                outcomes[index] = .refused(error)
            }
        }
        let places = Set(drafts.map(\.link.place))
        for draft in drafts {
            guard let refusal = try await refusal(of: draft.link, besides: places, nowMs: nowMs) else { continue }
            outcomes[draft.index] = .refused(refusal)
        }
        return drafts.filter { outcomes[$0.index] == nil }
    }

    /// A fresh code. Where written suffixes match without case it has a capital, so that no other spelling leads to it.
    package func code() -> String {
        var code = drawCode()
        for _ in 1..<Self.mostDraws where !hasOneSpelling(code) { code = drawCode() }
        return code
    }

    private func hasOneSpelling(_ code: String) -> Bool {
        !snapshot.configuration.domains.brand.contains(where: \.ignoresCase) || code.utf8.contains { (65...90).contains($0) }
    }

    private func isCode(_ text: String) -> Bool {
        text.utf8.count == Self.codeLength && text.utf8.allSatisfy { RandomText.base58.contains($0) } && hasOneSpelling(text)
    }

    /// Why a stored link cannot be changed to this; nil if it can.
    package func refusal(ofChanged link: StoredLink, nowMs: Int64) async throws -> LinkRefusal? {
        do throws(LinkRefusal) { _ = try NewLink(link).link(in: snapshot, code: "") } catch { return error }
        return try await refusal(of: link, nowMs: nowMs)
    }

    /// A stored link with the values of a new link at the same address, by the rules for new links. Values that no new link has stay.
    package func changed(_ old: StoredLink, to newLink: NewLink, nowMs: Int64) async throws -> Result<StoredLink, LinkRefusal> {
        var link: StoredLink
        do throws(LinkRefusal) { link = try newLink.link(in: snapshot, code: "") } catch { return .failure(error) }
        link.labels.tracker = old.labels.tracker
        if let refusal = try await refusal(of: link, nowMs: nowMs) { return .failure(refusal) }
        return .success(link)
    }

    /// Checks a destination on a brand domain, because a mistake would show only at a tap. A link must not lead to a link,
    /// but an old link may lead to a link of ours, which must exist.
    /// - Parameter places: of the links that are made in the same call.
    private func refusal(of link: StoredLink, besides places: Set<LinkPlace> = [], nowMs: Int64) async throws -> LinkRefusal? {
        let isOld = snapshot.oldDomain(link.host) != nil
        let address = isOld ? try? LinkAddress(link.destination) : LinkRules.target(of: link.destination, in: snapshot.linkDomains)
        guard let target = address else { return nil }
        let followed: FollowedLink
        do {
            guard let found = try await links.follow(target, in: snapshot, nowMs: nowMs) else { return nil }
            followed = found
        } catch let error as InvalidLink {
            return LinkRefusal.invalid("'to' cannot be followed. \(error)").at("to")
        }
        if isOld {
            guard !followed.decision.isOpen else { return nil }
            return LinkRefusal.invalid("'to' is '\(link.destination.shortened)', and no link is there. Make it first.").at("to")
        }
        if followed.place != link.place, places.contains(followed.place) {
            return LinkRefusal.toLink(
                "'to' cannot be '\(link.destination.shortened)': another link of this call is there. Write where that one leads."
            ).at("to")
        }
        return LinkRules.refusal(leading: link.place, to: target, at: followed.place, followed.decision)
    }

    /// - Returns: the new links whose random code was taken.
    private func store(
        _ drafts: [(index: Int, link: StoredLink)], _ newLinks: [NewLink], _ outcomes: inout [Outcome?], nowMs: Int64
    ) async throws -> [Int] {
        guard !drafts.isEmpty else { return [] }
        let added = try await links.store.add(drafts.map(\.link), to: snapshot.app.id, noting: noting, nowMs: nowMs)
        var open: [Int] = []
        for (draft, isNew) in zip(drafts, added) {
            if isNew {
                outcomes[draft.index] = .made(draft.link)
            } else if newLinks[draft.index].suffix == nil {
                open.append(draft.index)
            } else {
                let there = try await links.store.link(snapshot.app.id, host: draft.link.host, path: draft.link.path)
                outcomes[draft.index] = there.map { Self.outcome(of: draft.link, against: $0) }
            }
        }
        return open
    }

    private static func outcome(of link: StoredLink, against other: StoredLink) -> Outcome {
        if link == other { return .unchanged(other) }
        return .refused(.taken("Another link is at '\(link.host)\(link.path)'. Choose another suffix, or leave it out."))
    }
}

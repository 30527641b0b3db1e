// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Makes links. A random code that is taken is drawn again without telling the caller. A chosen suffix is refused if a
/// different link has it, and reported as unchanged if the same link has it.
struct LinkMaking: Sendable {
    /// The most links in one call.
    static let most = 5_000
    /// There are 58^8 codes: a second draw is rare, and a fourth means that something else is wrong.
    private static let mostDraws = 8

    let links: Links
    let snapshot: Snapshot
    /// Draws a code of 8 characters, about 47 bits; injected so that a test can cause collisions.
    var drawCode: @Sendable () -> String = { RandomText.draw(8, of: RandomText.base58) }

    /// The result of one wish.
    enum Outcome: Hashable, Sendable {
        case made(StoredLink)
        /// The same link existed before.
        case unchanged(StoredLink)
        case refused(LinkRefusal)
    }

    /// - Returns: an outcome for each wish, in order; a refused wish does not affect the others. Made links are on disk.
    /// - Throws: what the store throws; then nothing of this round is stored.
    func make(_ wishes: [LinkWish], nowMs: Int64) async throws -> [Outcome] {
        var outcomes: [Outcome?] = wishes.map { _ in nil }
        var open = Array(wishes.indices)
        for _ in 0..<Self.mostDraws where !open.isEmpty {
            var drafts: [(index: Int, link: StoredLink)] = []
            for index in open {
                do throws(LinkRefusal) {
                    let link = try wishes[index].link(in: snapshot, code: drawCode())
                    if let configured = snapshot.link(host: link.host, path: link.path) {
                        outcomes[index] = Self.outcome(of: link, against: configured)
                    } else {
                        drafts.append((index, link))
                    }
                } catch {
                    outcomes[index] = .refused(error)
                }
            }
            for draft in drafts {
                guard let refusal = try await refusal(of: draft.link, nowMs: nowMs) else { continue }
                outcomes[draft.index] = .refused(refusal)
            }
            drafts.removeAll { outcomes[$0.index] != nil }
            open = try await store(drafts, wishes, &outcomes, nowMs: nowMs)
        }
        return outcomes.map { $0 ?? .refused(.taken("No free code was found. Try again.")) }
    }

    /// An old link that leads to a link of ours must find it: people would notice the mistake only when they tap.
    private func refusal(of link: StoredLink, nowMs: Int64) async throws -> LinkRefusal? {
        guard snapshot.oldDomain(link.host) != nil, let target = try? LinkAddress(link.destination) else { return nil }
        do {
            guard let followed = try await links.follow(target, in: snapshot, nowMs: nowMs), !followed.decision.isOpen else {
                return nil
            }
        } catch let error as InvalidLink {
            return LinkRefusal.invalid("'to' cannot be followed. \(error)").at("to")
        }
        return LinkRefusal.invalid("'to' is '\(link.destination.shortened)', and no link is there. Make it first.").at("to")
    }

    /// - Returns: the wishes whose random code was taken.
    private func store(
        _ drafts: [(index: Int, link: StoredLink)], _ wishes: [LinkWish], _ outcomes: inout [Outcome?], nowMs: Int64
    ) async throws -> [Int] {
        guard !drafts.isEmpty else { return [] }
        let added = try await links.add(drafts.map(\.link), to: snapshot.app.id, nowMs: nowMs)
        var open: [Int] = []
        for (draft, isNew) in zip(drafts, added) {
            if isNew {
                outcomes[draft.index] = .made(draft.link)
            } else if wishes[draft.index].suffix == nil {
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

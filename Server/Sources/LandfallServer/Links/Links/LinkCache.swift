// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Synchronization

/// A cache of links that this node has read from the store, and of their replies: a popular link is read and resolved once a
/// second, not for each visitor.
///
/// Changes by this node are dropped from the cache at once. Changes by a command, or by another node that this one has not heard of
/// yet, are seen after ``lifeMs``.
final class LinkCache: Sendable {
    /// Applies to missing links too.
    static let lifeMs: Int64 = 1_000
    /// Bounds the memory: the reply to a longer target is not cached.
    static let longestTarget = 512
    private static let most = 2_048

    /// A point in this node's changes of the store: a value that was read before a change is not cached after it.
    struct Mark: Hashable, Sendable { fileprivate let changes: Int }

    /// A stored link as it was read, or the fact that there is none.
    private struct Reading {
        let link: StoredLink?
        let times: Range<Int64>
    }

    /// A reply under one version of the configuration.
    private struct Answer {
        let reply: LinkReply
        let revision: Int64
    }

    private struct State {
        var changes = 0
        var links = RecentValues<LinkPlace, Reading>(most: LinkCache.most)
        var replies = RecentValues<LinkQuestion, Answer>(most: LinkCache.most)
    }

    private let state = Mutex(State())

    /// Take it before the store is read.
    var mark: Mark { state.withLock { Mark(changes: $0.changes) } }

    /// The link at this place, if it was read less than ``lifeMs`` ago: `.some(nil)` if there was no link.
    func link(at place: LinkPlace, nowMs: Int64) -> (link: StoredLink?, times: Range<Int64>)? {
        state.withLock { state in
            guard let reading = state.links[place], reading.times.contains(nowMs) else { return nil }
            return (reading.link, reading.times)
        }
    }

    /// - Parameter revision: of the configuration that is asked; another revision may lead elsewhere.
    func reply(to question: LinkQuestion, revision: Int64, nowMs: Int64) -> LinkReply? {
        guard question.target.utf8.count <= Self.longestTarget else { return nil }
        return state.withLock { state in
            guard let known = state.replies[question], known.revision == revision, known.reply.times.contains(nowMs),
                known.reply.answers(question)
            else {
                return nil
            }
            return known.reply
        }
    }

    func remember(_ link: StoredLink?, at place: LinkPlace, readAtMs nowMs: Int64, _ mark: Mark) {
        guard place.path.text.utf8.count <= Self.longestTarget else { return }
        state.withLock { state in
            guard state.changes == mark.changes else { return }
            state.links[place] = Reading(link: link, times: nowMs..<nowMs + Self.lifeMs)
        }
    }

    /// Caches only replies whose click is stored: strangers could ask for any number of paths that lead nowhere.
    func remember(_ reply: LinkReply, to question: LinkQuestion, revision: Int64, _ mark: Mark) {
        guard reply.outcome != nil, question.target.utf8.count <= Self.longestTarget else { return }
        state.withLock { state in
            guard state.changes == mark.changes else { return }
            state.replies[question] = Answer(reply: reply, revision: revision)
        }
    }

    /// Call it after the links at these places were changed, and before the change is answered.
    func forget(_ places: Set<LinkPlace>) {
        guard !places.isEmpty else { return }
        state.withLock { state in
            state.changes += 1
            state.links.forget { place, _ in places.contains(place) }
            state.replies.forget { question, known in
                places.contains(LinkPlace(host: question.host, path: known.reply.link.path))
            }
        }
    }

    /// Any link may have been changed.
    func forgetAll() {
        state.withLock { state in
            state.changes += 1
            state.links.forget { _, _ in true }
            state.replies.forget { _, _ in true }
        }
    }
}

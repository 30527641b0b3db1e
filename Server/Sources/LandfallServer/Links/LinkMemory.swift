// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What this node lately read of the store's links, and what visitors got at them, so that a link that many follow is read
/// and worked out once a second and not for each of them.
///
/// What this node changes itself is forgotten at once. What another node or a command changes is seen after ``lifeMs``.
final class LinkMemory: Sendable {
    /// Also of what is not there.
    static let lifeMs: Int64 = 1_000
    /// Bounds the memory: a longer target is worked out each time.
    static let longestTarget = 512
    private static let most = 2_048

    /// A time in the store's life on this node: what was read in one is not remembered in a later one.
    struct Mark: Hashable, Sendable { fileprivate let changes: Int }

    /// A link of the store as it was read, or that there is none.
    private struct Reading {
        let link: StoredLink?
        let times: Range<Int64>
    }

    /// What was worked out by one version of the configuration.
    private struct Answer {
        let reply: LinkReply
        let revision: Int64
    }

    private struct State {
        var changes = 0
        var links = RecentValues<LinkPlace, Reading>(most: LinkMemory.most)
        var replies = RecentValues<LinkQuestion, Answer>(most: LinkMemory.most)
    }

    private let state = Mutex(State())

    /// To be taken before the store is read.
    var mark: Mark { state.withLock { Mark(changes: $0.changes) } }

    /// What was read at this place less than ``lifeMs`` ago: `.some(nil)` where there was no link.
    func link(at place: LinkPlace, nowMs: Int64) -> (link: StoredLink?, times: Range<Int64>)? {
        state.withLock { state in
            guard let reading = state.links[place], reading.times.contains(nowMs) else { return nil }
            return (reading.link, reading.times)
        }
    }

    /// - Parameter revision: of the configuration that is asked; another one may lead elsewhere.
    func reply(to question: LinkQuestion, revision: Int64, nowMs: Int64) -> LinkReply? {
        guard question.target.utf8.count <= Self.longestTarget else { return nil }
        return state.withLock { state in
            guard let known = state.replies[question], known.revision == revision, known.reply.times.contains(nowMs) else {
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

    /// Only what is stored as a click: paths that lead nowhere are as many as there are strangers.
    func remember(_ reply: LinkReply, to question: LinkQuestion, revision: Int64, _ mark: Mark) {
        guard reply.outcome != nil, question.target.utf8.count <= Self.longestTarget else { return }
        state.withLock { state in
            guard state.changes == mark.changes else { return }
            state.replies[question] = Answer(reply: reply, revision: revision)
        }
    }

    /// After this node has changed what is stored at these places, before anybody is told so.
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
}

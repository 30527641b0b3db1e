// SPDX-License-Identifier: Apache-2.0
package import LandfallWire
import Synchronization

/// What just happened: the newest facts, in memory, and their watchers. It begins with facts from the store (``LiveHistory``).
///
/// Facts come from the server's own writes after they are on disk; on a store that nodes share they are read from it (``LiveReading``).
/// Adding one takes a lock for the time of an append and never
/// waits: a watcher that is slow reads the newest facts when it is ready, and may miss some.
package final class LiveFeed: Sendable {
    /// The facts that are kept.
    static let most = 1_000
    /// How many taps of one millisecond are kept. Thousands of clicks a second would only replace each other, and describing each one
    /// costs more than storing it.
    static let mostTapsOfAMillisecond = 8
    /// The most streams of one member; a further one ends the oldest.
    static let mostOfMember = 5
    /// The most streams of this node.
    static let mostWatching = 200

    /// Why a watcher is woken.
    package enum Signal: Sendable { case news, heartbeat }

    private struct Watch {
        let number: UInt64
        let member: String
        let signals: AsyncStream<Signal>.Continuation
    }

    private struct State {
        var rows: [LiveRow] = []
        var lastID: Int64 = 0
        var watches: [Watch] = []
        var watchCount: UInt64 = 0
        var isStopping = false
        /// The millisecond of the latest tap, and how many of it are kept.
        var taps: (atMs: Int64, count: Int) = (0, 0)
    }

    private let state = Mutex(State())

    package init() {}

    /// Ids grow with time, also across a restart: a browser that connects again misses nothing that is still kept.
    package func add(_ kind: LiveRow.Kind, atMs: Int64, _ subject: String, _ details: [LiveRow.Detail], key: Int64? = nil) {
        let watching = state.withLock { state in
            state.lastID = max(state.lastID + 1, atMs * 1_000)
            // A hundred facts are removed at a time: moving the rest for each fact would cost more.
            if state.rows.count >= Self.most + 100 { state.rows.removeFirst(state.rows.count - Self.most) }
            state.rows.append(LiveRow(id: state.lastID, kind: kind, atMs: atMs, subject: subject, details: details, key: key))
            return state.watches.map(\.signals)
        }
        for signals in watching { signals.yield(.news) }
    }

    package func add(_ fact: LiveFact) { add(fact.kind, atMs: fact.atMs, fact.subject, fact.details, key: fact.key) }

    /// Counts a tap, and says whether there is room for it.
    func hasRoom(forTapAtMs atMs: Int64) -> Bool {
        state.withLock { state in
            if state.taps.atMs != atMs { state.taps = (atMs, 0) }
            state.taps.count += 1
            return state.taps.count <= Self.mostTapsOfAMillisecond
        }
    }

    /// An install is erased, and its rows go. Other nodes learn of it when a page asks for the rows (``LivePeople``).
    package func forget(_ install: InstallID) {
        state.withLock { state in
            state.rows.removeAll { $0.install == install.rawValue }
        }
    }

    /// The newest facts after an id, the oldest of them first.
    package func rows(
        after id: Int64, _ kind: LiveRow.Kind?, limit: Int, where isWanted: (LiveRow) -> Bool = { _ in true }
    ) -> [LiveRow] {
        var found: [LiveRow] = []
        for row in state.withLock({ $0.rows }).reversed() {
            guard row.id > id, found.count < limit else { break }
            if kind == nil || row.kind == kind, isWanted(row) { found.append(row) }
        }
        return found.reversed()
    }

    /// Signals for one watcher; several of the same kind become one. Ends when the server stops, or the member opens too many.
    /// - Returns: nil if the node has as many watchers as it may, or is stopping.
    package func watch(member: String) -> LiveWatch? {
        let (stream, signals) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(2))
        let (taken, ended) = state.withLock { state -> (UInt64?, Watch?) in
            guard !state.isStopping, state.watches.count < Self.mostWatching else { return (nil, nil) }
            var ended: Watch?
            if state.watches.count(where: { $0.member == member }) >= Self.mostOfMember,
                let oldest = state.watches.firstIndex(where: { $0.member == member })
            {
                ended = state.watches.remove(at: oldest)
            }
            state.watchCount += 1
            state.watches.append(Watch(number: state.watchCount, member: member, signals: signals))
            return (state.watchCount, ended)
        }
        ended?.signals.finish()
        guard let number = taken else { return nil }
        let end: @Sendable () -> Void = { [self] in
            state.withLock { state in state.watches.removeAll { $0.number == number } }
        }
        // Also ends a stream that nobody reads: HEAD gets no body, and a browser may disconnect before the first byte.
        signals.onTermination = { _ in end() }
        return LiveWatch(stream: stream, signals: signals, end: end)
    }

    /// The id of the newest fact; 0 if there is none.
    package var newest: Int64 { state.withLock(\.lastID) }
    package var watching: Int { state.withLock { $0.watches.count } }

    /// The server stops: every stream ends.
    package func stop() {
        let watches = state.withLock { state in
            state.isStopping = true
            defer { state.watches = [] }
            return state.watches
        }
        for watch in watches { watch.signals.finish() }
    }
}

/// One watcher's signals. The watcher says when it ends.
package struct LiveWatch: Sendable {
    package let stream: AsyncStream<LiveFeed.Signal>
    package let signals: AsyncStream<LiveFeed.Signal>.Continuation
    package let end: @Sendable () -> Void
}

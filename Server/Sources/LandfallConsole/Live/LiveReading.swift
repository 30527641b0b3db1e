// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire
import Synchronization

/// Live on a store that several nodes share: what all of them have stored, read from the store while somebody watches.
///
/// Ids and times are of the nodes' clocks, and a row becomes visible in another order than it was made. So each read goes back some
/// seconds before the last one, and leaves out what is in the feed already. The store names each install that it changes; those are read
/// too, because Apple's answer may come long after the first open. Beyond the limits of ``LiveHistory`` facts are missed.
package final class LiveReading: Sendable {
    /// Between two reads, while pages watch.
    package static let interval = Duration.seconds(1)
    /// A page that is opened reads too, unless a read has just begun.
    private static let recentMs: Int64 = 500
    /// How far a read goes back: clocks may differ by ten seconds, and a commit may be late.
    static let overlapMs: Int64 = 20_000
    private static let mostWaiting = 200

    private struct State {
        /// When the last read that succeeded began.
        var readAtMs: Int64?
        /// The facts in the feed that a later read may find again, each with its time.
        var known: [Int64: Int64] = [:]
    }

    private let history: LiveHistory
    private let feed: LiveFeed
    private let time: ServerTime
    private let reads = AsyncSemaphore(permits: 1, mostWaiting: mostWaiting)
    private let state = Mutex(State())
    private let changed: ChangedInstalls
    private let observation: StoreObservation

    package init(_ database: any Database, app: AppID, mark: StoreMark, feed: LiveFeed, time: ServerTime) {
        history = LiveHistory(database: database, app: app, mark: mark)
        (self.feed, self.time) = (feed, time)
        changed = ChangedInstalls(of: app)
        observation = database.observers.add { [changed] in changed.hear($0) }
    }

    /// The id after which a stream goes on whose browser saw `id` last. Another node may have sent that row, and ids differ a little between
    /// nodes. The browser leaves out what it has, by the keys.
    /// - Parameter id: as the browser says it, so any number.
    static func goingBack(from id: Int64) -> Int64 { max(id, 0) - overlapMs * 1_000 }

    /// Adds to the feed what is new in the store. Of many calls at once, one reads. A call that waits too long sees what is known.
    package func read() async throws {
        do { try await reads.withPermit(within: .seconds(5), by: time, readNew) } catch is AsyncSemaphore.Refusal {}
    }

    private func readNew() async throws {
        let nowMs = time.nowMs(), readAtMs = state.withLock(\.readAtMs)
        if let readAtMs, (readAtMs..<readAtMs + Self.recentMs).contains(nowMs) { return }
        let sinceMs = readAtMs.map { min($0, nowMs) - Self.overlapMs } ?? 0, heard = changed.take()
        let facts: [LiveFact]
        do {
            facts = try await history.facts(
                sinceMs: sinceMs, most: readAtMs == nil ? LiveHistory.most : LiveHistory.mostRead,
                changed: readAtMs == nil ? ChangedInstalls.Heard() : heard)
        } catch {
            changed.giveBack(heard)
            throw error
        }
        let new = state.withLock { state in
            state.readAtMs = nowMs
            state.known = state.known.filter { $0.value >= sinceMs }
            return facts.filter { fact in fact.key.map { state.known.updateValue(fact.atMs, forKey: $0) == nil } ?? true }
        }
        for fact in new { feed.add(fact) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

/// What other nodes have changed, read from rows that their transactions wrote.
///
/// Transactions become visible in another order than they began, so neither a sequence nor a time says what is new. The engine's
/// snapshots do: new is what the last snapshot did not see, which is every transaction that was open then or has begun since.
final class ChangeFeed: Sendable {
    /// Rows are kept for so long. A node that reads less often may have missed some.
    static let kept = Duration.seconds(60)

    private struct Position {
        let snapshot: String
        /// Of the server: another one, or the same after a crash, does not have the rows.
        let incarnation: String
        let readAt: ContinuousClock.Instant
    }

    /// After the last read that succeeded; nil before the first.
    private let position = Mutex<Position?>(nil)
    private let counts = Mutex((reads: 0, time: Duration.zero, heard: 0, last: ContinuousClock.Instant?.none))

    /// - Returns: nil if changes may have been missed.
    func read(_ database: PostgresDatabase) async throws -> [StoreChange]? {
        let begun = ContinuousClock.now
        let last = position.withLock { $0.flatMap { begun - $0.readAt < Self.kept / 2 ? $0 : nil } }
        do {
            let (next, changes) = try await database.read { [node = database.node] connection in
                var next: Position?, changes: [StoreChange] = []
                let statement = last.map { Statement(Self.text, [.text($0.snapshot), .text(node.text)]) } ?? Statement(Self.positionText)
                for row in try connection.rows(statement) {
                    let (kind, app, subject) = (try row.text("kind"), try row.text("app"), try row.text("subject"))
                    if kind.isEmpty {
                        next = Position(snapshot: subject, incarnation: app, readAt: begun)
                    } else {
                        changes.append(StoreChange(.init(kind), app: app, subject: subject))
                    }
                }
                return (next, changes)
            }
            position.withLock { $0 = next }
            counts.withLock { counts in
                let now = ContinuousClock.now
                counts = (counts.reads + 1, counts.time + (now - begun), counts.heard + changes.count, now)
            }
            // The driver repeats a read on a new connection, so another server may have answered without an error.
            return last != nil && last?.incarnation == next?.incarnation ? changes : nil
        } catch {
            // The rows are gone after a crash of the engine, and another primary never had them.
            position.withLock { $0 = nil }
            throw error
        }
    }

    func count(in pool: inout PoolCounts) {
        let counts = counts.withLock(\.self)
        (pool.feedReads, pool.feedTime, pool.changesHeard) = (counts.reads, counts.time, counts.heard)
        pool.feedAge = counts.last.map { .now - $0 }
    }

    /// The row of one change, written by the transaction that makes it.
    static func insertion(_ change: StoreChange, of node: NodeName) -> Statement {
        Statement(insertionText, [.text(node.text), .text(change.kind.name), .text(change.app), .text(change.subject)])
    }

    private static let insertionText = """
        INSERT INTO node_change (xact, node, kind, app, subject)
        VALUES (CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT), $1, $2, $3, $4)
        """
    private static let positionText = """
        SELECT '' AS kind, COALESCE((SELECT CAST(stats_reset AS TEXT) FROM pg_stat_wal), '') AS app,
          CAST(pg_current_snapshot() AS TEXT) AS subject
        """
    private static let text = """
        SELECT kind, app, subject FROM node_change
        WHERE xact >= CAST(CAST(pg_snapshot_xmax(CAST(CAST($1 AS TEXT) AS pg_snapshot)) AS TEXT) AS BIGINT) AND node <> $2
        UNION ALL
        SELECT kind, app, subject FROM node_change
        WHERE xact IN (SELECT CAST(CAST(x AS TEXT) AS BIGINT) FROM pg_snapshot_xip(CAST(CAST($1 AS TEXT) AS pg_snapshot)) AS x) AND node <> $2
        UNION ALL
        \(positionText)
        """
}

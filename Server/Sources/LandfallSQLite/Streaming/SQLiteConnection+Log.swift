// SPDX-License-Identifier: Apache-2.0
import CSQLite
import LandfallStore
import Synchronization

/// How many frames of the log are committed, as the writing connection learns it with each commit.
final class LogEnd: Sendable {
    private let count = Atomic(0)

    var frames: Int {
        get { count.load(ordering: .acquiring) }
        set { count.store(newValue, ordering: .releasing) }
    }
}

extension SQLiteConnection {
    enum Checkpoint {
        /// As far as readers allow; neither waits nor stops anybody.
        case passive
        /// All of it, and the log is empty then. Fails if a reader needs the log.
        case truncating
    }

    /// From now on this connection moves nothing out of the log by itself, and counts its frames.
    func follow(_ end: LogEnd) {
        logEnd = end
        sqlite3_wal_hook(
            handle,
            { end, _, _, frames in
                if let end { Unmanaged<LogEnd>.fromOpaque(end).takeUnretainedValue().frames = Int(frames) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(end).toOpaque())
    }

    /// As every connection begins: a commit moves a long log.
    func followNothing() {
        sqlite3_wal_autocheckpoint(handle, Int32(Self.longLog))
        logEnd = nil
    }

    /// In frames: SQLite's own number.
    static let longLog = 1_000

    /// Does not wait for readers.
    /// - Returns: whether it did all that was asked, and the frames that are in the log now.
    func checkpoint(_ kind: Checkpoint) throws -> (isDone: Bool, frames: Int) {
        var (frames, moved): (Int32, Int32) = (-1, -1)
        let patience = try row("PRAGMA busy_timeout")?.integer(0) ?? 0
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, Int32(patience)) }
        let mode = kind == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let status = sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &moved)
        guard frames >= 0, [SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED].contains(status & 0xFF) else { throw failure() }
        return (status == SQLITE_OK, Int(frames))
    }

    /// Sees the store as it is now until ``endSnapshot()``. The log does not begin anew meanwhile.
    func beginSnapshot() throws {
        try run("BEGIN DEFERRED TRANSACTION")
        // The snapshot begins with the first read.
        _ = try row("SELECT COUNT(*) AS count FROM sqlite_master")
    }

    func endSnapshot() { if isInsideTransaction { _ = try? run("ROLLBACK TRANSACTION") } }
}

// SPDX-License-Identifier: Apache-2.0
import CSQLite
import LandfallStore
import Synchronization

/// Follows the write-ahead log of a store.
///
/// SQLite lets a log begin anew only when all of it is in the store's file and no reader needs it. While the log is followed, nothing but
/// ``restart()`` moves it, and a reading connection, the holder, has a snapshot that is never older than the last batch and keeps the log
/// where it is. So what is read outside the writer's turn stays there until it is sent. Everything that has to be known of one instant is
/// taken between two groups of the writer, where no commit happens.
final class SQLiteLog: FollowedLog {
    /// A restart keeps no more than this in memory, in bytes. If more was committed meanwhile, there is another try.
    static let mostKept = SQLiteBatch.largestSegment

    private struct State {
        /// Up to where batches were given out.
        var position: LogPosition
        /// Where the last batch begins.
        var sentFrames: Int
    }

    private let path: String
    private let damage: MetDamage
    private let writer: GroupedWriter
    private let commits: LogEnd
    private let file: LogFile
    /// Used in the writer's turn only.
    private let holder: SQLiteConnection
    /// Moves pages beside the writer. One call at a time.
    private let mover: SQLiteConnection
    private let frameLength: Int
    private let state: Mutex<State>

    private init(_ path: String, _ damage: MetDamage, _ writer: GroupedWriter, beginningOn connection: SQLiteConnection) throws {
        (self.path, self.damage, self.writer) = (path, damage, writer)
        guard connection.logEnd == nil else { throw DatabaseError.failed("the log is followed already") }
        mover = try SQLiteConnection(path, .readingAndWriting, damage: damage)
        try mover.run("PRAGMA synchronous = FULL")
        holder = try SQLiteConnection(path, .reading, damage: damage)
        file = try LogFile(path + "-wal")
        frameLength = LogFrame.headerLength + Int(try connection.row("PRAGMA page_size")?.integer(0) ?? 0)
        // It says how many frames the log has.
        let frames = try connection.checkpoint(.passive).frames, position = try file.position(frames: frames)
        commits = LogEnd()
        commits.frames = frames
        state = Mutex(State(position: position, sentFrames: frames))
        try holder.beginSnapshot()
        connection.follow(commits)
    }

    static func begin(_ path: String, _ damage: MetDamage, _ writer: GroupedWriter) async throws -> SQLiteLog {
        try await writer.betweenGroups { try SQLiteLog(path, damage, writer, beginningOn: $0) }
    }

    var unsentBytes: Int64 { state.withLock { Int64(max(commits.frames - $0.sentFrames, 0)) * Int64(frameLength) } }

    var isLong: Bool { commits.frames >= SQLiteConnection.longLog }

    func next() async throws -> (any LogBatch)? {
        let found = try await writer.betweenGroups { [self] _ in
            let found = try lookForCommits()
            try renewHolder()
            return found
        }
        return try await batch(found)
    }

    func nextWithSnapshot() async throws -> (batch: (any LogBatch)?, snapshot: any StoreSnapshot) {
        let (found, snapshot) = try await writer.betweenGroups { [self] _ in
            let found = try lookForCommits()
            try renewHolder()
            return (found, try SQLiteSnapshot(path, damage))
        }
        return (try await batch(found), snapshot)
    }

    func restart() async throws -> (any LogBatch)? {
        // SQLite changes the salts each time, also of an empty log: then the next ones would look like those of another program.
        guard commits.frames > 0 else { return nil }
        // Most of the log, while the writer goes on: up to the holder's snapshot.
        try await onThread { [mover] in _ = try mover.checkpoint(.passive) }
        return try await writer.betweenGroups { [self] connection in
            let found = try lookForCommits()
            var batch: SQLiteBatch?
            if let found {
                // The log stays, and the next look finds them.
                guard (found.end - found.start.frames) * frameLength <= Self.mostKept else { return nil }
                var kept = try read(found)
                try kept.keep()
                batch = kept
            }
            holder.endSnapshot()
            // Readers may need the log: then it stays as it is, or the next commit begins it anew.
            if let result = try? connection.checkpoint(.truncating), result.isDone {
                commits.frames = 0
                state.withLock { ($0.position.frames, $0.sentFrames) = (0, 0) }
            }
            try holder.beginSnapshot()
            return batch
        }
    }

    func end() async {
        _ = try? await writer.betweenGroups { [holder] connection in
            holder.endSnapshot()
            connection.followNothing()
        }
    }

    private struct Found: Sendable {
        let start: LogPosition
        let end: Int
        let header: LogHeader
    }

    /// In the writer's turn.
    /// - Returns: where commits are that no batch has; nil if there are none.
    private func lookForCommits() throws -> Found? {
        let frames = commits.frames
        guard frames > 0 else { return nil }
        guard let header = try file.header(), header.frameLength == frameLength else { throw LogBroken("its beginning is not valid") }
        var start = state.withLock(\.position)
        if header.salts == start.salts {
            guard frames >= start.frames else { throw LogBroken("it has become shorter") }
            if start.frames > 0, try file.frame(start.frames, header)?.checksum != start.checksum { throw LogBroken("what was read of it has changed") }
        } else {
            guard start.salts?.isFollowed(by: header.salts) ?? true else { throw LogBroken("another program has begun it anew") }
            start = LogPosition(salts: header.salts)
        }
        state.withLock { $0.sentFrames = start.frames }
        return frames > start.frames ? Found(start: start, end: frames, header: header) : nil
    }

    /// In the writer's turn: the log is kept from now on.
    private func renewHolder() throws {
        holder.endSnapshot()
        try holder.beginSnapshot()
    }

    private func batch(_ found: Found?) async throws -> (any LogBatch)? {
        guard let found else { return nil }
        return try await onThread { [self] in try read(found) }
    }

    private func read(_ found: Found) throws -> SQLiteBatch {
        let changes = try file.changes(after: found.start, upTo: found.end, found.header)
        state.withLock { $0.position = changes.end }
        return SQLiteBatch(changes, in: file)
    }
}

/// A reading connection with the state of the store at one instant.
final class SQLiteSnapshot: StoreSnapshot {
    private let path: String
    private let connection: Mutex<SQLiteConnection?>

    init(_ path: String, _ damage: MetDamage) throws {
        self.path = path
        let connection = try SQLiteConnection(path, .reading, damage: damage)
        try connection.beginSnapshot()
        self.connection = Mutex(connection)
    }

    func copy(to path: String) async throws -> Int64 {
        let taken = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        guard let taken else { throw DatabaseError.failed("the snapshot was copied before") }
        return try await SQLiteDatabase.copy(self.path, to: path, isReplacing: true, progress: { _, _ in }) { taken }
    }
}

extension SQLiteDatabase: LogFollowing {
    package func followLog() async throws -> any FollowedLog { try await SQLiteLog.begin(path, damage, writer) }
}

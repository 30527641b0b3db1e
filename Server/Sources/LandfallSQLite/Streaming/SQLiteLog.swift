// SPDX-License-Identifier: Apache-2.0
package import LandfallStore
import Synchronization

/// Follows the write-ahead log of a store.
///
/// SQLite lets a log begin anew only when all of it is in the store's file and no reader needs it. While the log is followed, nothing but
/// ``restart()`` moves it, and a reading connection, the holder, has a snapshot that is never older than the last batch and keeps the log
/// where it is. So what is read outside the writer's turn stays there until it is sent. Everything that has to be known of one instant is
/// taken between two groups of the writer, where no commit happens.
final class SQLiteLog: FollowedLog {
    /// A restart keeps so much in memory at least, in bytes. If more was committed meanwhile, there is another try.
    private static let kept = SQLiteBatch.largestSegment
    private static let mostKept = 8 * kept

    /// Of a log that has become long an eighth: where commits are always faster than the place, the log would grow without end otherwise.
    private static func mostKept(of log: Int) -> Int { min(max(kept, log / 8), mostKept) }

    private struct State {
        /// Up to where batches were given out.
        var position: LogPosition
        /// Up to where they are sent.
        var sentFrames: Int
        /// The holder has its snapshot.
        var isHeld = true
    }

    private let path: String
    private let damage: MetDamage
    private let writer: GroupedWriter
    private let commits: LogEnd
    private let file: LogFile
    /// Used in the writer's turn only.
    private let holder: SQLiteConnection
    /// Moves pages beside the writer. Locked, because work that was given up may still use it.
    private let mover: Mutex<SQLiteConnection>
    private let frameLength: Int
    private let state: Mutex<State>

    private init(_ path: String, _ damage: MetDamage, _ writer: GroupedWriter, beginningOn connection: SQLiteConnection) throws {
        (self.path, self.damage, self.writer) = (path, damage, writer)
        guard connection.logEnd == nil else { throw DatabaseError.failed("the log is followed already") }
        let moving = try SQLiteConnection(path, .readingAndWriting, damage: damage)
        try moving.run("PRAGMA synchronous = FULL")
        mover = Mutex(moving)
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
            try hold()
            return found
        }
        return try await batch(found)
    }

    func nextWithSnapshot() async throws -> (batch: (any LogBatch)?, snapshot: any StoreSnapshot) {
        let snapshot = try SQLiteSnapshot(path, damage)
        let found = try await writer.betweenGroups { [self] _ in
            let found = try lookForCommits()
            try hold()
            try snapshot.begin()
            return found
        }
        return (try await batch(found), snapshot)
    }

    func restart() async throws -> (any LogBatch)? {
        // SQLite changes the salts each time, also of an empty log: then the next ones would look like those of another program.
        guard commits.frames > 0, state.withLock(\.isHeld) else { return nil }
        // Most of the log, while the writer goes on: up to the holder's snapshot.
        try await move()
        return try await writer.betweenGroups { [self] connection in
            let found = try lookForCommits()
            // The log stays, and the next look finds them.
            if let found, (found.end - found.start.frames) * frameLength > Self.mostKept(of: found.end * frameLength) { return nil }
            let changes = try found.map(read)
            var batch = changes.map { SQLiteBatch($0, in: file) }
            try batch?.keep()
            // From here on nothing may fail: the batch has to be given out.
            if let changes { state.withLock { $0.position = changes.end } }
            release()
            // Readers may need the log: then it stays as it is, or the next commit begins it anew.
            if let result = try? connection.checkpoint(.truncating), result.isDone {
                commits.frames = 0
                state.withLock { ($0.position.frames, $0.sentFrames) = (0, 0) }
            }
            _ = try? hold()
            return batch
        }
    }

    func sent() { state.withLock { $0.sentFrames = $0.position.frames } }

    func end() async {
        _ = try? await writer.betweenGroups { [self] _ in release() }
        // A long log is moved here: the next commit would do it otherwise, and its caller would wait.
        try? await move()
        _ = try? await writer.betweenGroups { $0.followNothing() }
    }

    /// As far as readers allow.
    private func move() async throws { try await onThread { [self] in _ = try mover.withLock { try $0.checkpoint(.passive) } } }

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

    /// In the writer's turn: the log is kept as it is from now on.
    private func hold() throws {
        release()
        try holder.beginSnapshot()
        state.withLock { $0.isHeld = true }
    }

    private func release() {
        state.withLock { $0.isHeld = false }
        holder.endSnapshot()
    }

    private func batch(_ found: Found?) async throws -> (any LogBatch)? {
        guard let found else { return nil }
        let changes = try await onThread { [self] in try read(found) }
        state.withLock { $0.position = changes.end }
        return SQLiteBatch(changes, in: file)
    }

    private func read(_ found: Found) throws -> LogChanges { try file.changes(after: found.start, upTo: found.end, found.header) }
}

/// A reading connection with the state of the store at one instant.
final class SQLiteSnapshot: StoreSnapshot {
    private let path: String
    private let connection: Mutex<SQLiteConnection?>

    init(_ path: String, _ damage: MetDamage) throws {
        self.path = path
        connection = Mutex(try SQLiteConnection(path, .reading, damage: damage))
    }

    func begin() throws { try connection.withLock { try $0?.beginSnapshot() } }

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

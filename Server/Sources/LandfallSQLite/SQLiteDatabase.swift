// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallStore
import Synchronization

/// The embedded store: one file, one writer whose commits are shared by all waiting callers, many readers.
///
/// Closes itself when it is released; ``close()`` closes it earlier, after the accepted work.
package final class SQLiteDatabase: Database, WriteCounting {
    let path: String
    private let readers: Readers
    let writer: GroupedWriter
    let damage: MetDamage
    /// Nil if another process may work on the store too.
    private let lock: StoreLock?

    /// Opens the file, and creates it and its directory if they are missing, for this user only. Blocks the calling thread for
    /// a moment.
    /// - Parameters:
    ///   - path: of the database file. SQLite keeps two more files beside it (`-wal`, `-shm`), and the directory's lock file is
    ///     there.
    ///   - isAlone: no other process may use the directory until this store is closed. False is for tests, which look into the
    ///     store of a running server.
    ///   - examines: checks for damage first, for two seconds at most. False is for callers that check themselves.
    ///   - limits: how many writes may wait.
    ///   - freeDiskShare: the free share of the disk that holds the file, 0…1; below 0.05 writes are refused.
    ///   - uptime: any clock that only moves forward; it paces the commits.
    /// - Throws: ``LandfallStore/DatabaseError/cannotOpen(path:reason:)``,
    ///   ``LandfallStore/DatabaseError/inUse(folder:process:)``, ``LandfallStore/DatabaseError/halfRestored(folder:)``,
    ///   ``LandfallStore/DatabaseError/damaged(_:)``, or ``LandfallStore/DatabaseError/notDurable(_:)`` if commits would not be synced.
    package init(
        path: String, isAlone: Bool = true, examines: Bool = true, limits: WriteLimits = WriteLimits(),
        freeDiskShare: (@Sendable () -> Double)? = nil, uptime: (@Sendable () -> Duration)? = nil
    ) throws {
        let directory = URL(filePath: path).deletingLastPathComponent().path
        let damage = MetDamage()
        let (connection, lock) = try Self.open(
            path, in: StoreFolder(directory), isAlone: isAlone, examines: examines, damage: damage)
        (self.path, self.damage, self.lock) = (path, damage, lock)
        readers = Readers(path, damage: damage)
        let begun = ContinuousClock.now
        writer = GroupedWriter(
            connection, limits: limits, freeDiskShare: freeDiskShare ?? { FreeDisk.share(at: directory) },
            uptime: uptime ?? { begun.duration(to: .now) })
    }

    package var observers: StoreObservers { writer.observers }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> Value {
        try await readers.read(body)
    }

    package func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value? {
        try readers.readAtOnce(body)
    }

    package func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await writer.write(urgency, body)
    }

    package func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock],
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        writer.write(urgency, body, then: then)
    }

    package func append(
        _ rows: [Statement], _ urgency: Urgency, then: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        writer.append(rows, urgency, then: then)
    }

    package func migrate(_ migrations: [Migration]) async throws {
        let applied = try await write { try AppliedMigration.prepared($0) }
        for migration in try Migration.pending(of: migrations, applied: applied) {
            let position = migrations.firstIndex(of: migration) ?? 0
            try await write { try migration.run($0, position: position) }
        }
        guard !applied.contains(.pageChecksums) else { return }
        try await write { connection in
            guard let connection = connection as? SQLiteConnection, connection.hasChecksums != false else { return }
            try AppliedMigration.pageChecksums.insert(connection)
        }
    }

    package var writeCounts: WriteCounts { writer.counts }

    package var freeDiskShare: Double { writer.freeDiskShare() }

    /// Refuses new writes, waits for the accepted ones, moves all of them into the database file and closes it. Later calls
    /// throw ``LandfallStore/DatabaseError/closed``.
    package func close() async throws {
        defer { lock?.release() }
        // The writer last: its checkpoint needs no reader to be open.
        await writer.finish()
        await readers.close()
        await writer.close()
    }
}

extension SQLiteDatabase: StoreExamining {
    package var metDamage: String? { damage.text }

    package func damages(whole: Bool) async throws -> [String] {
        let found: [String]
        do {
            found = try await readers.read { connection in
                guard let connection = connection as? SQLiteConnection else { return [] }
                return whole
                    ? try StoreExamination.whole(on: connection) : try StoreExamination.quick(on: connection).map { [$0] } ?? []
            }
        } catch DatabaseError.damaged(let text) {
            found = [text]
        }
        if let first = found.first { damage.record(first) }
        return found
    }

    package func appliedMigrations() async throws -> [AppliedMigration] { try await read { try AppliedMigration.all($0) } }

    package func schemaLacks(after migrations: [Migration]) async throws -> SchemaLacks {
        try await read { try SchemaShape(sqlite: $0).lacks(of: SchemaShape(after: migrations)) }
    }

    package func conditions() async throws -> [EngineCondition] {
        try await readers.read { connection in (connection as? SQLiteConnection).map { [$0.checksums] } ?? [] }
    }

    package func checkDurability() async throws {
        try await writer.betweenGroups { try Durability.check($0) }
    }
}

extension SQLiteDatabase: DiskSpaceReporting {
    package var sizes: StoreSizes {
        StoreSizes(
            store: StoreCopy.size(of: path), log: StoreCopy.size(of: path + "-wal"),
            freeDisk: FreeDisk.bytes(at: URL(filePath: path).deletingLastPathComponent().path))
    }
}

extension SQLiteDatabase: ReadCounting {
    package var waitingReads: Int { readers.waitingCount }
}

extension SQLiteDatabase: StoreCopying {
    package func copy(
        to path: String, isReplacing: Bool, progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void
    ) async throws -> Int64 {
        // A separate connection: it keeps its snapshot of the store for as long as the copy takes.
        try await Self.copy(self.path, to: path, isReplacing: isReplacing, progress: progress) { [source = self.path, damage] in
            try SQLiteConnection(source, .reading, patience: .seconds(5), damage: damage)
        }
    }

    /// - Parameters:
    ///   - source: the path of the store.
    ///   - opening: a connection to it that nobody else uses; if it has a snapshot, that is copied.
    static func copy(
        _ source: String, to path: String, isReplacing: Bool, progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void,
        opening: @escaping @Sendable () throws -> SQLiteConnection
    ) async throws -> Int64 {
        if !isReplacing, FileManager.default.fileExists(atPath: path) { throw StoreCopyError.fileExists(path) }
        let isCancelled = Atomic(false), checking = Mutex<SQLiteConnection?>(nil)
        return try await withTaskCancellationHandler {
            try await onThread {
                let folder = CopyFolder(of: path)
                defer { folder.release() }
                try CopyRoom.check(for: source, in: URL(filePath: path).deletingLastPathComponent().path)
                let copy = try StoreCopy(at: folder.partial)
                do {
                    try copy.fill(
                        from: try opening(), progress: progress, isCancelled: { isCancelled.load(ordering: .sequentiallyConsistent) },
                        changing: { _ in },
                        checking: { connection in
                            checking.withLock { $0 = connection }
                            if isCancelled.load(ordering: .sequentiallyConsistent) { connection.interrupt() }
                        })
                    // The check closes the file before the file gets its name.
                    checking.withLock { $0 = nil }
                    try BackupFile(copy.path).seal()
                    let bytes = StoreCopy.size(of: copy.path)
                    try copy.move(to: path, isReplacing: isReplacing)
                    return bytes
                } catch {
                    checking.withLock { $0 = nil }
                    copy.discard()
                    throw error
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .sequentiallyConsistent)
            checking.withLock { $0?.interrupt() }
        }
    }

    package func checkCopy(at path: String) async throws -> Bool { try await onThread { try BackupFile(path).check() } }
}

extension SQLiteDatabase {
    static func open(
        _ path: String, in folder: StoreFolder, isAlone: Bool, examines: Bool, damage: MetDamage
    ) throws -> (SQLiteConnection, StoreLock?) {
        do {
            try folder.make()
            // The lock first: files that another process uses must not be touched.
            let lock = isAlone ? try StoreLock(folder) : nil
            // The previous store is beside it, or the new one is not complete: an empty one in their place would be taken for the store.
            if isAlone, access(path, F_OK) != 0, access(folder.restoring, F_OK) == 0 { throw DatabaseError.halfRestored(folder: folder.path) }
            folder.makeDatabase(path)
            folder.tighten()
            // Before SQLite reads the log: then it is as the last process left it.
            if isAlone, examines, let text = try LogExamination.damage(ofLog: path + "-wal") { throw DatabaseError.damaged(text) }
            let connection = try SQLiteConnection(path, .readingAndWriting, patience: .seconds(5), damage: damage)
            // The stores keep their own integrity: rows of one key may be on different shards of the other engine.
            try connection.run("PRAGMA foreign_keys = OFF")
            try Durability.enforce(on: connection)
            if examines, let text = try StoreExamination.quick(on: connection) { throw DatabaseError.damaged(text) }
            return (connection, lock)
        } catch let error as DatabaseError {
            switch error {
            case .retry(let reason), .failed(let reason):
                let isClosed = access(path, R_OK | W_OK) != 0 && errno == EACCES
                throw DatabaseError.cannotOpen(path: path, reason: isClosed ? StoreFolder.reason(EACCES, opening: path) : reason)
            default: throw error
            }
        } catch {
            throw DatabaseError.cannotOpen(path: path, reason: error.localizedDescription)
        }
    }
}

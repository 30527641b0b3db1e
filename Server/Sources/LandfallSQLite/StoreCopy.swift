// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import LandfallStore

/// A copy of a store, from its first page until it is complete and checked.
struct StoreCopy {
    /// 4 MiB: frequent checks for cancellation and progress, and few calls.
    private static let pagesAtOnce: Int32 = 1_024

    /// Where the copy is written.
    let path: String

    /// Creates an empty file for this user only, before SQLite creates one that others can read.
    /// - Parameter folder: of a store that the copy becomes.
    init(at path: String, in folder: StoreFolder? = nil) throws(StoreCopyError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritten(path: path, reason: Self.reason) }
        folder?.adopt(descriptor)
        close(descriptor)
        self.path = path
    }

    /// Copies one snapshot of the source while it is in use: the source's read transaction keeps the snapshot unchanged, so
    /// that no write restarts the copy.
    /// - Parameters:
    ///   - changing: changes the copy before it is checked.
    ///   - checking: gets the connection that checks it. A caller that cancels interrupts that.
    /// - Returns: its size in bytes.
    @discardableResult
    func fill(
        from source: SQLiteConnection, progress: (_ done: Int, _ all: Int) -> Void,
        isCancelled: () -> Bool = { false }, changing: (SQLiteConnection) throws -> Void,
        checking: (SQLiteConnection) -> Void = { _ in }
    ) throws -> Int64 {
        do {
            // It may have a snapshot already.
            if !source.isInsideTransaction { try source.beginSnapshot() }
            defer { source.endSnapshot() }
            let target = try SQLiteConnection(path, .readingAndWriting)
            target.expectChecksums(source.hasChecksums ?? true)
            // The whole copy is synced at the end.
            try target.run("PRAGMA synchronous = OFF")
            try target.fill(from: source, Self.pagesAtOnce, progress, isCancelled)
        }
        return try complete(isCancelled: isCancelled, changing: changing, checking: checking)
    }

    /// Copies a store whose pages have no checksums into one whose pages have them: SQLite writes every row again.
    /// - Parameters:
    ///   - source: nobody changes it meanwhile.
    ///   - changing: changes the copy before it is checked.
    /// - Returns: its size in bytes.
    func fill(
        withChecksumsFrom source: SQLiteConnection, progress: (_ done: Int, _ all: Int) -> Void, changing: (SQLiteConnection) throws -> Void
    ) throws -> Int64 {
        let pages = Int(try source.row("PRAGMA page_count")?.integer(0) ?? 0)
        progress(0, pages)
        source.leaveRoomForChecksums()
        do {
            try source.run(Statement("VACUUM INTO $1", [.text(path)]))
        } catch DatabaseError.retry(let reason), DatabaseError.diskFailing(let reason) {
            throw StoreCopyError.notWritten(path: "the copy", reason: reason)
        }
        progress(pages, pages)
        return try complete(changing: changing)
    }

    /// Fills the copy with what comes from elsewhere.
    func fill(_ filling: (SQLiteSession) throws -> Void) throws {
        try filling(SQLiteSession(filling: path))
        try complete()
    }

    @discardableResult
    private func complete(
        isCancelled: () -> Bool = { false }, changing: (SQLiteConnection) throws -> Void = { _ in },
        checking: (SQLiteConnection) -> Void = { _ in }
    ) throws -> Int64 {
        // Opened again, because the pages of a store in use say that there is a log beside them.
        let copy = try SQLiteConnection(path, .readingAndWriting)
        let mode = try copy.row("PRAGMA journal_mode = DELETE")?.optionalText(0)
        guard mode == "delete" else { throw StoreCopyError.notWritten(path: path, reason: "the journal mode is \(mode ?? "unknown")") }
        try copy.change { _ in try changing(copy) }
        checking(copy)
        let found = Result { try StoreExamination.whole(on: copy) }
        // An interrupted check may report unread pages.
        if isCancelled() { throw CancellationError() }
        if let text = try found.get().first { throw StoreCopyError.damaged(text) }
        try Self.sync(path)
        return Self.size(of: path)
    }

    func discard() { Self.discard(path) }

    static func discard(_ path: String) { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) } }

    /// Renames the copy to its final name, atomically.
    func move(to name: String, isReplacing: Bool) throws {
        // A hard link fails if the name is taken; not every file system supports links.
        let isMoved: Bool
        if isReplacing {
            isMoved = rename(path, name) == 0
        } else if link(path, name) == 0 {
            unlink(path)
            isMoved = true
        } else if errno == EEXIST || access(name, F_OK) == 0 {
            throw StoreCopyError.fileExists(name)
        } else {
            isMoved = rename(path, name) == 0
        }
        guard isMoved else { throw StoreCopyError.notWritten(path: name, reason: Self.reason) }
        try Self.sync(URL(filePath: name).deletingLastPathComponent().path)
    }

    /// Syncs a file, or the names in a folder.
    static func sync(_ path: String) throws(StoreCopyError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notWritten(path: path, reason: reason) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .notWritten(path: path, reason: reason) }
    }

    static func size(of path: String) -> Int64 {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

extension SQLiteConnection {
    /// - Parameter pages: how many at once; -1: all.
    func fill(
        from source: SQLiteConnection, _ pages: Int32 = -1, _ progress: (_ done: Int, _ all: Int) -> Void = { _, _ in },
        _ isCancelled: () -> Bool = { false }
    ) throws {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else { throw failure() }
        var status = SQLITE_OK
        while status == SQLITE_OK, !isCancelled() {
            status = sqlite3_backup_step(backup, pages)
            let all = Int(sqlite3_backup_pagecount(backup))
            progress(all - Int(sqlite3_backup_remaining(backup)), all)
        }
        let ending = sqlite3_backup_finish(backup)
        if status == SQLITE_OK { throw CancellationError() }
        guard status == SQLITE_DONE, ending == SQLITE_OK else {
            let reason = String(cString: sqlite3_errstr(status))
            switch status & 0xFF {
            case SQLITE_CORRUPT, SQLITE_NOTADB: throw DatabaseError.damaged(reason)
            case SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR: throw StoreCopyError.notWritten(path: "the copy", reason: reason)
            default: throw DatabaseError.retry(reason)
            }
        }
    }
}

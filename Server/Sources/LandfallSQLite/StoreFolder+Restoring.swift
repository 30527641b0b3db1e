// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallStore

extension StoreFolder {
    /// The result of a restore.
    package struct Restored: Hashable, Sendable {
        package let bytes: Int64
        /// The folder of the previous store; nil if there was none. It can be served unchanged.
        package let replaced: String?
    }

    /// Replaces this folder's store with a copy of the file's store. The folder is changed only once the copy is complete,
    /// checked and on disk; the previous store is kept beside it. Everything belongs to the folder's owner, also if root restores. Blocks the calling thread until it is done.
    /// - Parameters:
    ///   - name: the name for the previous store.
    ///   - preparing: changes the copy; gets its migrations, and the previous store if that can be read.
    /// - Throws: ``DatabaseError/inUse(folder:process:)``, ``StoreCopyError``, what the closure throws.
    package func restore(
        from file: String, keepingAs name: String, progress: (_ done: Int, _ all: Int) -> Void,
        preparing: (any WriteConnection, _ applied: [AppliedMigration], _ replaced: (any ReadConnection)?) throws -> Void
    ) throws -> Restored {
        try make()
        let lock = try StoreLock(self)
        defer { lock.release() }
        let isHeld = access(database, F_OK) == 0 || access(restoring, F_OK) == 0
        // If this restore fails too, still no server begins an empty store.
        defer { if isHeld, access(database, F_OK) != 0 { close(open(restoring, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) } }
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw StoreCopyError.notReadable(path: file, reason: "missing, or not readable for you")
        }
        try BackupFile(file).check()
        // Left by an interrupted restore. No other restore is running, because the lock is held.
        StoreCopy.discard(restoring)
        try CopyRoom.check(for: file, in: path, isServed: true)
        let copy = try StoreCopy(at: restoring, in: self)
        do {
            let source: SQLiteConnection
            do {
                source = try SQLiteConnection(file, .reading, patience: .seconds(5))
                _ = try source.row("SELECT store_id FROM store")
            } catch {
                throw StoreCopyError.notReadable(path: file, reason: "\(error)")
            }
            func prepare(_ new: SQLiteConnection) throws {
                let applied = try AppliedMigration.all(new)
                let isThere = FileManager.default.fileExists(atPath: database)
                // Must be closed before its files are moved.
                try preparing(new, applied, isThere ? try? SQLiteConnection(database, .reading) : nil)
            }
            let bytes =
                source.hasChecksums == false
                ? try copy.fill(withChecksumsFrom: source, progress: progress, changing: prepare)
                : try copy.fill(from: source, progress: progress, changing: prepare)
            let aside = try keep(as: name)
            try copy.move(to: database, isReplacing: false)
            return Restored(bytes: bytes, replaced: aside)
        } catch {
            copy.discard()
            throw error
        }
    }

    /// The main file first: without it, the other files are not a store.
    private func keep(as name: String) throws -> String? {
        let files = ["", "-wal", "-shm"].map { "landfall.sqlite\($0)" }.filter { FileManager.default.fileExists(atPath: file($0)) }
        guard !files.isEmpty else { return nil }
        let aside = StoreFolder(file(name))
        try aside.make()
        adopt(folder: aside)
        for name in files where rename(file(name), aside.file(name)) != 0 {
            throw StoreCopyError.notWritten(path: aside.file(name), reason: String(cString: strerror(errno)))
        }
        try StoreCopy.sync(aside.path)
        try StoreCopy.sync(path)
        return aside.path
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file of a backup on its way to a bucket or from it. One command at a time has it: two would send or restore each other's backup.
struct ScratchFile {
    let path: String
    private let lock: Int32

    private static func lockPath(_ path: String) -> String { path + ".lock" }

    /// Does not wait. Deletes what an earlier command left, because the next backup needs its room.
    /// - Throws: ``ScratchTaken``, ``NoScratch``
    init(_ path: String) throws {
        self.path = path
        lock = try Self.locked(Self.lockPath(path))
        remove()
    }

    private static func locked(_ path: String) throws -> Int32 {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw NoScratch(path: path) }
            // Some file systems have no locks.
            if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(file)
                throw ScratchTaken(lock: path)
            }
            var (held, named) = (stat(), stat())
            // The command before may have deleted it meanwhile.
            if fstat(file, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino { return file }
            close(file)
        }
    }

    func remove() { unlink(path) }

    /// Another command may have the file from now on.
    func release() {
        unlink(Self.lockPath(path))
        close(lock)
    }
}

/// Another command uses the folder.
struct ScratchTaken: Error, CustomStringConvertible {
    let lock: String
    var description: String { "Another backup or restore uses '\(lock)' just now. Wait until it ends, or name another folder with --scratch." }
}

struct NoScratch: Error, CustomStringConvertible {
    let path: String
    var description: String { "The file '\(path)' cannot be written. Name a folder with room for the backup with --scratch." }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Synchronization

/// Lets one process at a time use a store. The system releases the lock when the process ends for any reason. The file stays,
/// because a file that is deleted and created again could be locked twice.
final class StoreLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Does not wait.
    /// - Throws: ``DatabaseError/inUse(folder:process:)``, or ``DatabaseError/cannotOpen(path:reason:)`` if the file system has
    ///   no locks.
    init(_ folder: StoreFolder) throws {
        // Not inherited: a child process that outlives this process would keep the store locked.
        let file = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(folder) }
        folder.adopt(file)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(file) }
            guard errno == EWOULDBLOCK else { throw Self.failure(folder) }
            throw DatabaseError.inUse(folder: folder.path, process: Self.process(file))
        }
        descriptor = Mutex(file)
        // For the error message of a second process. On a full disk the number is missing, and the lock still holds.
        let name = Array("\(getpid())\n".utf8)
        if ftruncate(file, 0) == 0 { _ = pwrite(file, name, name.count, 0) }
    }

    deinit { release() }

    func release() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        guard let held else { return }
        // A child process has a copy of the descriptor until it executes its program: closing alone would leave the store
        // locked until then.
        flock(held, LOCK_UN)
        close(held)
    }

    private static func process(_ file: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int(String(decoding: bytes.prefix(count), as: UTF8.self).prefix { $0.isNumber })
    }

    private static func failure(_ folder: StoreFolder) -> DatabaseError {
        .cannotOpen(path: folder.lock, reason: StoreFolder.reason(errno, opening: folder.lock))
    }
}

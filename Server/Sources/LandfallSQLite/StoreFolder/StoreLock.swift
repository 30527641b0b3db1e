// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallDatabase
internal import Synchronization

/// One process works on a store at a time. The system lets go of the lock when the process ends, however it ends; the file stays,
/// because a file that is removed and made again could be locked twice.
final class StoreLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Does not wait.
    /// - Throws: ``DatabaseError/inUse(folder:process:)``, or ``DatabaseError/cannotOpen(path:reason:)`` where the file system
    ///   knows no locks.
    init(_ folder: StoreFolder) throws {
        // Not inherited: a child that lives longer than this process would keep the store locked.
        let file = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(folder) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(file) }
            guard errno == EWOULDBLOCK else { throw Self.failure(folder) }
            throw DatabaseError.inUse(folder: folder.path, process: Self.process(file))
        }
        descriptor = Mutex(file)
        // For the message of a second process; on a full disk the name is missing, and the lock still holds.
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
        // A process that is being started has a copy of the descriptor until it runs its program: closing alone would leave the
        // store locked so long.
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
        .cannotOpen(path: folder.lock, reason: String(cString: strerror(errno)))
    }
}

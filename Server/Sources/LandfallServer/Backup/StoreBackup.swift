// SPDX-License-Identifier: Apache-2.0
package import LandfallStore
import Synchronization

/// Copies a store into a file, one copy at a time, and reports its progress.
package final class StoreBackup: Sendable {
    /// The result of a backup.
    package struct Outcome: Hashable, Sendable, Codable {
        package let file: String
        package let bytes: Int64
        let milliseconds: Int64

        package init(file: String, bytes: Int64, milliseconds: Int64) {
            (self.file, self.bytes, self.milliseconds) = (file, bytes, milliseconds)
        }
    }

    /// The progress of a copy: first pages are copied, then all of them are checked.
    package struct Progress: Hashable, Sendable, Codable {
        package let done: Int
        package let all: Int
    }

    /// Another backup of the same store is still running.
    struct UnderWay: Error {}

    private let database: any Database
    private let time: ServerTime
    private let state = Mutex<Progress?>(nil)

    package convenience init(_ database: any Database) { self.init(database, time: .live) }

    package init(_ database: any Database, time: ServerTime) {
        self.database = database
        self.time = time
    }

    /// Nil if no backup runs.
    package var progress: Progress? { state.withLock { $0 } }

    /// - Parameter file: an absolute path.
    package func make(_ file: String, isReplacing: Bool) async throws -> Outcome {
        guard let store = database as? any StoreCopying else { throw DatabaseError.failed("this engine copies no store") }
        try state.withLock { state in
            guard state == nil else { throw UnderWay() }
            state = Progress(done: 0, all: 0)
        }
        defer { state.withLock { $0 = nil } }
        let began = ContinuousClock.now, beganMs = time.nowMs()
        let bytes = try await store.copy(to: file, isReplacing: isReplacing) { done, all in
            self.state.withLock { $0 = Progress(done: done, all: all) }
        }
        // The copy is complete, whether or not the store can note it.
        let made = BackupMade(atMs: beganMs, bytes: bytes, file: file)
        try? await database.write(.bulk, locking: []) { try made.store($0) }
        return Outcome(file: file, bytes: bytes, milliseconds: Int64(began.duration(to: .now) / .milliseconds(1)))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallSQLite
@testable import LandfallStore

/// A database of the test's own with every table, on the engine of the run, and a folder for the test's files, which goes with it.
final class OwnDatabase: Sendable {
    let engine: any Database
    let folder: URL

    /// Memory, if Linux shows enough of it as a file system: each commit waits for a disk, and in these tests no machine fails. Some ten
    /// megabytes are used at a time.
    private static let place = {
        let memory = URL(filePath: "/dev/shm"), files = FileManager.default
        let free = try? files.attributesOfFileSystem(forPath: memory.path)[.systemFreeSize] as? NSNumber
        let isEnough = (free?.int64Value ?? 0) >= 1 << 30 && files.isWritableFile(atPath: memory.path)
        return isEnough ? memory : files.temporaryDirectory
    }()

    /// - Parameter isEmbedded: true for SQLite, whatever the engine of the run is.
    init(isEmbedded: Bool = TestEngine.isEmbedded) async throws {
        folder = Self.place.appending(path: "landfall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if !isEmbedded, let url = TestEngine.url {
            engine = try await onThread { try DatabaseCopies.make(at: url) }
        } else {
            engine = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path, freeDiskShare: { 1 })
            try await engine.migrate(Schema.migrations)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns when all that was written is there, and nothing is written any more.
    func close() async throws {
        try await (engine as? SQLiteDatabase)?.close()
        await (engine as? PostgresDatabase)?.close()
    }
}

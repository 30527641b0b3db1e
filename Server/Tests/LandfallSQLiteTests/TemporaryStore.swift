// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

@testable import LandfallSQLite
@testable import LandfallStore

/// A store in its own directory, which is deleted with it.
final class TemporaryStore: Sendable {
    let directory: URL
    let database: SQLiteDatabase
    /// Moves when a test says so: however slow the machine is, a group ends for no other reason.
    let uptime = Uptime()

    /// - Parameters:
    ///   - pageSize: in bytes; nil: SQLite's usual one.
    ///   - hasChecksums: false: as releases before checksums made it.
    init(pageSize: Int? = nil, hasChecksums: Bool = true, limits: WriteLimits = WriteLimits(), freeDiskShare: @escaping @Sendable () -> Double = { 1 }) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "landfall-sqlite-\(UUID().uuidString)")
        if !hasChecksums {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let other = try OtherProgram(directory.appending(path: "landfall.sqlite").path)
            try other.run("PRAGMA page_size = \(pageSize ?? 4_096); CREATE TABLE begun (id BIGINT)")
        } else if let pageSize {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            // It stays as it was at the first write.
            let first = try SQLiteConnection(directory.appending(path: "landfall.sqlite").path, .readingAndWriting)
            try first.run(Statement("PRAGMA page_size = \(pageSize)", []))
            try first.run("CREATE TABLE begun (id BIGINT)")
        }
        database = try SQLiteDatabase(path: directory.appending(path: "landfall.sqlite").path, limits: limits, freeDiskShare: freeDiskShare,
            uptime: { [uptime] in uptime.value })
        try await database.migrate([
            Migration(
                id: "2026-11-21 notes: create",
                [
                    "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text TEXT, weight DOUBLE PRECISION, bytes BYTEA)"
                ])
        ])
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var path: String { directory.appending(path: "landfall.sqlite").path }

    func ids() async throws -> [Int64] {
        try await database.read { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0.integer("id") } }
    }

    /// Holds the writer until the gate opens, so that later writes wait together. Its group ends with it.
    func occupyWriter(until gate: DispatchSemaphore) async throws -> Task<Void, any Error> {
        let begun = AsyncStream<Void>.makeStream()
        let task = Task { [database, uptime] in
            try await database.write { connection in
                begun.continuation.finish()
                gate.wait()
                uptime.advance(by: .milliseconds(5))
                try connection.run("INSERT INTO note (id) VALUES (0)")
            }
        }
        for await _ in begun.stream {}
        return task
    }

    /// Returns once this number of units waits for the writer.
    func waitForWaiting(_ count: Int) async {
        while database.writeCounts.waiting < count { await Task.yield() }
    }
}

final class Uptime: Sendable {
    private let state = Mutex(Duration.zero)
    var value: Duration { state.withLock { $0 } }
    func advance(by duration: Duration) { state.withLock { $0 += duration } }
}

func insert(_ id: Int64) -> Statement { Statement("INSERT INTO note (id) VALUES ($1)", [.integer(id)]) }

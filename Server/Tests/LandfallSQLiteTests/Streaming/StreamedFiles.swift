// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

@testable import LandfallSQLite
@testable import LandfallStore

/// A store whose log is followed, a whole copy of it, and the segments that were sent since.
final class StreamedFiles: Sendable {
    static let generation = "stream-00000000-0000000000001"

    let store: TemporaryStore
    let log: any FollowedLog
    private let copy: String
    private let sent = Mutex<[Int64: [UInt8]]>([:])

    /// - Parameter preparing: statements before the log is followed.
    init(_ preparing: [String] = [], pageSize: Int? = nil) async throws {
        store = try await TemporaryStore(pageSize: pageSize)
        for text in preparing { try await store.run(text) }
        log = try await store.database.followLog()
        copy = store.directory.appending(path: "copy.sqlite").path
        _ = try await log.nextWithSnapshot().snapshot.copy(to: copy)
    }

    var segments: [Int64: [UInt8]] {
        get { sent.withLock(\.self) }
        set { sent.withLock { $0 = newValue } }
    }
    var newest: Int64 { segments.keys.max() ?? 0 }

    /// - Returns: the number of the last segment.
    @discardableResult
    func send(_ batch: (any LogBatch)?) throws -> Int64 {
        guard let batch else { return newest }
        for index in 0..<batch.segmentCount {
            let number = newest + 1, bytes = try batch.segment(index, generation: Self.generation, number: number, atMs: number * 1_000)
            sent.withLock { $0[number] = bytes }
        }
        log.sent()
        return newest
    }

    /// - Parameter last: the greatest number that the place has; nil: all.
    /// - Returns: how far it came, and the restored file.
    func restored(upTo last: Int64? = nil) async throws -> (reached: StreamedStore.Reached, path: String) {
        let path = store.directory.appending(path: "restored-\(UUID().uuidString).sqlite").path, segments = segments
        try FileManager.default.copyItem(atPath: copy, toPath: path)
        let reached = try await StreamedStore(path).append(of: Self.generation, after: 0, newest: last ?? newest) { number in
            number <= last ?? .max ? segments[number] : nil
        }
        return (reached, path)
    }
}

extension TemporaryStore {
    /// One transaction.
    func run(_ text: String) async throws { try await database.write { _ = try $0.run(Statement(text, [])) } }

    /// Every row, and what SQLite finds wrong.
    static func contents(of path: String) throws -> [String] {
        let connection = try SQLiteConnection(path, .reading)
        return try connection.rows("SELECT id, text, hex(bytes) AS bytes FROM note ORDER BY id").map {
            "\(try $0.integer("id")) \($0.optionalText("text") ?? "") \(try $0.text("bytes"))"
        } + connection.rows("PRAGMA integrity_check").map { try $0.text(0) }
    }
}

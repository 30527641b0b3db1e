// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

/// The bytes of a store's file, for tests that look at its pages and damage them.
struct StoredPages {
    let pageSize: Int
    let hasChecksums: Bool
    var bytes: [UInt8]

    init(_ path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        (pageSize, hasChecksums) = try #require(StorePages.form(ofHeader: bytes))
    }

    var count: Int { bytes.count / pageSize }

    private func range(_ number: Int) -> Range<Int> { (number - 1) * pageSize..<number * pageSize }

    /// The numbers of the pages whose checksum does not fit.
    var differing: [Int] {
        (1...count).filter { number in
            var page = Array(bytes[range(number)])
            StorePages.stamp(&page, number: UInt32(number))
            return !page.elementsEqual(bytes[range(number)])
        }
    }

    mutating func flip(bit: Int) { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }

    mutating func swap(_ one: Int, _ other: Int) {
        let page = Array(bytes[range(one)])
        bytes.replaceSubrange(range(one), with: Array(bytes[range(other)]))
        bytes.replaceSubrange(range(other), with: page)
    }

    /// Without a log beside it.
    func write(to path: String) throws {
        for ending in ["-wal", "-shm"] { unlink(path + ending) }
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// What a program gets of such a file.
    struct Reading {
        /// Nil if it was refused.
        var rows: [String]?
        var isFound: Bool
    }

    static func reading(_ path: String) -> Reading {
        let rows = try? Self.rows(path)
        let findings = try? StoreExamination.whole(on: SQLiteConnection(path, .readingAndWriting))
        return Reading(rows: rows, isFound: findings != [])
    }

    static func rows(_ path: String) throws -> [String] {
        try SQLiteConnection(path, .readingAndWriting).rows("SELECT id, text, hex(bytes) AS bytes FROM note ORDER BY id").map {
            "\(try $0.integer("id")) \($0.optionalText("text") ?? "") \(try $0.text("bytes"))"
        }
    }
}

extension TemporaryStore {
    /// Rows on many pages, some longer than a page, and an index.
    func fill(_ count: Int = 40) async throws {
        try await run("CREATE INDEX IF NOT EXISTS note_text ON note (text)")
        try await run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT OR REPLACE INTO note (id, text, bytes) SELECT i, hex(randomblob(8)), randomblob(CASE WHEN i % 7 = 0 THEN 3000 ELSE 60 END) FROM n
            """)
    }

    /// The files as a killed process leaves them, in a folder of their own.
    func killed() throws -> String {
        let folder = directory.appending(path: "killed-\(UUID().uuidString)"), path = folder.appending(path: "landfall.sqlite").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: self.path + ending, toPath: path + ending) }
        return path
    }
}

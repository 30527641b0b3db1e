// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import LandfallSQLite
@testable import LandfallStore

/// The database's file as bytes, for tests that damage it.
struct StoredFile {
    private static let page = 4096
    let url: URL

    init(in folder: URL) { url = folder.appending(path: "landfall.sqlite") }

    var size: Int { get throws { try Data(contentsOf: url).count } }

    func zeroHeader() throws { try write(Data(count: 100), at: 0) }

    func cutInHalf() throws {
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.truncate(atOffset: UInt64(try size / 2 / Self.page * Self.page))
    }

    /// Every bit of the pages in the middle third.
    func flipMiddle() throws {
        let bytes = try Data(contentsOf: url)
        let pages = bytes.count / Self.page
        let middle = (pages / 3 * Self.page)..<(pages * 2 / 3 * Self.page)
        try write(Data(bytes[middle].map { ~$0 }), at: middle.lowerBound)
    }

    /// The roots of a table and its indexes.
    func zero(table: String) async throws {
        let database = try SQLiteDatabase(path: url.path, isAlone: false)
        let roots = try await database.read { connection in
            try connection.rows("SELECT rootpage FROM sqlite_master WHERE tbl_name = $1", [.text(table)])
                .map { Int(try $0.integer("rootpage")) }
        }
        try await database.close()
        for root in roots { try write(Data(count: Self.page), at: (root - 1) * Self.page) }
    }

    private func write(_ bytes: Data, at offset: Int) throws {
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
    }
}

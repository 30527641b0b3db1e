// SPDX-License-Identifier: Apache-2.0
import CPages
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Checksums of pages", .timeLimit(.minutes(2)))
struct PageChecksumTests {
    private func closed(pageSize: Int) async throws -> (store: TemporaryStore, pages: StoredPages, rows: [String], copy: String) {
        let store = try await TemporaryStore(pageSize: pageSize)
        try await store.fill()
        try await store.database.close()
        return (store, try StoredPages(store.path), try StoredPages.rows(store.path), store.directory.appending(path: "copy.sqlite").path)
    }

    @Test(
        "are XXH64",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func hash(text: String, sum: UInt64) {
        #expect(landfall_page_hash(Array(text.utf8), text.utf8.count, 0) == sum)
    }

    @Test("are on every page of a new store, and other programs read it", arguments: [512, 4_096, 65_536])
    func everywhere(pageSize: Int) async throws {
        let (store, pages, _, _) = try await closed(pageSize: pageSize)

        #expect(pages.hasChecksums && pages.pageSize == pageSize && pages.differing == [])
        #expect(try OtherProgram(store.path).text("PRAGMA integrity_check") == "ok")
        #expect(try OtherProgram(store.path).text("SELECT COUNT(*) FROM note") == "40")
    }

    @Test("find a flipped bit, wherever it is: nothing wrong is read", arguments: [512, 4_096, 65_536], 1...2 as ClosedRange<UInt64>)
    func flipped(pageSize: Int, seed: UInt64) async throws {
        let (store, pages, rows, copy) = try await closed(pageSize: pageSize)
        defer { withExtendedLifetime(store) {} }
        var random = Seeded(state: seed)
        // The header says how large pages are, and whether they have checksums.
        let header = Array(16 * 8..<21 * 8), ofCounts = 24 * 8..<40 * 8
        for bit in header + ofCounts + (0..<200).map({ _ in Int.random(in: 0..<pages.bytes.count * 8, using: &random) }) {
            var damaged = pages
            damaged.flip(bit: bit)
            try damaged.write(to: copy)

            let reading = StoredPages.reading(copy)

            #expect(reading.rows == nil || reading.rows == rows, "bit \(bit % 8) of byte \(bit / 8)")
            #expect(reading.isFound, "bit \(bit % 8) of byte \(bit / 8)")
        }
    }

    @Test("find a page at another page's place, one of zeros, and a file that ends inside a page")
    func places() async throws {
        let (store, pages, rows, copy) = try await closed(pageSize: 512)
        defer { withExtendedLifetime(store) {} }
        var random = Seeded(state: 7), damages: [StoredPages] = []
        for _ in 0..<50 {
            let one = Int.random(in: 2...pages.count, using: &random), other = Int.random(in: 2...pages.count, using: &random)
            guard one != other else { continue }
            var swapped = pages
            swapped.swap(one, other)
            damages.append(swapped)
        }
        for number in 2...pages.count {
            var zeroed = pages
            zeroed.bytes.replaceSubrange((number - 1) * 512..<number * 512, with: repeatElement(0, count: 512))
            damages.append(zeroed)
        }
        for length in [1, 8, 100, 511] {
            var cut = pages
            cut.bytes.removeLast(length)
            damages.append(cut)
        }

        for damage in damages {
            try damage.write(to: copy)
            let reading = StoredPages.reading(copy)
            #expect(reading.isFound && (reading.rows == nil || reading.rows == rows))
        }
    }

    @Test("that differ are told with the page, and remembered as damage; other pages are read")
    func told() async throws {
        let (store, pages, _, copy) = try await closed(pageSize: 4_096)
        defer { withExtendedLifetime(store) {} }
        let damage = MetDamage(), root = Int(try OtherProgram(store.path).text("SELECT rootpage FROM sqlite_master WHERE name = 'note'") ?? "") ?? 0
        var damaged = pages
        damaged.flip(bit: ((root - 1) * 4_096 + 4_000) * 8)
        try damaged.write(to: copy)
        let connection = try SQLiteConnection(copy, .readingAndWriting, damage: damage)

        let error = #expect(throws: DatabaseError.self) { try connection.rows("SELECT id, weight FROM note") }

        #expect(error?.description.contains("page \(root) differs from its checksum") == true, "\(String(describing: error))")
        #expect(damage.text?.contains("page \(root)") == true)
        #expect(try connection.row("SELECT COUNT(*) FROM schema_migration")?.integer(0) == 2)
        #expect(StoredPages.reading(copy).isFound)
    }
}

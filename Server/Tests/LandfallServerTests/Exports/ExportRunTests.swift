// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallStore

@Suite("Files of an export", .timeLimit(.minutes(1)))
struct ExportRunTests {
    private static func files(in folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }

    private static func pages(_ error: (any Error)? = nil, _ texts: String...) -> ExportRun.PageSource {
        { [texts] _, after in
            let place = after.flatMap(Int.init) ?? 0
            if place == texts.count, let error { throw error }
            let isLast = error == nil && place == texts.count - 1
            return ExportPage(rows: 1, next: isLast ? nil : "\(place + 1)", bytes: Array(texts[place].utf8))
        }
    }

    private static let part = ExportRun.Part(.clicks, ExportedStore.day)
    private static let days = ExportedStore.day...ExportedStore.day

    @Test("have the same bytes after a second run, whatever the size of pages, and the manifest says what they are", arguments: ExportFormat.allCases)
    func repeated(format: ExportFormat) async throws {
        let store = try await ExportedStore()
        let (first, second) = (store.store.folder.appending(path: "first"), store.store.folder.appending(path: "a/second"))

        let manifest = try await store.write(to: first, format)
        for _ in 0..<2 { _ = try await store.write(to: second, format, page: 1) }

        let files = try Self.files(in: first)
        #expect(try Self.files(in: second) == files)
        #expect(Set(files.keys) == Set(manifest.files.map(\.name) + ["manifest.json"]))
        #expect(manifest.files.first?.name == "first_opens-2026-09-21.\(format.rawValue)")
        #expect(try JSONDecoder().decode(ExportManifest.self, from: files["manifest.json"] ?? Data()) == manifest)
        for file in manifest.files {
            let data = files[file.name] ?? Data()
            #expect(file.bytes == Int64(data.count))
            #expect(file.sha256 == Array(SHA256.hash(data: data)).hexadecimal)
            #expect(file.day == "2026-09-21")
            let isCounted = format == .csv || Int64(data.split(separator: 0x0A).count) == file.rows
            #expect(isCounted, "\(file.name)")
        }
    }

    @Test("appear whole: a run that fails keeps the older file, and leaves nothing else behind")
    func failed() async throws {
        let folder = try OwnFolder()
        defer { folder.remove() }
        _ = try await ExportRun(folder: folder.url, format: .jsonl, page: Self.pages(nil, "{}\n", "{}\n")).write([Self.part], Self.days)
        let before = try Self.files(in: folder.url)

        await #expect(throws: CancellationError.self) {
            _ = try await ExportRun(folder: folder.url, format: .jsonl, page: Self.pages(CancellationError(), "[]\n")).write([Self.part], Self.days)
        }

        #expect(try Self.files(in: folder.url) == before)
        #expect(before["clicks-2026-09-21.jsonl"] == Data("{}\n{}\n".utf8))
    }

    @Test("of a killed run do not stay, and a run that still writes keeps its own")
    func leftovers() async throws {
        let folder = try OwnFolder()
        defer { folder.remove() }
        let left = ".events-2026-09-20.csv.4711.part", other = ".notes.part"
        for name in [left, other] { try Data().write(to: folder.url.appending(path: name)) }
        let living = try ExportFile("clicks-2026-09-21.jsonl", in: folder.url)
        try living.append(Array("[]\n".utf8))

        _ = try await ExportRun(folder: folder.url, format: .jsonl, page: Self.pages(nil, "{}\n")).write([Self.part], Self.days)
        let names = try Self.files(in: folder.url).keys
        try await living.finish()

        #expect(!names.contains(left) && names.contains(other) && names.count == 4, "\(names)")
        let files = try Self.files(in: folder.url)
        #expect(files["clicks-2026-09-21.jsonl"] == Data("[]\n".utf8) && files.count == 3)
        #expect(try FileManager.default.attributesOfItem(atPath: folder.url.path + "/clicks-2026-09-21.jsonl")[.posixPermissions] as? Int == 0o640)
    }

    @Test("that cannot be written say which, why, and what to do")
    func unwritable() async throws {
        let folder = try OwnFolder()
        defer { folder.remove() }
        let taken = folder.url.appending(path: "taken")
        try Data().write(to: taken)

        let run = ExportRun(folder: taken.appending(path: "out"), format: .jsonl, page: Self.pages(nil, "{}\n"))
        let error = await #expect(throws: ExportFileError.self) { _ = try await run.write([Self.part], Self.days) }

        let text = "\(error?.description ?? "")"
        #expect(text.contains("/taken/out/clicks-2026-09-21.jsonl' cannot be written (Not a directory)"), "\(text)")
        #expect(text.contains("Name a folder with room that you may write to."))
    }

    @Test("are told of while they are written, with their rows")
    func progress() async throws {
        let folder = try OwnFolder()
        defer { folder.remove() }
        let lines = ToldLines()

        _ = try await ExportRun(folder: folder.url, format: .csv, page: Self.pages(nil, "a\r\n", "b\r\n")) { lines.add($0) }.write([Self.part], Self.days)

        #expect(lines.all == ["clicks-2026-09-21.csv: 2 rows"])
    }

    @Test("arrive as pages whose bytes are the file's own; other answers are refused")
    func wire() throws {
        for next in [nil, #"["a\"b","7"]"#] {
            let page = ExportPage(rows: 2, next: next, bytes: Array("{}\n\n{}".utf8))
            #expect(try ExportPage(wire: try page.wire()) == page)
        }
        for answer in ["", "{}", "nothing\n", "{\"rows\":1}"] {
            #expect(throws: ExportRefusal.unreadablePage) { try ExportPage(wire: Array(answer.utf8)) }
        }
    }

    @Test("continue after any key, and after nothing else")
    func cursors() {
        let start: [SQLValue] = [.integer(1), .text(""), .blob([])]
        let key: [SQLValue] = [.integer(-7), .text("it's \"ü\"\n"), .blob([0, 255])]

        #expect(ExportCursor.key(ExportCursor.text(key), like: start) == key)
        for text in ["", "[]", #"["1","a"]"#, #"["x","a",""]"#, #"["1","a","0g"]"#, #"["1","a","0"]"#, #"[1,"a",""]"#] {
            #expect(ExportCursor.key(text, like: start) == nil, "\(text)")
        }
    }
}

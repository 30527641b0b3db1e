// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand

@Suite("A backup on its way", .timeLimit(.minutes(1)))
struct ScratchFileTests {
    @Test("has its file for one command at a time, and what an earlier command left makes room")
    func alone() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        let path = folder.path + "/a.sqlite"
        try Data("left".utf8).write(to: URL(filePath: path))

        let first = try ScratchFile(path)
        #expect(try names() == ["a.sqlite.lock"])
        try Data("of the first".utf8).write(to: URL(filePath: path))
        #expect(throws: ScratchTaken.self) { try ScratchFile(path) }
        #expect(try names() == ["a.sqlite", "a.sqlite.lock"])
        first.release()
        let second = try ScratchFile(path)
        second.release()

        #expect(try names() == [])
        #expect(throws: NoScratch.self) { try ScratchFile(folder.path + "/nowhere/a.sqlite") }
    }
}

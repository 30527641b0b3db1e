// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Text from files in the output of commands", .timeLimit(.minutes(1)))
struct TerminalTests {
    private static func withFile(_ text: String, _ body: (_ file: String, _ folder: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "file")
        try Data(text.utf8).write(to: file)
        try await body(file.path, folder.appending(path: "data").path)
    }

    @Test("A key of landfall.yaml cannot send commands to the terminal")
    func check() async throws {
        try await Self.withFile("app:\n  \"\\e[2Jevil\\x9B\": 1\n") { file, _ in
            let ending = try await RunningCommand(["check", file]).ending()

            #expect(ending.status == 1)
            #expect(ending.errors.contains("\\u001b[2Jevil\\u009b"))
            #expect(!ending.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
        }
    }

    @Test("A row of an import cannot send commands to the terminal either")
    func rows() async throws {
        try await Self.withFile("to,url\nhttps://example.com/a,\u{1B}]0;evil\u{7}\n") { file, data in
            let command = try RunningCommand(
                ["link", "import", file, "--data", data, "--config", RunningCommand.example])
            var lines: [String] = []
            for await line in command.lines { lines.append(line) }

            #expect(lines.first?.contains(":2:23: '\\u001b]0;evil\\u0007' is not the address of a link.") == true, "\(lines)")
        }
    }

    @Test("A report of an empty store is still a document")
    func report() async throws {
        try await Self.withFile("") { _, data in
            #expect(try await RunningCommand(["apply", RunningCommand.example, "--data", data]).ending().status == 0)
            let command = try RunningCommand(
                ["report", "links", "--from", "2026-11-01", "--to", "2026-11-02", "--data", data, "--config", RunningCommand.example, "--json"])
            var text = ""
            for await line in command.lines { text += line }

            let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            #expect(document?["report"] as? String == "links")
            #expect((document?["rows"] as? [Any])?.isEmpty == true)
            #expect(await command.ending().status == 0)
        }
    }

    @Test("A report that cannot be made says why, and ends with 1")
    func wrongReport() async throws {
        try await Self.withFile("") { _, data in
            #expect(try await RunningCommand(["apply", RunningCommand.example, "--data", data]).ending().status == 0)
            let ending = try await RunningCommand(
                ["report", "links", "--by", "shoe size", "--data", data, "--config", RunningCommand.example]
            ).ending()

            #expect(ending.status == 1)
            #expect(ending.errors.contains("'by' is not valid"))
        }
    }
}

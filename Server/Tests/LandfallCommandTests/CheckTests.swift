// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("landfall check", .timeLimit(.minutes(1)))
struct CheckTests {
    @Test("finds nothing wrong in the example")
    func example() async throws {
        let command = try RunningCommand(["check", RunningCommand.example])

        var lines = command.lines.makeAsyncIterator()
        #expect(await lines.next()?.contains("can be served") == true)
        #expect(await command.ending().status == 0)
    }

    @Test("names file, line and column of a mistake, and ends with 1")
    func mistake() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).yaml")
        try Data("app:\n  id: example\n  nmae: Example\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let ending = try await RunningCommand(["check"], environment: ["LANDFALL_CONFIG": file.path]).ending()

        #expect(ending.status == 1)
        #expect(ending.errors.contains("\(file.path):3:3: "))
    }

    @Test("prints the same as one document, with the path of each mistake")
    func document() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).yaml")
        try Data("app:\n  id: example\n  nmae: Example\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let wrong = try await RunningCommand(["check", file.path, "--json"]).completion()
        let right = try await RunningCommand(["check", RunningCommand.example, "--json"]).completion()

        let document = try JSONDecoder().decode(Document.self, from: Data(wrong.output.utf8))
        #expect(wrong.status == 1)
        #expect(!document.ok)
        #expect(document.problems.contains { ($0.line, $0.column, $0.path) == (3, 3, "app.nmae") })
        #expect(right.status == 0)
        #expect(try JSONDecoder().decode(Document.self, from: Data(right.output.utf8)).ok)
    }

    @Test("reports a missing file")
    func missing() async throws {
        let ending = try await RunningCommand(["check", "nowhere.yaml"]).ending()

        #expect(ending.status == 1)
        #expect(ending.errors.contains("'nowhere.yaml' cannot be read"))
    }

    private struct Document: Decodable {
        struct Remark: Decodable {
            let line, column: Int
            let path, message: String
        }
        let ok: Bool
        let problems, warnings: [Remark]
    }
}

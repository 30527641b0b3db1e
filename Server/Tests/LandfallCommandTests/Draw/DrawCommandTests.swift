// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("landfall draw", .timeLimit(.minutes(1)))
struct DrawCommandTests {
    private struct Drawn: Decodable, Equatable {
        let namespace: String, salt: String, unit: String, u: String, bucket: Int
    }

    private static let first = Drawn(
        namespace: "layer", salt: "main", unit: "0190a5c0-7e1b-7c3a-9f00-000000000001", u: "d0fa5d170f6a3510", bucket: 816_320)

    private func answer(_ arguments: [String]) async throws -> Data {
        let command = try RunningCommand(["draw"] + arguments)
        var text = ""
        for await line in command.lines { text += line + "\n" }
        #expect(await command.ending().status == 0)
        return Data(text.utf8)
    }

    @Test("says one draw as JSON")
    func one() async throws {
        let answer = try await answer(["--namespace", "layer", "--salt", "main", "--unit", Self.first.unit, "--json"])

        #expect(try JSONDecoder().decode(Drawn.self, from: answer) == Self.first)
    }

    @Test("reads a list and answers with one")
    func many() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).json")
        try Data(
            #"[{"namespace":"layer","salt":"main","unit":"0190a5c0-7e1b-7c3a-9f00-000000000001"},{"namespace":"experiment","salt":"Größe","unit":"ключ-🧪"}]"#
                .utf8
        ).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let drawn = try JSONDecoder().decode([Drawn].self, from: try await answer(["--vectors", file.path, "--json"]))

        #expect(drawn.first == Self.first)
        #expect(drawn.map(\.bucket) == [816_320, 496_345])
    }

    @Test(
        "refuses what cannot be drawn",
        arguments: [
            ["--namespace", "layer", "--salt", "main"], ["--namespace", "place", "--salt", "a", "--unit", "b"],
            ["--vectors", "nowhere.json"],
        ])
    func refused(arguments: [String]) async throws {
        #expect(try await RunningCommand(["draw"] + arguments).ending().status == 64)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand

@Suite("landfall simulate --virtual", .timeLimit(.minutes(1)))
struct VirtualTimeTests {
    @Test("starts the test tool beside the program with the remaining arguments")
    func handedOver() async throws {
        let command = try RunningCommand(["simulate", "--virtual", "--worlds", "2", "--seed", "9", "--json"])
        var output = ""
        for await line in command.lines { output += line }

        let (status, errors) = await command.ending()

        #expect(status == 0, "\(errors.suffix(2_000))")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        #expect(document["worlds"] as? Int == 2)
        #expect(document["seed"] as? Int == 9)
    }

    @Test("says what to build if the tool is missing")
    func missing() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-alone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "landfall")
        let alone = folder.appending(path: "landfall")
        try FileManager.default.copyItem(at: built, to: alone)

        let (status, errors) = try await RunningCommand(["simulate", "--virtual"], program: alone.path).ending()

        #expect(status == 1)
        #expect(errors.contains("--product landfall-virtual"))
    }

    @Test("needs exactly this word, anywhere after 'simulate'")
    func words() {
        #expect(VirtualTime.rest(of: ["simulate", "--seed", "1", "--virtual", "--links"]) == ["--seed", "1", "--links"])
        #expect(VirtualTime.rest(of: ["simulate", "--seed", "1"]) == nil)
        #expect(VirtualTime.rest(of: ["demo", "--virtual"]) == nil)
        #expect(VirtualTime.rest(of: []) == nil)
    }
}

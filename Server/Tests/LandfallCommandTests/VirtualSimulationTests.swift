// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A simulation takes over every task of its process, so each runs in one of its own.
@Suite("landfall simulate --virtual", .timeLimit(.minutes(3)))
struct VirtualSimulationTests {
    private func simulate(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
        let command = try RunningCommand(["simulate", "--virtual"] + arguments)
        var output = ""
        for await line in command.lines { output += line + "\n" }
        let (status, errors) = await command.ending()
        return (status, output, errors)
    }

    @Test("Every guarantee holds in every world, and the document says how many there were")
    func guarantees() async throws {
        let (status, output, errors) = try await simulate(["--phones", "600", "--seed", "1", "--json"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let document = try JSONDecoder().decode(Document.self, from: Data(output.utf8))
        #expect(document.phones >= 600)
        #expect(document.opens > document.phones)
        #expect(document.broken.isEmpty)
    }

    @Test("The same seed is the same run, to the last line")
    func sameSeed() async throws {
        let one = try await simulate(["--phones", "1", "--seed", "33", "--trace"])
        let other = try await simulate(["--phones", "1", "--seed", "33", "--trace"])

        let lines = { (text: String) in text.split(separator: "\n").filter { $0.contains("  phone") || $0.contains("  apple") } }
        #expect(lines(one.errors).count > 20)
        #expect(lines(one.errors) == lines(other.errors))
    }

    private struct Document: Decodable {
        let phones: Int
        let opens: Int
        let broken: [String]
    }
}

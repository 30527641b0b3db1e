// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A simulation takes over every task of its process, so each runs in one of its own.
@Suite("landfall simulate --virtual", .timeLimit(.minutes(3)))
struct VirtualSimulationTests {
    private func simulate(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
        let command = try RunningCommand(["simulate", "--virtual"] + arguments)
        var output = ""
        // A long line comes in pieces, and a document is one line.
        for await line in command.lines { output += line }
        let (status, errors) = await command.ending()
        return (status, output, errors)
    }

    @Test("Every guarantee holds in every world, and the document says how many there were")
    func guarantees() async throws {
        let (status, output, errors) = try await simulate(["--phones", "300", "--seed", "1", "--json"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let document = try JSONDecoder().decode(Document.self, from: Data(output.utf8))
        #expect(document.phones >= 300)
        #expect(document.opens > document.phones)
        #expect(document.failures.isEmpty)
    }

    /// 350331872: Apple's answer reached the phone twice in one instant, shortly before the end of a hold, the paywall first.
    @Test("Worlds in which a guarantee did not hold once", arguments: [("350331872", false), ("5614", true), ("3148", true)])
    func mended(seed: String, hasLinks: Bool) async throws {
        let (status, _, errors) = try await simulate(["--worlds", "1", "--seed", seed] + (hasLinks ? ["--links"] : []))

        #expect(status == 0, "\(errors.suffix(4_000))")
    }

    @Test("A run of some seconds ends by itself, however many worlds there are")
    func seconds() async throws {
        let (status, output, errors) = try await simulate(["--worlds", "1000000", "--seconds", "2", "--seed", "77", "--json"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let document = try JSONDecoder().decode(Document.self, from: Data(output.utf8))
        #expect((1..<1_000_000).contains(document.phones))
    }

    @Test("A seed's world is the same in however many processes the seeds are lived")
    func workers() async throws {
        var documents: [Document] = []
        for workers in ["1", "3"] {
            let (_, output, errors) = try await simulate(["--phones", "60", "--seed", "500", "--workers", workers, "--json"])
            documents.append(try JSONDecoder().decode(Document.self, from: Data(output.utf8)))
            #expect(!errors.isEmpty)
        }

        #expect(documents[0] == documents[1])
    }

    @Test("A configuration in which nobody is targeted breaks guarantees: each such world is shown, up to ten")
    func failures() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let example = try String(contentsOfFile: "Examples/SelfHost/landfall.yaml", encoding: .utf8)
        try example.replacing("{ is: apple_search_ads }", with: "{ is: nobody }").write(
            to: file, atomically: true, encoding: .utf8)

        let (status, output, errors) = try await simulate(["--phones", "600", "--config", file.path, "--json"])

        #expect(status == 1)
        let document = try JSONDecoder().decode(Document.self, from: Data(output.utf8))
        #expect(document.failures.count == 10)
        for failure in document.failures {
            #expect(errors.contains("landfall simulate --virtual --phones 1 --seed \(failure.seed) --trace"))
        }
    }

    @Test("In some worlds links live: tapped, handed over twice, left, killed in between, handed over by a browser")
    func links() async throws {
        let (status, _, errors) = try await simulate(["--worlds", "90", "--seed", "1", "--links", "--trace"])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let signs = [
            "through 1 hooks", "through 2 hooks", "in memory alone", "as resolved", "as notFound", "as offline", "as timedOut",
            ", again", "asks where", "is handed a link in the browser", "claims what the browser handed over",
            "is handed https://brandname.go.link/welcome as resolved", "receives example://callback",
            "paywall summer of welcome",
        ]
        for sign in signs { #expect(errors.contains(sign), "\(sign)") }
    }

    @Test("The same seed is the same run, to the last line")
    func sameSeed() async throws {
        let one = try await simulate(["--phones", "1", "--seed", "33", "--trace"])
        let other = try await simulate(["--phones", "1", "--seed", "33", "--trace"])

        let lines = { (text: String) in text.split(separator: "\n").filter { $0.contains("  phone") || $0.contains("  apple") }
        }
        #expect(lines(one.errors).count > 20)
        #expect(lines(one.errors) == lines(other.errors))
    }

    private struct Document: Decodable, Hashable {
        struct Failure: Decodable, Hashable {
            let seed: UInt64
            let broken: [String]
        }

        let phones: Int
        let worlds: Int
        let opens: Int
        let failures: [Failure]
    }
}

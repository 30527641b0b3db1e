// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VirtualWorlds

@Suite("A run of virtual worlds", .timeLimit(.minutes(3)))
struct VirtualRunTests {
    @Test("A run of some seconds ends by itself, however many worlds there are")
    func seconds() async throws {
        let (status, output, errors) = try await VirtualTool.run([
            "--worlds", "1000000", "--seconds", "2", "--seed", "77", "--json",
        ])

        #expect(status == 0, "\(errors.suffix(4_000))")
        let document = try VirtualTool.document(output)
        #expect((1..<1_000_000).contains(document.phones))
    }

    @Test("A seed's world is the same, whatever the number of processes")
    func workers() async throws {
        var documents: [VirtualTool.Document] = []
        for workers in ["1", "3"] {
            let (_, output, errors) = try await VirtualTool.run([
                "--phones", "60", "--seed", "500", "--workers", workers, "--json",
            ])
            documents.append(try VirtualTool.document(output))
            #expect(!errors.isEmpty)
        }

        #expect(documents[0] == documents[1])
    }

    @Test("The same seed is the same run, to the last line")
    func sameSeed() async throws {
        let one = try await VirtualTool.run(["--phones", "1", "--seed", "33", "--trace"])
        let other = try await VirtualTool.run(["--phones", "1", "--seed", "33", "--trace"])

        let lines = { (text: String) in text.split(separator: "\n").filter { $0.contains("  phone") || $0.contains("  apple") }
        }
        #expect(lines(one.errors).count > 20)
        #expect(lines(one.errors) == lines(other.errors))
    }

    @Test("A run has enough worlds for the requested number of phones", arguments: [1, 2, 3, 300])
    func worlds(phones: Int) {
        let worlds = VirtualRun.worlds(from: 9, phones: phones)

        let counts = (0..<worlds).map { VirtualRun.phoneCount(seed: 9 + UInt64($0)) }
        #expect(counts.reduce(0, +) >= phones)
        #expect(counts.dropLast().reduce(0, +) < phones)
    }

    @Test(
        "A run is refused for a number out of range, or a missing file",
        arguments: [
            ["--phones", "0"], ["--worlds", "0"], ["--seconds", "86401"], ["--workers", "65"], ["--config", "nowhere.yaml"],
        ])
    func refused(arguments: [String]) async throws {
        let (status, output, errors) = try await VirtualTool.run(arguments)

        #expect(status == 64)
        #expect(output.isEmpty)
        #expect(errors.contains(arguments[1]))
    }
}

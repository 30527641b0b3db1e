// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import LandfallCommand

@Suite("Help, and words that are not commands", .timeLimit(.minutes(1)))
struct HelpTests {
    /// The words of every command, from the type itself.
    static let commands = words(of: LandfallCommand.self, after: [])

    private static func words(of command: any ParsableCommand.Type, after words: [String]) -> [[String]] {
        [words] + command.configuration.subcommands.flatMap { Self.words(of: $0, after: words + [$0._commandName]) }
    }

    @Test("Every command prints its help to standard output and ends with 0", arguments: commands)
    func help(words: [String]) async throws {
        let usage = "USAGE: " + (["landfall"] + words).joined(separator: " ")
        for line in [words + ["--help"], words + ["-h"], ["help"] + words] {
            let (status, output, errors) = try await RunningCommand(line).completion()

            #expect(status == 0, "\(line)")
            #expect(errors.isEmpty, "\(line)")
            #expect(output.split(separator: "\n").contains { $0.hasPrefix(usage) }, "\(line): \(output)")
        }
    }

    @Test("A command that only groups others prints their list", arguments: [[], ["link"], ["report"], ["console"]])
    func groups(words: [String]) async throws {
        let (status, output, errors) = try await RunningCommand(words).completion()

        #expect(status == 0)
        #expect(errors.isEmpty)
        #expect(output.contains("SUBCOMMANDS:"))
    }

    @Test(
        "A wrong word ends with 64, and standard error says which word was meant",
        arguments: [
            (["serv"], "'landfall serv' is not a command. Did you mean 'serve'?"),
            (["help", "serv"], "'landfall serv' is not a command. Did you mean 'serve'?"),
            (["report", "link"], "'landfall report link' is not a command. Did you mean 'links'?"),
            (["help", "report", "link"], "'landfall report link' is not a command. Did you mean 'links'?"),
            (["link", "x"], "'landfall link x' is not a command. Known: 'archive', 'change', 'create', 'export', 'import', 'list', 'remove', 'show'."),
            (["\u{1B}[2J"], "'landfall \\u001b[2J' is not a command."),
            (["--hlep"], "Unknown option '--hlep'"), (["serve", "--hlep"], "Unknown option '--hlep'"),
            (["check", "a.yaml", "b.yaml"], "Unexpected argument 'b.yaml'"), (["link", "create"], "Missing expected argument '<destination>'"),
        ])
    func wrong(words: [String], said: String) async throws {
        let (status, output, errors) = try await RunningCommand(words).completion()

        #expect(status == 64)
        #expect(output.isEmpty)
        #expect(errors.hasPrefix("Error: " + said), "\(errors)")
        #expect(errors.contains("--help' for more information."))
    }
}

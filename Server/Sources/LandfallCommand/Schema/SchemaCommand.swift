// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallNode
import LandfallStore

/// `landfall schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the tables of this release as SQL.",
        discussion: """
            For reading: a server makes its tables itself when it starts; on PostgreSQL it keeps events and clicks in a part for each month. \
            With --citus the command prints the calls that spread these tables, while they are empty, over the machines of a Citus cluster. \
            No release has been run on Citus yet.
            """
    )

    @Flag(help: "Print the calls that distribute the tables, instead of the tables.")
    var citus = false

    func run() {
        for line in citus ? CitusCalls.lines : Self.lines { Output.line(line) }
    }

    private static var lines: [String] {
        ["-- The tables of this release. A server makes them itself when it starts; do not run this text."]
            + Schema.migrations.flatMap {
                ["", "-- \($0.id)"] + $0.statements.flatMap { "\($0);".split(separator: "\n").map(String.init) }
            }
    }
}

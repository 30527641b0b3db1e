// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallServer

/// `landfall mcp`.
struct MCPCommand: AsyncParsableCommand {
    /// After the end of the input, for the calls that are not answered yet.
    private static let patience = Duration.seconds(10)

    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serves tools of the Model Context Protocol on standard input and output.",
        discussion: """
            For programs that speak this protocol, which start the command themselves. Its tools read the configuration of a server, check and \
            compare a changed one, explain paywalls, show reports, results and revenue, and list and make links: all with the rights of the server \
            key. Nothing is published without --allow-publishing. Only the protocol is on standard output; remarks are on standard error. The command \
            ends with the input.
            """
    )

    @Option(help: "The address of the server (LANDFALL_SERVER).")
    var server: String?

    @Option(help: "A server key, sk_… (LANDFALL_SERVER_KEY, which process lists do not show).")
    var key: String?

    @Flag(help: "Also serve the tool that publishes a configuration; the key has to allow it too (LANDFALL_ALLOW_PUBLISHING=1).")
    var allowPublishing = false

    func run() async throws {
        let environment = FlagEnvironment()
        let mayPublish = try allowPublishing || environment.isOn("allow-publishing")
        let place = try place(environment)
        try await Reach.with(place, makesStore: false) { reach in
            let session = MCPSession(LandfallTools(reach: reach).served(mayPublish: mayPublish)) { Output.line($0) }
            await Self.serve(session)
        }
    }

    func place(_ environment: FlagEnvironment) throws -> Reach.Place {
        guard let server = server ?? environment.text("server") else {
            throw ValidationError("--server is missing: the address of the server, or LANDFALL_SERVER in the environment.")
        }
        guard let key = key ?? environment.text("server-key") else { throw StoreOptions.keyMissing }
        return .server(try ServerAddress(server), key: key)
    }

    private static func serve(_ session: MCPSession) async {
        var lines = MessageLines()
        while let bytes = await StandardInput.next() {
            for line in lines.take(bytes) { await session.take(line) }
        }
        if let line = lines.end() { await session.take(line) }
        await session.end(within: patience)
    }
}

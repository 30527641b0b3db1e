// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Values that print without their content", .timeLimit(.minutes(1)))
struct RedactedTests {
    private static let serverKey = "sk_0123456789abcdef0123456789abcdef"
    private static let secret = "an-example-secret-of-32-bytes-ok"

    /// In every way in which Swift renders a value.
    private func renderings(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    private func isDiscreet(_ value: Any) -> Bool {
        let hash = Credential.mayasPhone.secretHash.map { "\($0)" }.joined(separator: ", ")
        return renderings(value).allSatisfy { text in
            text.utf8.count < 200 && !text.contains("ash") && !text.contains(Self.secret) && !text.contains(Self.serverKey)
                && !text.contains(hash)
        }
    }

    private func configuration() throws -> Configuration {
        var configuration = try Sample.configuration(
            "identity: { keys: [{ algorithm: HS256, secretFrom: LANDFALL_SECRET }] }\n",
            environment: ["LANDFALL_SECRET": Self.secret])
        configuration.serverKeys = [try #require(ServerKey(Self.serverKey))]
        return configuration
    }

    @Test("A key, a credential, a configuration and its served form print only their name")
    func values() throws {
        let configuration = try configuration()

        #expect(isDiscreet(configuration.serverKeys[0]))
        #expect(isDiscreet(configuration.identityKeys[0]))
        #expect(isDiscreet(Credential.mayasPhone))
        #expect(isDiscreet(configuration))
        #expect(isDiscreet(Snapshot(configuration, revision: 1)))
        #expect("\(configuration.serverKeys[0])" == "ServerKey")
    }

    @Test("So do the node, and the server that a service group logs")
    func server() async throws {
        try await TestServer.run(configuration: configuration()) { server in
            #expect(isDiscreet(server.services))
        }
        let own = try await OwnDatabase()
        let file = own.folder.appending(path: "landfall.yaml")
        try Data(Sample.base.utf8).write(to: file)
        var options = ServerOptions()
        options.configurationFile = file.path
        options.port = 0
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

        let server = try await LandfallServer(options: options, database: own.engine, logger: quiet) { port.yield($0) }
        let running = Task { try await server.run() }
        for await _ in ports { break }

        #expect(isDiscreet(server))
        #expect("\(server)" == "LandfallServer")
        running.cancel()
        _ = await running.result
        try await own.close()
    }
}

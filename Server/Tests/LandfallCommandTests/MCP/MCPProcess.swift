// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import LandfallWire
import SystemCalls
import Testing

/// `landfall mcp` beside a real server, with lines from a file as its input, until it ends.
struct MCPProcess {
    static let key = "sk_" + String(repeating: "k", count: 32)
    static let linkKey = "sk_" + String(repeating: "l", count: 32)
    static let configuration = """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys:
          - sdk: pk_test
          - { serverFrom: LANDFALL_SERVER_KEY, may: [links, configuration, reports, profiles] }
          - { serverFrom: LANDFALL_LINK_KEY }
        domains: { brand: [links.example.com], universal: [example.com] }
        paywalls: { default: { products: [year] }, special: { products: [month] } }
        placements: { onboarding: [{ audience: everyone, paywall: default }], home: [{ audience: everyone, experiment: price }] }
        experiments: { price: { state: live, epoch: 1, variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: special } } } }
        """

    let folder: URL
    let port: Int

    static func beside(_ body: (MCPProcess) async throws -> Void) async throws {
        try await ServingProcess.withFolder { folder in
            let file = folder.appending(path: "landfall.yaml")
            try Data(configuration.utf8).write(to: file)
            let server = try await ServingProcess.start(
                in: folder.appending(path: "data"), configuration: file.path,
                environment: ["LANDFALL_SERVER_KEY": key, "LANDFALL_LINK_KEY": linkKey])
            try await body(MCPProcess(folder: folder, port: server.port))
            try await server.ends()
        }
    }

    /// What it answered, line by line. All of it has to be JSON.
    struct Ended {
        let status: Int32
        let answers: [JSONValue]
        let errors: String

        subscript(id: JSONValue) -> JSONValue? { answers.first { $0["id"] == id } }

        /// The result of a call, which the tool could carry out.
        func result(_ id: JSONValue) -> JSONValue? { self[id]?["result"].flatMap { $0["isError"] == false ? $0 : nil } }
        func text(_ id: JSONValue) -> String { self[id]?["result"]?["content"]?[0]?["text"]?.string ?? "" }
    }

    /// - Parameter port: another one than the server's.
    func talk(_ lines: [String], _ arguments: String..., key: String = MCPProcess.key, port: Int? = nil) async throws -> Ended {
        let file = folder.appending(path: "input-\(UUID().uuidString)")
        try Data(([Self.initialize] + lines).joined(separator: "\n").utf8).write(to: file)
        let input = try FileHandle(forReadingFrom: file)
        let product = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "landfall").path
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let environment = ProcessInfo.processInfo.environment.merging([
            "LANDFALL_SERVER": "http://127.0.0.1:\(port ?? self.port)", "LANDFALL_SERVER_KEY": key,
        ]) { $1 }
        let process = try SpawnedProcess([product, "mcp"] + arguments, environment: environment, input: input, onEnd: { end.finish() })
        let (output, errors) = await onThread { (process.output.readDataToEndOfFile(), process.errors.readDataToEndOfFile()) }
        for await _ in ended {}
        try input.close()
        let answers = try output.split(separator: UInt8(ascii: "\n")).map { try WireCoding.decode(JSONValue.self, from: Data($0)) }
        return Ended(status: process.ending, answers: answers, errors: String(decoding: errors, as: UTF8.self))
    }

    private static let initialize =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#

    static func call(_ id: JSONValue, _ tool: String, _ arguments: JSONValue = [:]) throws -> String {
        let message: JSONValue = [
            "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": ["name": .string(tool), "arguments": arguments],
        ]
        return String(decoding: try WireCoding.encode(message), as: UTF8.self)
    }
}

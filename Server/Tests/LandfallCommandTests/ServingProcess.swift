// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `landfall serve` with the repository's example and its own folder, which outlives the process.
struct ServingProcess {
    let command: RunningCommand
    let port: Int

    struct NotStarted: Error { let errors: String }

    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - appleAds: the port of a simulated Apple Ads; nil for a port without one.
    ///   - launcher: see ``RunningCommand``.
    static func start(
        in folder: URL, port: Int = 0, appleAds: Int? = nil, configuration: String = RunningCommand.example,
        environment: [String: String] = [:], launcher: [String] = []
    ) async throws -> ServingProcess {
        try await start(
            ["--data", folder.path], port: port, appleAds: appleAds, configuration: configuration, environment: environment, launcher: launcher)
    }

    /// A node on a PostgreSQL.
    static func start(
        on database: String, port: Int = 0, appleAds: Int? = nil, configuration: String = RunningCommand.example
    ) async throws -> ServingProcess {
        try await start(["--database", database], port: port, appleAds: appleAds, configuration: configuration)
    }

    private static func start(
        _ place: [String], port: Int = 0, appleAds: Int? = nil, configuration: String = RunningCommand.example,
        environment: [String: String] = [:], launcher: [String] = []
    ) async throws -> ServingProcess {
        let command = try RunningCommand(
            [
                "serve", "--port", "\(port)", "--config", configuration, "--apple-ads", "http://127.0.0.1:\(appleAds ?? 9)",
            ] + place,
            // The log is not read while the server runs, so it must not fill the pipe.
            environment: ["LANDFALL_LOG_LEVEL": "critical"].merging(environment) { $1 }, launcher: launcher
        )
        guard let port = await command.port() else { throw NotStarted(errors: await command.ending().errors) }
        return ServingProcess(command: command, port: port)
    }

    /// A server whose port can be used again after its end: outside the range that systems give to clients, because a client
    /// that tries a free port may be given that very port.
    static func startOnStablePort(
        in folder: URL, appleAds: Int? = nil, configuration: String = RunningCommand.example, environment: [String: String] = [:]
    ) async throws -> ServingProcess {
        for _ in 0..<10 {
            let port = Int.random(in: 15_000..<32_000)
            if let server = try? await start(
                in: folder, port: port, appleAds: appleAds, configuration: configuration, environment: environment)
            {
                return server
            }
        }
        return try await start(in: folder, appleAds: appleAds, configuration: configuration, environment: environment)
    }

    /// Runs the body beside a server, which has to end by itself when it is asked to.
    static func run(_ body: (Int) async throws -> Void) async throws {
        try await withFolder { folder in
            let server = try await start(in: folder)
            try await body(server.port)
            try await server.ends()
        }
    }

    /// It is still there, and ends by itself when it is asked to, with nothing to say.
    func ends() async throws {
        #expect(command.isRunning, "The server is gone.")
        command.stop()
        let ending = await command.ending()
        #expect(ending.status == 0)
        #expect(RunningCommand.complaints(in: ending.errors) == "")
    }

    /// How many files and connections it has open, as Linux tells.
    var openFiles: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(command.processID)/fd").count }
    }

    /// How many of them are connections, its own listener among them.
    var openSockets: Int {
        get throws {
            let folder = "/proc/\(command.processID)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))?.hasPrefix("socket:") == true
            }
        }
    }

    static let canCountFiles = FileManager.default.fileExists(atPath: "/proc/self/fd")

    static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}

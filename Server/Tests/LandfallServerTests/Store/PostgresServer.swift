// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls

/// A separate PostgreSQL: data and socket in a new directory, no TCP port. The test that starts it stops it.
struct PostgresServer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let command: String
        let output: String
        var description: String { "\(command) failed: \(output)" }
    }

    private static let programs: URL? = {
        let root = URL(filePath: "/usr/lib/postgresql")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return versions.compactMap(Int.init).max().map { root.appending(path: "\($0)/bin") }
    }()

    /// PostgreSQL refuses to run as root; then it runs as the user that its package made.
    private static let isRoot = getuid() == 0

    static var isAvailable: Bool {
        guard let programs, FileManager.default.isExecutableFile(atPath: programs.appending(path: "initdb").path) else {
            return false
        }
        return FileManager.default.isExecutableFile(atPath: "/usr/bin/psql") && (!isRoot || getpwnam("postgres") != nil)
    }

    /// Short, because a socket's path has at most 107 characters.
    private let directory: URL
    private let process: SpawnedProcess

    /// - Returns: a server that takes connections.
    static func start() async throws -> PostgresServer {
        guard let programs else { throw Failure(command: "initdb", output: "PostgreSQL is not installed") }
        let directory = URL(filePath: "/tmp/landfall-pg-\(UUID().uuidString.prefix(8))")
        let initialise = [programs.appending(path: "initdb").path, "-D", directory.path]
        _ = try await execute(asServer(initialise + ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]))
        let process = try SpawnedProcess(
            inRoot(
                asServer([
                    programs.appending(path: "postgres").path, "-D", directory.path, "-c", "listen_addresses=",
                    "-c", "unix_socket_directories=\(directory.path)", "-c", "fsync=off",
                ])))
        for pipe in [process.output, process.errors] { Task.detached { _ = try? await pipe.textToEnd() } }
        let server = PostgresServer(directory: directory, process: process)
        do { try await server.waitUntilReady() } catch {
            await server.stop()
            throw error
        }
        return server
    }

    func stop() async {
        process.signal(SIGINT)  // PostgreSQL's fast shutdown: connections are ended, then it stops.
        while process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        _ = try? await Self.execute(Self.asServer(["/bin/rm", "-rf", directory.path]))
    }

    private func waitUntilReady() async throws {
        for _ in 0..<500 where process.isRunning {
            if (try? await psql("SELECT 1;")) != nil { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure(command: "postgres", output: "it takes no connections")
    }

    /// Runs a script and gives its standard output; fields end with U+001F, rows with U+001E, NULL is U+001D.
    func psql(_ script: String) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).sql")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await Self.execute([
            "/usr/bin/psql", "-X", "-q", "-A", "-t", "-F", "\u{1F}", "-R", "\u{1E}", "-P", "null=\u{1D}", "-v",
            "ON_ERROR_STOP=1",
            "-h", directory.path, "-U", "postgres", "-d", "postgres", "-f", file.path,
        ])
    }

    private static func asServer(_ command: [String]) -> [String] {
        // Not `runuser`, which stays in between and passes no interrupt on.
        isRoot ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command : command
    }

    /// PostgreSQL's user may not read the folder of the tests.
    private static func inRoot(_ command: [String]) -> [String] { ["/usr/bin/env", "-C", "/"] + command }

    private static func execute(_ command: [String]) async throws -> String {
        let done = try await SpawnedProcess.completion(of: inRoot(command))
        guard done.status == 0 else { throw Failure(command: command[0], output: done.output + done.errors) }
        return done.output
    }
}

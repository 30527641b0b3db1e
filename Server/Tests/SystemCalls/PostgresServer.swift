// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A separate PostgreSQL: data and socket in a new directory, no TCP port.
package struct PostgresServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        let command: String
        let output: String
        package var description: String { "\(command) failed: \(output)" }
    }

    private static let programs: URL? = {
        let root = URL(filePath: "/usr/lib/postgresql")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return versions.compactMap(Int.init).max().map { root.appending(path: "\($0)/bin") }
    }()

    /// PostgreSQL refuses to run as root; then it runs as the user that its package made.
    private static let isRoot = getuid() == 0

    package static var isAvailable: Bool {
        guard let programs, FileManager.default.isExecutableFile(atPath: programs.appending(path: "initdb").path) else {
            return false
        }
        return FileManager.default.isExecutableFile(atPath: "/usr/bin/psql") && (!isRoot || getpwnam("postgres") != nil)
    }

    /// Short, because a socket's path has at most 107 characters.
    private let directory: URL
    /// Where its socket is.
    package var folder: String { directory.path }
    package var socket: String { directory.appending(path: ".s.PGSQL.5432").path }
    private let process: SpawnedProcess

    /// A test run that is killed cannot stop it: then it stops after this many seconds.
    private static let longestLife = 1_200

    /// Starts a server, and stops it when the body ends or throws.
    /// - Parameter settings: as `postgres -c` takes them.
    package static func with<Value: Sendable>(
        settings: [String] = ["fsync=off"], _ body: (PostgresServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(settings) { directory in
            ["initdb", "-D", directory, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]
        }
        return try await server.run(body)
    }

    /// Starts a standby that follows this server, and stops it when the body ends or throws.
    package func withStandby<Value: Sendable>(
        settings: [String] = [], _ body: (PostgresServer) async throws -> Value
    ) async throws -> Value {
        let standby = try await Self.start(settings) { [folder] directory in
            ["pg_basebackup", "-D", directory, "-h", folder, "-U", "postgres", "-R", "-c", "fast", "--no-sync"]
        }
        return try await standby.run(body)
    }

    private func run<Value: Sendable>(_ body: (PostgresServer) async throws -> Value) async throws -> Value {
        do {
            let value = try await body(self)
            await stop()
            return value
        } catch {
            await stop()
            throw error
        }
    }

    /// - Parameter making: the program that makes the files in a directory, with its arguments.
    /// - Returns: a server that takes connections.
    private static func start(_ settings: [String], making: (_ directory: String) -> [String]) async throws -> PostgresServer {
        guard let programs else { throw Failure(command: "initdb", output: "PostgreSQL is not installed") }
        let directory = URL(filePath: "/tmp/landfall-pg-\(UUID().uuidString.prefix(8))")
        let program = making(directory.path)
        _ = try await execute(asServer([programs.appending(path: program[0]).path] + program.dropFirst()))
        // A copy has the lock of the socket of the server that was copied, which lies among its files.
        try? FileManager.default.removeItem(at: directory.appending(path: ".s.PGSQL.5432.lock"))
        let process = try SpawnedProcess(
            inRoot(
                asServer([
                    "/usr/bin/timeout", "--foreground", "-s", "INT", "-k", "10", "\(longestLife)",
                    programs.appending(path: "postgres").path, "-D", directory.path, "-c", "listen_addresses=",
                    "-c", "unix_socket_directories=\(directory.path)",
                ] + settings.flatMap { ["-c", $0] })))
        let words = [process.output, process.errors].map { pipe in Task.detached { try await pipe.textToEnd() } }
        let server = PostgresServer(directory: directory, process: process)
        if await !server.isReady(within: .seconds(60)) {
            await server.stop()
            var lines: [Substring] = []
            for text in words { lines += ((try? await text.value) ?? "").split(separator: "\n") }
            throw Failure(command: "postgres", output: (["it takes no connections"] + lines.suffix(10)).joined(separator: "\n"))
        }
        return server
    }

    package func stop() async {
        process.signal(SIGINT)  // PostgreSQL's fast shutdown: connections are ended, then it stops.
        while process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        _ = try? await Self.execute(Self.asServer(["/bin/rm", "-rf", directory.path]))
    }

    private func isReady(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while process.isRunning, ContinuousClock.now < deadline, !Task.isCancelled {
            if (try? await psql("SELECT 1;")) != nil { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// Another node of release 0.1.0 that lives however slow the test is; a real one counts as dead when it was silent for three seconds.
    package static let livingNode = """
        INSERT INTO node (name, release, clock_ahead_ms, seen_at) VALUES ('living', '0.1.0', 0, clock_timestamp() + INTERVAL '1 hour')
        """

    /// Runs a script and gives its standard output; fields end with U+001F, rows with U+001E, NULL is U+001D.
    package func psql(_ script: String) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).sql")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await Self.execute([
            "/usr/bin/psql", "-X", "-q", "-A", "-t", "-F", "\u{1F}", "-R", "\u{1E}", "-P", "null=\u{1D}", "-v",
            "ON_ERROR_STOP=1",
            "-h", directory.path, "-U", "postgres", "-d", "postgres", "-f", file.path,
        ])
    }

    /// Creates a database that sorts by bytes, as the server demands.
    /// - Parameter options: instead of that, as `CREATE DATABASE` takes them.
    /// - Returns: its URL.
    package func database(_ options: String = "ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'") async throws -> String {
        let name = "d\(UUID().uuidString.prefix(8).lowercased())"
        _ = try await psql("CREATE DATABASE \(name) TEMPLATE template0 \(options);")
        return "postgres:///\(name)?host=\(directory.path)&user=postgres"
    }

    /// Runs a script with prepared statements by as many clients.
    /// - Returns: transactions a second.
    package func pgbench(_ script: String, url: String, clients: Int, seconds: Int) async throws -> Double {
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).sql")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try await Self.execute([
            (Self.programs ?? directory).appending(path: "pgbench").path, "-n", "-M", "prepared", "-c", "\(clients)", "-j", "2",
            "-T", "\(seconds)", "-f", file.path, url,
        ])
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/)?.output.1, let number = Double(rate) else {
            throw Failure(command: "pgbench", output: output)
        }
        return number
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

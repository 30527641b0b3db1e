// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension RealProcessTests {
    @Suite(
        "A server with more connections than allowed", .timeLimit(.minutes(2)),
        .enabled(if: ServingProcess.canCountFiles, "reads what the system counts in /proc"))
    struct ConnectionLimitTests {
        @Test("answers probes and open connections, tells others to retry, and accepts them when there is room")
        func bound() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder, environment: ["LANDFALL_MAX_CONNECTIONS": "20"])
                var open: [RawConnection] = []
                for _ in 0..<20 {
                    let connection = try RawConnection(port: server.port)
                    try connection.send(Self.health)
                    #expect(connection.answer()?.status == 200)
                    open.append(connection)
                }

                let probe = try RawConnection(port: server.port), late = try RawConnection(port: server.port)
                try probe.send(Self.health)
                try late.send(RawConnection.request("GET", "/v1/profiles/me"))
                try open[0].send(Self.health)

                #expect(probe.answer()?.status == 200)
                let refused = try #require(late.answer())
                #expect(refused.status == 503)
                #expect(refused.code == "busy")
                #expect(refused.headers["retry-after"] == "1")
                #expect(open[0].answer()?.status == 200)
                #expect(try Self.metric(#"landfall_limit_hit_total{limit="connections"}"#, port: server.port) == 1)
                open.removeAll()
                try await Self.until { RawConnection.isServed(port: server.port) }
                try await server.ends()
            }
        }

        @Test("closes a connection that is silent for the operator's limit, and refuses a body above the operator's limit")
        func options() async throws {
            try await ServingProcess.withFolder { folder in
                let environment = ["LANDFALL_IDLE_LIMIT": "1", "LANDFALL_BODY_LIMIT": "2"]
                let server = try await ServingProcess.start(in: folder, environment: environment)
                let silent = try RawConnection(port: server.port), large = try RawConnection(port: server.port)
                let fitting = try RawConnection(port: server.port)
                let body = Data(#"{"key":"k","attributes":{}}"#.utf8)

                try fitting.send(RawConnection.request("POST", "/v1/profiles/me/attributes", body: body))
                try large.send(RawConnection.request("POST", "/v1/profiles/me/attributes", body: body + Data(repeating: 0x20, count: 2_048)))
                let refused = try #require(large.answer())

                #expect(fitting.answer()?.status == 200)
                #expect((refused.status, refused.code) == (413, "body_too_large"))
                #expect(silent.answer(within: 10_000) == nil)
                #expect(try Self.metric(#"landfall_limit_hit_total{limit="silent_connection"}"#, port: server.port) ?? 0 > 0)
                try await server.ends()
            }
        }

        @Test("pauses without file descriptors, reports it, and serves again when connections close")
        func noDescriptors() async throws {
            try await ServingProcess.withFolder { folder in
                let environment = ["LANDFALL_MAX_CONNECTIONS": "10000", "LANDFALL_LOG_LEVEL": "warning"]
                let server = try await ServingProcess.start(
                    in: folder, environment: environment, launcher: ["/bin/sh", "-c", "ulimit -n 128; exec \"$@\"", "sh"])
                var open = try (0..<200).map { _ in try RawConnection(port: server.port) }
                try await Self.until { try server.openFiles >= 127 }

                let before = try server.processorTime
                try await Task.sleep(for: .seconds(3))
                let spent = try server.processorTime - before

                #expect(spent < .milliseconds(300), "it spins: \(spent) in 3 s")
                open.removeLast(150)
                try await Self.until { RawConnection.isServed(port: server.port) }
                #expect(try Self.metric(#"landfall_limit_hit_total{limit="open_files"}"#, port: server.port) ?? 0 > 0)
                #expect(try Self.metric("landfall_connections", port: server.port) ?? 0 > 0)
                open.removeAll()
                server.command.stop()
                let ending = await server.command.ending()
                #expect(ending.status == 0)
                #expect(ending.errors.components(separatedBy: "limit=open_files").count == 2, "\(ending.errors)")
            }
        }

        private static let health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

        private static func metric(_ series: String, port: Int) throws -> Int? {
            let connection = try RawConnection(port: port)
            try connection.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let text = String(decoding: try #require(connection.answer()).body, as: UTF8.self)
            return text.split(separator: "\n").first { $0.hasPrefix(series + " ") }.flatMap { Int($0.split(separator: " ")[1]) }
        }

        private static func until(_ isTrue: () throws -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(20)
            while try !isTrue() {
                try #require(ContinuousClock.now < end)
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

extension ServingProcess {
    /// The CPU time that it has used so far, from Linux: in hundredths of a second.
    fileprivate var processorTime: Duration {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(command.processID)/stat", encoding: .utf8)
            // Behind the name, which may hold spaces: state is the first, user and system time the 12th and 13th.
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            return .milliseconds(10 * ((Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)))
        }
    }
}

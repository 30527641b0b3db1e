// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension RealProcessTests {
    /// Clients that read nothing, so that their answers fill the system's buffers.
    @Suite(
        "A client that stops reading", .timeLimit(.minutes(1)),
        .enabled(if: ServingProcess.canCountFiles, "counts the server's connections in /proc"))
    struct StoppedReaderTests {
        private static let readers = 8

        @Test("keeps no first-open stream longer than its hold and 5 s, and no memory of the system afterwards")
        func stoppedReader() async throws {
            try await ServingProcess.withFolder { folder in
                let configuration = try largePaywall(in: folder)
                let server = try await ServingProcess.start(in: folder, configuration: configuration)
                let before = try server.openSockets

                let held = ContinuousClock.now
                let connections = try (0..<Self.readers).map { number in
                    let connection = try RawConnection(port: server.port, receiveBuffer: 2_048)
                    try connection.send(Self.firstOpen(number))
                    return connection
                }
                try await until { try server.openSockets >= before + Self.readers }
                #expect(connections.allSatisfy { !$0.isCut(within: 0) })

                try await until { try server.openSockets < before + Self.readers }
                // 600 ms and 5 s: everything that was written would keep an idle connection for a minute.
                #expect(ContinuousClock.now - held >= .seconds(4))
                try await until(within: .seconds(20)) { try server.openSockets <= before }
                #expect(connections.allSatisfy { $0.isCut(within: 5_000) }, "nothing is left to be sent")
                withExtendedLifetime(connections) {}
                try await server.ends()
            }
        }

        /// 32 paywalls of 200 kB each: more than the system takes for a connection.
        private static func firstOpen(_ number: Int) -> Data {
            let wanted = repeatElement(#"{"id":"onboarding"}"#, count: 32).joined(separator: ",")
            let body = #"{"adToken":"coming","placements":[\#(wanted)],"holdMilliseconds":600}"#
            let profile =
                "Landfall-Profile: 0198f0c2-7b1a-7c3d-8e4f-00000000000\(number).\(String(repeating: "A", count: 43))\r\n"
            return RawConnection.request("POST", "/v1/first-open", body: Data(body.utf8), profile: profile)
        }

        private func largePaywall(in folder: URL) throws -> String {
            let example = try String(contentsOfFile: RunningCommand.example, encoding: .utf8)
            let title = "        title: Unlock everything\n"
            try #require(example.contains(title))
            let text = "        text: \(String(repeating: "x", count: 200_000))\n"
            let file = folder.appending(path: "landfall.yaml")
            try example.replacingOccurrences(of: title, with: title + text).write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }

        private func until(within limit: Duration = .seconds(30), _ isTrue: () throws -> Bool) async throws {
            let end = ContinuousClock.now + limit
            while try !isTrue() {
                try #require(ContinuousClock.now < end)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

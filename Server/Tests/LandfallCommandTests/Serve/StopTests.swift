// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension RealProcessTests {
    @Suite("A server that is asked to stop", .timeLimit(.minutes(1)))
    struct StopTests {
        private func status(_ path: String, _ port: Int) throws -> Int? {
            let connection = try RawConnection(port: port)
            try connection.send(RawConnection.request("GET", path))
            return connection.answer()?.status
        }

        @Test("tells load balancers at once, serves for the time of --drain, and ends at once on a second request")
        func drains() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder, environment: ["LANDFALL_DRAIN": "60"])
                #expect(try status("/readyz", server.port) == 200)

                server.command.stop()
                var ready: Int? = 200
                for _ in 0..<500 where ready == 200 {
                    ready = try status("/readyz", server.port)
                    try await Task.sleep(for: .milliseconds(10))
                }

                #expect(ready == 503)
                #expect(try status("/healthz", server.port) == 200)
                #expect(try status("/v1/placements/onboarding/paywall?audience=default", server.port) == 200)
                server.command.stop()
                #expect(await server.command.ending(within: .seconds(10)).status == 1)
            }
        }

        @Test("sends every held stream its end, closes all connections, and ends within moments")
        func ends() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder, environment: ["LANDFALL_DRAIN": "1"])
                let body = Data(#"{"adToken":"coming","holdMilliseconds":30000,"placements":[{"id":"onboarding"}]}"#.utf8)
                let streams = try (0..<200).map { number in
                    let connection = try RawConnection(port: server.port)
                    let profile = "Landfall-Profile: 0198f0c2-7b1a-7c3d-8e4f-\(String(format: "%012d", number)).\(String(repeating: "A", count: 43))\r\n"
                    try connection.send(RawConnection.request("POST", "/v1/first-open", body: body, profile: profile))
                    return connection
                }
                for stream in streams { #expect(stream.read(within: 10_000)?.isEmpty == false) }
                let began = ContinuousClock.now

                server.command.stop()
                let texts = streams.map { stream in
                    var text = Data()
                    while let more = stream.read(within: 10_000), !more.isEmpty { text += more }
                    return String(decoding: text, as: UTF8.self)
                }
                let ending = await server.command.ending(within: .seconds(20))

                #expect(texts.count { $0.contains(#""reason":"stopping""#) } == 200)
                #expect(ending.status == 0)
                #expect(RunningCommand.complaints(in: ending.errors) == "")
                #expect(began.duration(to: .now) > .seconds(1))
            }
        }
    }
}

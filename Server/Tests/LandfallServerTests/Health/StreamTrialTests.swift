// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallServer

@Suite("A trial of streams", .timeLimit(.minutes(1)))
struct StreamTrialTests {
    @Test("is four lines with pauses between, under the headers of a first open")
    func lines() async throws {
        try await TestServer.run { server in
            async let answer = server.send(.get, StreamTrialRoute.path, phone: nil)
            for _ in 1..<StreamTrialRoute.lines {
                await server.clock.waitForSleeper()
                server.clock.advance(by: StreamTrialRoute.pause)
            }
            let response = try await answer

            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/x-ndjson")
            #expect(response.headers[.xAccelBuffering] == "no")
            let lines = String(buffer: response.body).split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines[0].utf8.count >= FirstOpenStream.firstLineLength)
            #expect(lines[3] == #"{"line":4,"of":4,"padding":""}"#)
        }
    }

    @Test(
        "says how the call came: directly, or from a trusted proxy with the caller's address, without one, or with an invented one",
        arguments: [
            ("192.0.2.1", "198.51.100.1", "direct"), ("10.0.0.1", nil, "unsaid"), ("10.0.0.1", "192.0.2.77", "claimed"),
            ("10.0.0.1", "198.51.100.1", "forwarded"), ("10.0.0.1", "192.0.2.77, 198.51.100.1", "forwarded"), ("10.0.0.1", "10.0.0.9", "forwarded"),
        ] as [(String, String?, String)])
    func way(peer: String, forwarded: String?, way: String) async throws {
        try await TestServer.runBrand(proxies: try TrustedProxies(["10.0.0.0/8"])) { server in
            var headers: HTTPFields = [.authorization: "Bearer pk_test"]
            headers[.xForwardedFor] = forwarded
            let browser = Browser(address: peer, headers: headers)
            async let answer = browser.send(StreamTrialRoute.path, host: "api.example.com", to: server)
            for _ in 1..<StreamTrialRoute.lines {
                await server.clock.waitForSleeper()
                server.clock.advance(by: StreamTrialRoute.pause)
            }

            let lines = try await answer.body.split(separator: "\n")
            #expect(lines.first?.contains("\"way\":\"\(way)\"") == true, "\(lines.first?.prefix(80) ?? "nothing")")
            #expect(lines.dropFirst().allSatisfy { !$0.contains("way") })
        }
    }

    @Test("needs an SDK key")
    func key() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.get, StreamTrialRoute.path, phone: nil, key: nil)

            #expect(answer.status == .unauthorized)
        }
    }

    @Test("is refused while as many as may be run, and runs again after one of them")
    func bound() async throws {
        try await TestServer.run { server in
            var permits = (0..<StreamTrialRoute.most).compactMap { _ in server.services.streamTrials.permitIfFree() }
            #expect(permits.count == StreamTrialRoute.most)

            let refused = try await server.send(.get, StreamTrialRoute.path, phone: nil)

            #expect(refused.status == .serviceUnavailable && refused.problem?.code == .busy && refused.headers[.retryAfter] == "2")
            permits.removeLast()
            async let answer = server.send(.get, StreamTrialRoute.path, phone: nil)
            for _ in 1..<StreamTrialRoute.lines {
                await server.clock.waitForSleeper()
                server.clock.advance(by: StreamTrialRoute.pause)
            }
            #expect(try await answer.status == .ok)
            #expect(server.services.streamTrials.permitIfFree() != nil)
        }
    }
}

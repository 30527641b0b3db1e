// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import LandfallServer

@Suite("An answer of another server", .timeLimit(.minutes(1)))
struct OutboundReplyTests {
    @Test("has its headers by lower-case names, of equal ones the first")
    func headers() {
        let reply = OutboundReply(status: 429, body: [], headers: [("Retry-After", "7"), ("retry-after", "9"), ("RateLimit-Reset", "60")])

        #expect(reply.retryAfter == "7")
        #expect(reply.header("ratelimit-reset") == "60")
        #expect(reply.header("ratelimit-limit") == nil)
    }

    @Test("may be as large as the call allows, and no byte larger", arguments: [(100, true), (101, false)])
    func size(bytes: Int, isAllowed: Bool) async throws {
        let router = Router()
        router.post("large") { request, _ in
            Response(status: .ok, headers: [.init("X-Path")!: request.uri.path], body: .init(byteBuffer: ByteBuffer(repeating: 32, count: bytes)))
        }
        try await Application(router: router).test(.live) { client in
            let outbound = LiveOutboundHTTP(), port = try #require(client.port)
            let running = Task { try await outbound.run() }
            var call = OutboundCall(.post, "http://127.0.0.1:\(port)/large")
            (call.body, call.largestReply) = ([1], 100)
            let answer = await Task { [call] in try await outbound.send(call) }.result
            running.cancel()
            try await running.value

            if isAllowed {
                let reply = try answer.get()
                #expect(reply.body.count == bytes)
                #expect(reply.header("x-path") == "/large")
            } else {
                #expect(throws: OutboundReplyTooLarge(largest: 100)) { try answer.get() }
            }
        }
    }
}

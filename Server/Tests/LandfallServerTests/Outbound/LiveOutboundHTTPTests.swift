// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdTesting
import Testing

@testable import LandfallServer

@Suite("Calls to other servers", .timeLimit(.minutes(1)))
struct LiveOutboundHTTPTests {
    private func serving(_ body: @escaping @Sendable (RecordedHTTP, Int) async throws -> Void) async throws {
        let router = Router()
        router.post("echo") { request, _ in
            let body = try await request.body.collect(upTo: 1_000)
            return Response(
                status: .tooManyRequests, headers: [.retryAfter: "1790000000000"],
                body: .init(byteBuffer: ByteBuffer(string: "\(request.head.authority ?? "-") \(request.headers[.contentType] ?? "-") \(String(buffer: body))")))
        }
        router.get("long") { _, _ in Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 32, count: 65_537))) }
        router.get("away") { _, _ in Response(status: .found, headers: [.location: "/long"]) }
        try await Application(router: router).test(.live) { client in
            let port = try #require(client.port)
            try await RecordedHTTP.live { try await body($0, port) }
        }
    }

    @Test("A call and its answer arrive whole")
    func whole() async throws {
        try await serving { http, port in
            var call = OutboundCall(.post, "http://127.0.0.1:\(port)/echo")
            call.headers = ["Content-Type": "application/json"]
            call.body = Array("{}".utf8)

            let reply = try await http.send(call)

            #expect(reply.status == 429 && String(decoding: reply.body, as: UTF8.self) == "127.0.0.1:\(port) application/json {}")
            #expect(reply.retryAfter == "1790000000000")
        }
    }

    #if HTTPS
    @Test("With an address it is connected to that, whatever DNS says, and the host stays the URL's")
    func pinned() async throws {
        try await serving { http, port in
            var call = OutboundCall(.post, "http://relay.invalid:\(port)/echo")
            call.address = "127.0.0.1"

            let reply = try await http.send(call)

            #expect(String(decoding: reply.body, as: UTF8.self) == "relay.invalid:\(port) - ")
            call.address = nil
            await #expect(throws: (any Error).self) { try await http.send(call) }
        }
    }
    #endif

    @Test("A redirect is an answer, and a longer body than was asked for is none")
    func bounds() async throws {
        try await serving { http, port in
            #expect(try await http.send(OutboundCall(.get, "http://127.0.0.1:\(port)/away")).status == 302)
            let long = OutboundCall(.get, "http://127.0.0.1:\(port)/long")
            await #expect(throws: (any Error).self) { try await http.send(long) }
            var unread = long
            unread.largestReply = 0
            let reply = try await http.send(unread)
            #expect(reply.status == 200 && reply.body.isEmpty)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import LandfallServer
@testable import LandfallStore

/// Requests in, answers out: the connection from its bytes to the application.
@Suite("A connection that answers by itself", .timeLimit(.minutes(1)))
struct FastPathConnectionTests {
    private static let beach = "GET /beach"
    private static let redirect = "302 https://apps.apple.com/app/id1234567890?ct=summer&mt=8"

    @Test("answers when the click is on disk, not before")
    func durable() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(Self.beach)
            #expect(connection.sent == [])
            clicks.pass(meanwhile: {
                connection.pass()
                #expect(connection.sent == [])
            })
            #expect(connection.sent == [])  // the answer is the loop's to write
            connection.pass()

            #expect(connection.sent == [Self.redirect])
            #expect(clicks.stored.map(\.click.outcome) == [.store])
            #expect(connection.heard == [])
        }
    }

    @Test("redirects after a second although the disk hangs, and keeps the click for later")
    func hungDisk() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(Self.beach)
            connection.pass(.milliseconds(900))
            #expect(connection.sent == [])

            connection.pass(.milliseconds(200))
            #expect(connection.sent == [Self.redirect])

            // The first click is stored now: that answers no later request.
            connection.receive(Self.beach)
            clicks.pass()
            connection.pass()
            #expect(connection.sent.count == 1)
            #expect(clicks.stored.count == 1)
            clicks.pass()
            connection.pass()
            #expect(connection.sent.count == 2)
        }
    }

    @Test("ends its connection with the next answer while the node stops")
    func draining() async throws {
        try await LoopedConnection.run(draining: true) { connection, clicks in
            connection.receive(bytes: LoopedConnection.request(Self.beach) + LoopedConnection.request(Self.beach))
            clicks.pass()
            connection.pass()

            #expect(connection.sent == [Self.redirect])
            #expect(connection.bytes.lowercased().contains("connection: close"))
            #expect(connection.isEnded)
        }
    }

    @Test("redirects a visitor although the store is full")
    func lost() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(Self.beach)
            clicks.refuse(DatabaseError.diskLow)
            connection.pass()

            #expect(connection.sent == [Self.redirect])
            #expect(clicks.stored.isEmpty)
        }
    }

    @Test("keeps the order of answers, whichever part sends them")
    func order() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(bytes: [Self.beach, "HEAD /beach", "GET /healthz", "POST /v1/events", Self.beach]
                .map { LoopedConnection.request($0) }.joined())
            #expect(clicks.unitCount == 1)
            #expect(connection.heard == [])

            for count in 1...2 {
                clicks.pass()
                connection.pass()
                #expect(connection.sent.count == count)
            }

            #expect(clicks.stored.map(\.click.kind) == [.person, .head])
            // On a brand domain even /healthz is a page of the application, and what comes behind it waits for it.
            #expect(connection.heard == ["GET /healthz", "end", "POST /v1/events", "end", "GET /beach", "end"])
            #expect(clicks.unitCount == 0)
        }
    }

    @Test("leaves requests to the application while it has not answered an earlier one, and answers again afterwards")
    func behind() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive("GET /readyz", host: "localhost")
            connection.receive(Self.beach)
            #expect(connection.heard == ["GET /readyz", "end", "GET /beach", "end"])

            for _ in 0..<2 { connection.answer() }
            connection.receive("GET /healthz", host: "localhost")
            connection.receive(Self.beach)

            #expect(connection.heard.count == 4)
            #expect(connection.sent == ["200", "200", "200"])
            #expect(clicks.unitCount == 1)
        }
    }

    @Test("finds the next request after a body, however its bytes are cut", arguments: [1, 2, 7, 60, 1_000])
    func bodies(cut: Int) async throws {
        try await LoopedConnection.run { connection, _ in
            let body = LoopedConnection.request(Self.beach)
            let bytes = LoopedConnection.request("POST /v1/events", "Content-Length: \(body.utf8.count)\r\n") + body
            var rest = bytes.utf8[...]
            while !rest.isEmpty {
                connection.receive(bytes: String(decoding: rest.prefix(cut), as: UTF8.self))
                rest = rest.dropFirst(cut)
            }
            connection.answer()
            connection.receive("GET /healthz", host: "localhost")

            #expect(connection.heard.filter { !$0.hasPrefix("body") } == ["POST /v1/events", "end"])
            #expect(connection.sent == ["200", "200"])
        }
    }

    @Test("answers a head that comes in two parts", arguments: [1, 5, 20, 60, 200])
    func parts(cut: Int) async throws {
        try await LoopedConnection.run { connection, _ in
            let bytes = LoopedConnection.request("GET /healthz", host: "localhost")

            connection.receive(bytes: String(decoding: bytes.utf8.prefix(cut), as: UTF8.self))
            connection.receive(bytes: String(decoding: bytes.utf8.dropFirst(cut), as: UTF8.self))

            #expect(connection.sent == ["200"])
            #expect(connection.heard == [])
        }
    }

    @Test("passes an incomplete head on to the application, which refuses it")
    func ended() async throws {
        try await LoopedConnection.run { connection, _ in
            connection.receive(bytes: "GET /healthz HTTP/1.1\r\nHo")
            connection.fire(ChannelEvent.inputClosed)

            #expect(connection.sent == ["400"])
            #expect(!connection.isOpen)
        }
    }

    @Test("closes after its last answer, and nothing after it is a request", arguments: ["GET /healthz", beach])
    func last(request: String) async throws {
        try await LoopedConnection.run { connection, clicks in
            let host = request == Self.beach ? "go.example.com" : "localhost"
            let bytes = LoopedConnection.request(request, host: host, "Connection: close\r\n")
            connection.receive(bytes: bytes + bytes + "nonsense\r\n\r\n")
            clicks.pass()
            connection.pass()
            connection.receive(bytes: bytes)

            #expect(connection.sent.count == 1)
            #expect(connection.bytes.contains("\r\nConnection: close\r\n\r\n"))
            #expect(connection.heard == [])
            #expect(connection.isEnded)
            #expect(connection.isOpen, "the other half is the caller's")
            connection.pass(.seconds(61))
            #expect(!connection.isOpen, "but not for ever")
        }
    }

    @Test("is idle from its last answer on")
    func idle() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.pass(.seconds(59))
            connection.receive("GET /healthz", host: "localhost")
            connection.pass(.seconds(59))
            #expect(connection.isOpen)
            connection.receive(Self.beach)
            // The disk takes its time.
            connection.pass(.milliseconds(900))
            clicks.pass()
            connection.pass(.milliseconds(59_600))
            #expect(connection.isOpen)

            connection.pass(.seconds(2))

            #expect(!connection.isOpen)
        }
    }

    @Test("delays the connection's end, its errors and the server's stop until the answer is sent")
    func held() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(Self.beach)
            connection.fire(ChannelEvent.inputClosed)
            connection.fire(ChannelShouldQuiesceEvent())
            connection.fail(ChannelError.eof)
            #expect(connection.heard == [])

            clicks.pass()
            connection.pass()

            #expect(connection.sent.count == 1)
            #expect(connection.heard == ["event", "event", "error"])
        }
    }

    @Test("that was closed gets no answer; its click is stored")
    func gone() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(Self.beach)
            connection.receive("POST /v1/events")
            connection.close()

            clicks.pass()
            connection.pass()

            #expect(connection.sent == [])
            #expect(connection.heard == [])
            #expect(clicks.stored.count == 1)
        }
    }

    @Test("stops reading if a client sends on without waiting for its answer")
    func reading() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(Self.beach)
            #expect(connection.isRead)
            connection.receive("POST /v1/events")
            #expect(!connection.isRead)

            clicks.pass()
            connection.pass()

            #expect(connection.isRead)
        }
    }

    @Test("leaves the wait to the application if its client does not read")
    func stalled() async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.isWritable = false
            connection.receive(Self.beach)
            connection.receive("GET /healthz", host: "localhost")

            #expect(connection.heard == ["GET /beach", "end", "GET /healthz", "end"])
        }
    }

    private static let applications: [(request: String, host: String, fields: String)] = [
        ("POST /beach", "go.example.com", ""), (beach, "localhost", ""), (beach, "evilgo.example.com", ""),
        (beach, "go.example.com", "Content-Length: 0\r\n"), (beach, "go.example.com", "Sec-Purpose: prefetch\r\n"),
        (beach, "go.example.com", "Accept: image/avif,*/*\r\n"),
        ("GET /beach?lf_tap=store.01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071", "go.example.com", ""),
        (beach, "go.example.com", "User-Agent: \(Browser.slack)\r\n"),
        (beach, "go.example.com", "User-Agent: \(Browser.instagram)\r\n"),
        ("GET /unknown", "go.example.com", ""), ("GET /over", "go.example.com", ""), ("GET /copied", "go.example.com", ""),
        ("GET /a/../b", "go.example.com", ""), ("GET /v1/links", "go.example.com", ""),
        ("GET /.well-known/assetlinks.json", "go.example.com", ""), ("GET /healthz", "go.example.com", ""),
        ("GET /healthz?x", "localhost", ""), ("GET /readyz", "localhost", ""), ("DELETE /healthz", "localhost", ""),
    ]

    @Test("leaves everything else to the application", arguments: applications)
    func others(request: String, host: String, fields: String) async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(request, host: host, fields)

            #expect(connection.heard == [request, "end"])
            #expect(clicks.unitCount == 0)
        }
    }

    @Test(
        "leaves the whole connection to the application once the position of the next request is uncertain",
        arguments: [
            "POST /v1/events HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: TE\r\n\r\n", "GET /readyz HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
            "\r\nGET /readyz HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://localhost/readyz HTTP/1.1\r\nHost: a\r\n\r\n", "PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /readyz HTTP/1.1\r\nHost: a\r\nX!: a\r\n\r\n",
        ])
    func givenUp(bytes: String) async throws {
        try await LoopedConnection.run { connection, clicks in
            connection.receive(bytes: bytes)
            connection.answer()
            connection.receive("GET /healthz", host: "localhost")

            #expect(connection.heard.filter { $0.hasSuffix("/healthz") }.count == 1)
            #expect(connection.sent == ["200"])
        }
    }
}

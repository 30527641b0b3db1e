// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallDatabase
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import LandfallServer

/// Requests in, answers out: the connection between its referee and the application, its clicks on a disk that the test moves.
@Suite("A redirect on its connection's own loop", .timeLimit(.minutes(1)))
struct LinkShortcutTests {
    private static let beach = "GET /beach"

    @Test("leaves when its click is on disk, not before")
    func durable() async throws {
        try await ShortcutConnection.run { connection, clicks in
            connection.receive(Self.beach)
            #expect(connection.sent == [])
            clicks.pass(meanwhile: {
                connection.pass()
                #expect(connection.sent == [])
            })
            #expect(connection.sent == [])  // the answer is the loop's to write
            connection.pass()

            #expect(connection.sent == ["302 https://apps.apple.com/app/id1234567890?ct=summer&mt=8"])
            #expect(clicks.stored.map(\.click.outcome) == [.store])
            #expect(connection.heard == [])
        }
    }

    @Test("leaves although the store is full: the person is sent on")
    func lost() async throws {
        try await ShortcutConnection.run { connection, clicks in
            connection.receive(Self.beach)
            clicks.refuse(DatabaseError.diskLow)
            connection.pass()

            #expect(connection.sent.count == 1)
            #expect(clicks.stored.isEmpty)
        }
    }

    @Test("comes before the answers to what its connection asks afterwards, and these in their order")
    func order() async throws {
        try await ShortcutConnection.run { connection, clicks in
            for request in [Self.beach, "HEAD /beach", "POST /v1/events", Self.beach] { connection.receive(request) }
            #expect(clicks.unitCount == 1)
            #expect(connection.heard == [])

            clicks.pass()
            connection.pass()
            #expect(connection.sent.count == 1)
            #expect(clicks.unitCount == 1)
            clicks.pass()
            connection.pass()

            #expect(clicks.stored.map(\.click.kind) == [.person, .head])
            #expect(connection.sent.count == 2)
            // The fourth goes behind the third.
            #expect(connection.heard == ["POST /v1/events", "end", "GET /beach", "end"])
            #expect(clicks.unitCount == 0)
        }
    }

    @Test("is the application's while it has not answered an earlier request, and the connection's own afterwards")
    func behind() async throws {
        try await ShortcutConnection.run { connection, clicks in
            connection.receive("GET /healthz", host: "localhost")
            connection.receive(Self.beach)
            #expect(connection.heard == ["GET /healthz", "end", "GET /beach", "end"])

            for _ in 0..<2 { connection.answer() }
            connection.receive(Self.beach)

            #expect(connection.heard.count == 4)
            #expect(clicks.unitCount == 1)
        }
    }

    @Test("keeps the connection's end, its faults and the server's wish to stop until it has left")
    func held() async throws {
        try await ShortcutConnection.run { connection, clicks in
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

    @Test("has nobody to go to where the connection is gone; its click is stored")
    func gone() async throws {
        try await ShortcutConnection.run { connection, clicks in
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

    @Test("lets a caller who does not wait for answers be read no further until it has left")
    func reading() async throws {
        try await ShortcutConnection.run { connection, clicks in
            connection.receive(Self.beach)
            #expect(connection.isRead)
            connection.receive("POST /v1/events")
            #expect(!connection.isRead)

            clicks.pass()
            connection.pass()

            #expect(connection.isRead)
        }
    }

    private static let applications: [(request: String, host: String, fields: HTTPFields)] = [
        ("POST /beach", "go.example.com", [:]), (beach, "localhost", [:]), (beach, "evilgo.example.com", [:]),
        (beach, "go.example.com", [.connection: "close"]), (beach, "go.example.com", [.contentLength: "1"]),
        (beach, "go.example.com", [.transferEncoding: "chunked"]), (beach, "go.example.com", [.secPurpose: "prefetch"]),
        (beach, "go.example.com", [.userAgent: Browser.slack]), (beach, "go.example.com", [.userAgent: Browser.instagram]),
        ("GET /unknown", "go.example.com", [:]),
        ("GET /over", "go.example.com", [:]), ("GET /copied", "go.example.com", [:]), ("GET /a/../b", "go.example.com", [:]),
        ("GET /v1/links", "go.example.com", [:]), ("GET /.well-known/assetlinks.json", "go.example.com", [:]),
    ]

    @Test("is all that is answered there: everything else is the application's", arguments: applications)
    func others(request: String, host: String, fields: HTTPFields) async throws {
        try await ShortcutConnection.run { connection, clicks in
            connection.receive(request, host: host, fields)

            #expect(connection.heard == [request, "end"])
            #expect(clicks.unitCount == 0)
        }
    }

    @Test("is the application's where its reader does not read")
    func stalled() async throws {
        try await ShortcutConnection.run { connection, clicks in
            connection.isWritable = false
            connection.receive(Self.beach)

            #expect(connection.heard == ["GET /beach", "end"])
        }
    }

    private static let shared: [(browser: Browser, path: String)] = [
        (.onPhone, "/beach"), (.onPhone, "/beach?lf_campaign=x&adj_t=abc&lf_flavour=red&promo=1"), (.onAndroid, "/beach"),
        (.onAndroid, "/own/7?adj_t=abc"), (.onDesktop, "/ways"), (Browser(method: .head), "/beach"),
        (.onPhone, "/app"), (.onDesktop, "/own/7?adj_redirect=https%3A%2F%2Fexample.com%2Fpromo"),
        (.onPhone, "/x?adjust_t=abc&adjust_campaign=winter"), (.onPhone, "/made"),
    ]

    @Test("says and stores what the application would", arguments: shared)
    func same(browser: Browser, path: String) async throws {
        try await TestServer.runBrand { server in
            let made = StoredLink(
                host: "go.example.com", path: LinkPath(stored: "/made"), destination: "https://example.com/offers")
            _ = try await server.services.links.add([made], nowMs: 0)
            let expected = try await browser.open("https://go.example.com" + path, in: server)
            let expectedRow = try await server.onlyClick()
            _ = try await server.services.database.write { try $0.run("DELETE FROM click") }

            let routes = LinkRoutes(services: server.services)
            let answers = LinkAnswering(server.services, HostReading(server.services), routes, .silent)
            let redirect = try #require(answers.plainRedirect(browser.head(path), from: ClientAddress(browser.address)))
            await withCheckedContinuation { stored in
                answers.record(redirect, requestID: "r") { stored.resume() }
            }

            let sent = try ShortcutConnection.Answer(answers.answer(redirect, requestID: "r", ByteBufferAllocator()))
            let row = try await server.onlyClick()
            var fields = sent.fields
            #expect(fields[.date] != nil && fields[.landfallRequestID] == "r")
            fields[.date] = nil
            fields[.landfallRequestID] = expected.headers[.landfallRequestID]
            #expect(sent.status == expected.status)
            #expect(Set(fields) == Set(expected.headers))
            #expect(row.columns == expectedRow.columns)
            for (column, values) in zip(row.columns, zip(row.values, expectedRow.values)) where column != "click_id" {
                #expect(values.0 == values.1, "\(column)")
            }
        }
    }
}

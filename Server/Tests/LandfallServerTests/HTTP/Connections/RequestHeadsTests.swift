// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallWire
import NIOCore
import Testing

@testable import LandfallServer

@Suite("A request's head", .timeLimit(.minutes(1)))
struct RequestHeadsTests {
    private static let whole = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(
        "that ends its connection is answered with 'close', and nothing after it is a request",
        arguments: [
            "Connection: Upgrade\r\nUpgrade: websocket\r\n", "Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n",
            "Connection: Upgrade\r\n", "Connection: close\r\n", "CONNECTION:  TE ,\tClose \r\n",
            "Connection: TE\r\nConnection: close\r\n",
        ])
    func last(fields: String) throws {
        let connection = try RuledConnection()

        connection.receive("GET /healthz HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" + Self.whole + "nonsense\r\n\r\n")
        connection.answer()

        #expect(connection.requests.map(\.path) == ["/healthz"])
        #expect(connection.requests[0].headerFields[values: .connection] == ["close"], "the application ends it")
        #expect(connection.sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(connection.sent.lowercased().contains("\r\nconnection: close\r\n"))
        #expect(!connection.sent.contains("400"))
        connection.receive(Self.whole)
        #expect(connection.requests.count == 1)
    }

    @Test("that comes while the node stops is the last of its connection, whatever it says")
    func draining() throws {
        let draining = Draining()
        let connection = try RuledConnection(draining: draining)
        connection.receive(Self.whole)
        connection.answer()
        #expect(!connection.sent.lowercased().contains("connection: close"))

        draining.begin()
        connection.receive(Self.whole + Self.whole)
        connection.answer()

        #expect(connection.requests.count == 2, "what comes behind it is sent again elsewhere")
        #expect(connection.sent.lowercased().contains("connection: close"))
    }

    @Test("with an upgrade still has its body")
    func upgradeWithBody() throws {
        let connection = try RuledConnection()

        connection.receive(
            "POST /v1/events HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\n1234")
        connection.pass(.seconds(600))

        #expect(connection.isOpen, "the body was there in time")
    }

    @Test("that does not end its connection keeps it open for the next", arguments: ["", "Connection: keep-alive\r\n", "Upgrade: h2c\r\n"])
    func notLast(fields: String) throws {
        let connection = try RuledConnection()

        for _ in 0..<2 {
            connection.receive("GET /healthz HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
            connection.answer()
        }

        #expect(connection.requests.count == 2)
        #expect(connection.requests[0].headerFields[.connection] == nil)
        #expect(!connection.sent.lowercased().contains("\r\nconnection:"))
    }

    @Test("with CONNECT is refused, and the connection closed")
    func tunnel() throws {
        let connection = try RuledConnection()

        connection.receive("CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n" + Self.whole)

        #expect(connection.sent.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        #expect(connection.problem?.code == .methodNotAllowed)
        #expect(!connection.isOpen)
        #expect(connection.requests.isEmpty)
    }

    @Test(
        "without a host, or with ambiguous framing, is refused",
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET http://x@a/ HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\nContent-Length: 1\r\n\r\n1", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \r\n\r\n",
            "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func refused(head: String) throws {
        let connection = try RuledConnection()

        connection.receive(head)

        #expect(connection.sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(connection.problem?.code == .malformedRequest)
        #expect(!connection.isOpen)
        #expect(connection.requests.isEmpty)
    }

    @Test(
        "with an absolute target uses its host, not the Host field",
        arguments: [
            ("http://b.example/x?y=http://c", "b.example", "/x?y=http://c"), ("HTTPS://b.example:8443", "b.example:8443", "/"),
            ("http://b.example?x", "b.example", "/?x"), ("/x?u=http://b/", "a", "/x?u=http://b/"),
        ])
    func absolute(target: String, host: String, path: String) throws {
        let connection = try RuledConnection()

        connection.receive("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(connection.requests.map(\.authority) == [host])
        #expect(connection.requests.map(\.path) == [path])
        #expect(connection.requests[0].headerFields[.anotherHost] == nil)
    }

    @Test("of HTTP/1.0 gets an answer without chunks that ends with the connection", arguments: ["", "Connection: keep-alive\r\n"])
    func old(fields: String) throws {
        let connection = try RuledConnection()

        connection.receive("POST /v1/first-open HTTP/1.0\r\n\(fields)Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}")
        connection.answer("line\n")

        #expect(connection.sent.hasPrefix("HTTP/1.0 200 OK\r\n"))
        #expect(connection.sent.lowercased().contains("\r\nconnection: close\r\n"))
        #expect(!connection.sent.lowercased().contains("chunked"))
        #expect(connection.sent.hasSuffix("\r\n\r\nline\n"))
    }

    @Test("that waits for 100 Continue gets it, in its turn")
    func expectation() throws {
        let connection = try RuledConnection()
        let waiting = "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-Continue\r\n\r\n"
        connection.receive(waiting)
        #expect(connection.sent == "HTTP/1.1 100 Continue\r\n\r\n")

        connection.receive("1234" + waiting)
        #expect(connection.sent == "HTTP/1.1 100 Continue\r\n\r\n", "the first has no answer yet")
        connection.answer()

        #expect(connection.sent.hasSuffix("\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"))
        connection.receive("1234")
        connection.answer()
        #expect(connection.sent.components(separatedBy: "200 OK").count == 3)
    }

    @Test(
        "gets no 100 Continue without a body, or with an unknown expectation",
        arguments: [
            "Expect: 100-continue\r\n", "Expect: 100-continue\r\nContent-Length: 0\r\n", "Expect: x\r\nContent-Length: 4\r\n",
        ])
    func noExpectation(fields: String) throws {
        let connection = try RuledConnection()

        connection.receive("POST /v1/events HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")

        #expect(connection.sent == "")
        #expect(connection.requests.count == 1)
        connection.answer()
        #expect(!connection.sent.lowercased().contains("connection: close"))
    }

    @Test("gets no 100 Continue for a body that is too large: it is refused, and a body that comes anyway is not a request")
    func largeExpectation() throws {
        let connection = try RuledConnection()

        connection.receive("POST /v1/events HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")

        #expect(connection.sent.hasPrefix("HTTP/1.1 413 "))
        #expect(connection.requests.isEmpty)
        #expect(!connection.isOpen)
    }
}

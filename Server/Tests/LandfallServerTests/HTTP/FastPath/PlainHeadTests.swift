// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Testing

@testable import LandfallServer

@Suite("A request's head, read in place", .timeLimit(.minutes(1)))
struct PlainHeadTests {
    private static func read(_ text: String, countryName: String = "") -> PlainHead.Reading {
        ByteBuffer(string: text).withUnsafeReadableBytes { PlainHead.read($0, countryName: Array(countryName.utf8)) }
    }

    private static func whole(_ text: String, countryName: String = "") throws -> (PlainHead, PlainRequest) {
        guard case .whole(let head) = read(text, countryName: countryName) else { throw NotWhole() }
        return (head, PlainRequest(head: head, bytes: ByteBuffer(string: text), peer: nil))
    }
    private struct NotWhole: Error {}

    @Test("has the right parts, and the position of the next request")
    func plain() throws {
        let text = """
            HEAD /a?b=c HTTP/1.1\r\nhost:go.example.com\r\nUSER-AGENT:  A b\r\nX-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n\
            CF-IPCountry: DE\r\nauthorization: Bearer x\r\nLandfall-Profile: y.z\r\nPurpose: p\r\nConnection: Close\r\n\r\n
            """
        let (head, request) = try Self.whole(text + "GET /", countryName: "cf-ipcountry")

        #expect(head.method == .head && head.isLast && head.isAnswerable && head.bodyLength == 0)
        #expect(head.length == text.utf8.count)
        #expect(request.target == "/a?b=c" && request.isFor("/a?b=c") && !request.isFor("/a?b=d"))
        #expect(request.text(head.host) == "go.example.com")
        #expect(request.text(head.userAgent) == "A b")
        #expect(request.text(head.forwardedFor) == "192.0.2.1, 192.0.2.2")
        #expect(request.text(head.country) == "DE")
        #expect(request.text(head.authorization) == "Bearer x")
        #expect(request.text(head.profile) == "y.z")
        #expect(request.text(head.purpose) == "p")
        #expect(request.text(head.secPurpose) == nil)
    }

    @Test("is incomplete until its last byte has arrived")
    func parts() throws {
        let text = "GET /beach HTTP/1.1\r\nHost: go.example.com\r\nConnection: keep-alive\r\n\r\n"

        for count in 0..<text.utf8.count { #expect(Self.read(String(decoding: text.utf8.prefix(count), as: UTF8.self)) == .part) }
        #expect(try Self.whole(text).0.isAnswerable)
    }

    private static let applications = [
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: a\r\nUser-Agent: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nAccept: image/webp,*/*\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nReferer: ü\r\n\r\n", "GET / HTTP/1.1\r\nHost: a \r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: a\tb\r\n\r\n", "OPTIONS /a HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    @Test("may be left to the application, and its end is still known", arguments: applications)
    func framed(text: String) throws {
        let (head, _) = try Self.whole(text + "123456789012")

        #expect(!head.isAnswerable)
        #expect(head.length == text.utf8.count)
        #expect(head.bodyLength == (text.contains("12") ? 12 : 0))
    }

    private static let strange = [
        "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /\t HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
        "GET /ü HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\0\r\n\r\n", "GET / HTTP/1.1\r\n: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{7F}\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\ntransfer-encoding:\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, TE\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nProxy-Connection: close\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX!: a\r\n\r\n",
        "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 65) + "\r\n",
        "GET /" + String(repeating: "x", count: PlainHead.longest) + " HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: PlainHead.longest),
    ]

    @Test("is not read if two readers might understand it differently", arguments: strange)
    func unread(text: String) { #expect(Self.read(text) == .strange) }
}

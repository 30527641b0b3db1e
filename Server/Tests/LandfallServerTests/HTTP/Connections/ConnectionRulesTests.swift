// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import NIOCore
import Testing

@testable import LandfallServer

/// Bytes in, bytes out: the connection as the server sets it up, on a loop whose time the test moves.
@Suite("A connection", .timeLimit(.minutes(1)))
struct ConnectionRulesTests {
    private static let head = "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
    private static let marks = String(repeating: "\u{300}", count: 31)
    private static let whole = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("whose body comes too slowly gets 408 and is closed, however steadily it arrives")
    func slowBody() throws {
        let connection = try RuledConnection()
        connection.receive(Self.head)
        for byte in ["1", "2", "3"] {
            connection.pass(.seconds(15))
            connection.receive(byte)
        }
        #expect(connection.isOpen)

        connection.pass(.seconds(15))

        #expect(connection.sent.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(connection.problem?.code == .requestTimeout)
        #expect(!connection.isOpen)
        #expect(connection.errors == [.requestTimeout], "the handler hears why the body never comes")
    }

    @Test("whose body is too large gets 413 and is closed, with or without a declared length")
    func largeBody() throws {
        var limits = ConnectionLimits()
        limits.bodyLength = 8
        let announced = try RuledConnection(limits), chunked = try RuledConnection(limits), fitting = try RuledConnection(limits)

        announced.receive("POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        chunked.receive("POST /v1/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n")
        #expect(chunked.sent == "")
        chunked.receive("1\r\n9\r\n")
        fitting.receive("POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\n12345678")

        for connection in [announced, chunked] {
            #expect(connection.sent.hasPrefix("HTTP/1.1 413 "))
            #expect(connection.problem?.code == .bodyTooLarge)
            #expect(!connection.isOpen)
        }
        #expect(fitting.isOpen)
        #expect(fitting.requests.count == 1)
    }

    @Test("whose body arrives in time is not closed afterwards")
    func bodyInTime() throws {
        let connection = try RuledConnection()
        connection.receive(Self.head + "1234")

        connection.pass(.seconds(600))

        #expect(connection.isOpen)
        #expect(connection.sent == "")
    }

    @Test(
        "with bytes that are not HTTP gets 400 with a stable code, and is closed",
        arguments: [
            "\u{1}\u{2}\u{3}\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "GET / HTTP/1.1\r\nHo st: a\r\n\r\n",
            // More combining marks in a row than anything compares in a short time.
            "GET / HTTP/1.1\r\nHost: a\(marks)\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer pk_\(marks)\r\n\r\n",
            "GET /v1/links?a%CC%96\(String(repeating: "%CC%80", count: 30)) HTTP/1.1\r\nHost: a\r\n\r\n",
        ]
    )
    func notHTTP(bytes: String) throws {
        let connection = try RuledConnection()

        connection.receive(bytes)

        #expect(connection.sent.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(connection.problem?.code == .malformedRequest)
        #expect(connection.sent.lowercased().contains("\r\nlandfall-version: "))
        #expect(!connection.isOpen)
    }

    @Test("whose head is too large gets 431", arguments: [("X: " + String(repeating: "x", count: 40_000), 1), ("X: y", 200)])
    func largeHead(field: String, times: Int) throws {
        let connection = try RuledConnection()

        connection.receive("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: field + "\r\n", count: times) + "\r\n")

        #expect(connection.sent.hasPrefix("HTTP/1.1 431 "))
        #expect(connection.problem?.code == .headersTooLarge)
        #expect(!connection.isOpen)
    }

    @Test("that breaks the rules after a good request first gets that request's answer")
    func inTurn() throws {
        let connection = try RuledConnection()
        connection.receive(Self.whole + "nonsense\r\n\r\n")
        #expect(connection.sent == "")

        connection.answer()

        #expect(connection.sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(connection.sent.contains("HTTP/1.1 400 Bad Request\r\n"))
        #expect(!connection.isOpen)
    }

    @Test("that is refused twice gets one error")
    func once() throws {
        let connection = try RuledConnection()
        connection.receive("nonsense\r\n\r\n")
        connection.receive("nonsense\r\n\r\n")

        #expect(connection.sent.components(separatedBy: "HTTP/1.1 400").count == 2)
    }

    @Test("whose body breaks after the answer has begun is only closed: a second answer would have no request")
    func alreadyAnswered() throws {
        let connection = try RuledConnection()
        connection.receive(Self.head)
        connection.answer()

        connection.pass(.seconds(60))

        #expect(!connection.sent.contains("408"))
        #expect(!connection.isOpen)
    }

    @Test("whose client stops reading is closed after a while")
    func stalledReader() throws {
        let connection = try RuledConnection()
        connection.receive(Self.whole)

        connection.isWritable = false
        connection.pass(.seconds(59))
        #expect(connection.isOpen)
        connection.pass(.seconds(1))

        #expect(!connection.isOpen)
    }

    @Test("without a request for a while is closed: at first, with half a head, and after an answer")
    func idle() throws {
        let silent = try RuledConnection(), slow = try RuledConnection(), answered = try RuledConnection()
        slow.receive("GET / HTTP/1.1\r\n")
        answered.receive(Self.whole)
        for connection in [silent, slow, answered] { connection.pass(.seconds(59)) }
        answered.answer()
        #expect([silent, slow, answered].allSatisfy { $0.isOpen })

        for connection in [silent, slow, answered] { connection.pass(.seconds(1)) }

        #expect(!silent.isOpen)
        #expect(!slow.isOpen)
        #expect(answered.isOpen)
        answered.pass(.seconds(59))
        #expect(!answered.isOpen)
    }

    @Test("with a held answer is not idle")
    func held() throws {
        let connection = try RuledConnection()
        connection.receive(Self.whole)

        connection.pass(.seconds(600))

        #expect(connection.isOpen)
    }

    @Test("is closed if an answer is not complete at its limit", arguments: [false, true])
    func answerLimit(isSaidButUnwritten: Bool) throws {
        let connection = try RuledConnection()
        connection.receive(Self.whole)
        connection.limitAnswer(to: .seconds(7))
        if isSaidButUnwritten { connection.answer(isWritten: false) }

        connection.pass(.milliseconds(6_999))
        #expect(connection.isOpen)
        connection.pass(.milliseconds(1))

        #expect(!connection.isOpen)
    }

    @Test("stays open for the next request if an answer was complete in time")
    func answeredInTime() throws {
        let connection = try RuledConnection()
        connection.receive(Self.whole)
        connection.limitAnswer(to: .seconds(7))
        connection.answer()
        connection.receive(Self.whole)

        connection.pass(.seconds(600))

        #expect(connection.isOpen)
    }

    @Test("is counted while it is open, once")
    func counted() throws {
        let connection = try RuledConnection()
        connection.receive(Self.whole)
        #expect(connection.connections.count == 1)

        connection.pass(.seconds(600))
        connection.answer()
        connection.pass(.seconds(60))

        #expect(!connection.isOpen)
        #expect(connection.connections.count == 0)
    }

    @Test("whose client reads in time stays open")
    func slowReader() throws {
        let connection = try RuledConnection()
        connection.receive(Self.whole)

        connection.isWritable = false
        connection.pass(.seconds(59))
        connection.isWritable = true
        connection.pass(.seconds(600))

        #expect(connection.isOpen)
    }
}

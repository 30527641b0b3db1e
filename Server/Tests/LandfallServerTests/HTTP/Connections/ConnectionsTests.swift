// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import NIOCore
import Testing

@testable import LandfallServer

@Suite("Connections", .timeLimit(.minutes(1)))
struct ConnectionsTests {
    private static let call = "GET /v1/profiles/me HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("above the limit are told to retry, except probes; the others continue")
    func spare() throws {
        let connections = Connections(most: 2)
        let open = try (0..<2).map { _ in try RuledConnection(among: connections) }
        let late = try RuledConnection(among: connections), probe = try RuledConnection(among: connections)

        late.receive(Self.call)
        probe.receive("GET /readyz?x HTTP/1.1\r\nHost: a\r\n\r\n")
        probe.answer()
        open[0].receive(Self.call)
        open[0].answer()

        #expect(late.sent.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(late.sent.lowercased().contains("\r\nretry-after: 1\r\n"))
        #expect(late.problem?.code == .busy)
        #expect(!late.isOpen)
        #expect(probe.sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(probe.sent.lowercased().contains("\r\nconnection: close\r\n"))
        #expect(!probe.isOpen)
        #expect(open[0].sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(open.allSatisfy { $0.isOpen })
    }

    @Test("that close make room")
    func room() throws {
        let connections = Connections(most: 1)
        let first = try RuledConnection(among: connections)
        first.pass(.seconds(60))
        #expect(!first.isOpen)

        let second = try RuledConnection(among: connections)
        second.receive(Self.call)
        second.answer()

        #expect(second.sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(connections.count == 1)
    }

    @Test("above the spare ones are closed at once, and a spare one without a request after two seconds")
    func full() throws {
        let connections = Connections(most: 1)
        let taken = try (0..<1 + Connections.spare).map { _ in try RuledConnection(among: connections) }
        let late = try RuledConnection(among: connections)

        #expect(taken.allSatisfy { $0.isOpen })
        #expect(!late.isOpen)
        for connection in taken { connection.pass(.seconds(2)) }
        #expect(taken.count { $0.isOpen } == 1)
        #expect(connections.count == 1)
    }

    @Test("of one address are limited to a share; an address that may stand for many clients has no limit")
    func address() throws {
        let connections = Connections(most: 320, proxies: try TrustedProxies(["198.51.100.0/24"]))
        #expect(connections.mostOfAddress == 20)

        var open: [String: Int] = [:]
        let callers = [
            "192.0.2.7", "2001:db8:1:2::1", "2001:db8:1:2:3::4", "198.51.100.1", "127.0.0.1", "10.0.0.1", "::1", "fd00::1",
        ]
        for caller in callers {
            for _ in 0..<25 where (try? connections.seat(for: ClientAddress(caller))) != nil { open[caller, default: 0] += 1 }
        }

        #expect(open["192.0.2.7"] == 20)
        #expect(open["2001:db8:1:2::1"] == 20)
        #expect(open["2001:db8:1:2:3::4"] == nil, "the same connection to the internet")
        for caller in callers[3...] { #expect(open[caller] == 25, "\(caller)") }
    }

    @Test("of one address make room for the next from there")
    func addressAgain() throws {
        let connections = Connections(most: 16)
        let caller = ClientAddress("192.0.2.7")
        let seats = try (0..<16).map { _ in try connections.seat(for: caller) }
        let refused = #expect(throws: Connections.Refused.self) { try connections.seat(for: caller) }
        #expect(refused?.limit == .connectionsByAddress)

        connections.leave(seats[0])

        #expect(throws: Never.self) { try connections.seat(for: caller) }
    }
}

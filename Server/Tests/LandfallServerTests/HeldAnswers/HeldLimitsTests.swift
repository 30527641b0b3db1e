// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The number of held answers", .timeLimit(.minutes(1)))
struct HeldLimitsTests {
    private let app = AppID("example")
    private let install = InstallID(Phone().id)
    private let home = ClientAddress("192.0.2.7")

    @Test("An install has a limit of waits, and waits of unauthenticated callers do not count")
    func waits() throws {
        let full = Reached()
        let holds = HeldAnswers(HeldLimits(waits: 2), onFull: full.add)
        for _ in 0..<5 { _ = holds.take(.plain, app: app, install: install) }
        let proven = (0..<3).compactMap { _ in holds.take(.plain, app: app, install: install) }

        #expect(proven.map(holds.admit) == [true, true, false])
        #expect(full.all == [.heldByInstall])
        let other = try #require(holds.take(.plain, app: app, install: InstallID(Phone(2).id)))
        #expect(holds.admit(other))
        holds.release(proven[0])
        #expect(holds.admit(proven[2]))
    }

    @Test("Of an install's streams the newest continues, and few are about to end")
    func streams() async throws {
        let holds = HeldAnswers(HeldLimits(streams: 2))
        let streams = (0..<3).compactMap { _ in holds.take(.stream, app: app, install: install) }

        #expect(streams.map(holds.admit) == [true, true, false])
        holds.release(streams[0])
        #expect(holds.admit(streams[2]))
        let wake = await streams[1].wait(for: .seconds(30), time: .live)
        guard case .replaced = wake else {
            Issue.record("The older stream goes on: \(wake)")
            return
        }
    }

    @Test("An address has a limit; an IPv6 connection counts as one, and an address that identifies no caller has no limit")
    func address() throws {
        let full = Reached()
        let holds = HeldAnswers(HeldLimits(node: 100, address: 2), onFull: full.add)
        func take(_ number: Int, _ address: String?) -> HeldAnswer? {
            holds.take(.plain, app: app, install: InstallID(Phone(number).id), at: address.flatMap { ClientAddress($0) })
        }

        let first = try #require(take(1, "192.0.2.7"))
        #expect(take(2, "192.0.2.7") != nil)
        #expect(take(3, "192.0.2.7") == nil)
        #expect(take(4, "192.0.2.8") != nil)
        #expect(["::1", "::2", "::3"].map { take(5, "2001:db8:1:2" + $0) != nil } == [true, true, false])
        for _ in 0..<5 { #expect(take(6, nil) != nil) }
        holds.release(first)
        #expect(take(3, "192.0.2.7") != nil)
        #expect(full.all == [.heldByAddress, .heldByAddress])
    }

    @Test("The node has a limit, and reports which limit was hit")
    func node() {
        let full = Reached()
        let holds = HeldAnswers(HeldLimits(node: 1), onFull: full.add)
        #expect(holds.take(.stream, app: app, install: install, at: home) != nil)
        #expect(holds.take(.plain, app: app, install: install, at: home) == nil)
        holds.stop()
        #expect(holds.take(.plain, app: app, install: install, at: home) == nil)

        #expect(full.all == [.held])
    }

    @Test("A wait above the install's limit is answered at once with the current state")
    func overHTTP() async throws {
        try await TestServer.run(held: HeldLimits(node: 100, waits: 2)) { server in
            let known: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()
            let path = WirePath.profile + "?after=\(known.profile.version)&wait=30000"
            async let first = server.send(.get, path)
            async let second = server.send(.get, path)
            await server.clock.waitForSleepers(2)

            let third = try await server.send(.get, path)

            #expect(try third.decoded(ProfileAnswer.self) == known)
            #expect(server.services.holds.count == 2)
            server.services.nodeTelemetry(StoreWatch(server.services.database, time: server.services.time, logger: .silent)).report()
            let metrics = server.services.metrics.text()
            #expect(metrics.contains("landfall_held{kind=\"plain\"} 2\n"))
            #expect(metrics.contains("landfall_limit_hit_total{limit=\"held_by_install\"} 1\n"))
            server.clock.advance(by: .seconds(30))
            #expect(try await [first, second].map { $0.status } == [.ok, .ok])
            #expect(server.services.holds.count == 0)
        }
    }

    @Test(
        "A first open and a wait above the address's limit are answered at once, directly and behind a proxy",
        arguments: [("192.0.2.7", nil), ("10.0.0.1", "192.0.2.7")] as [(String, String?)])
    func addressOverHTTP(peer: String, forwarded: String?) async throws {
        try await TestServer.run(held: HeldLimits(node: 100, address: 1), proxies: TrustedProxies(["10.0.0.0/8"])) { server in
            @Sendable func send(
                _ method: HTTPRequest.Method, _ path: String, _ phone: Phone, _ body: String = ""
            ) async throws -> String {
                var fields: HTTPFields = [.authorization: "Bearer pk_test"]
                fields[.landfallProfile] = "\(phone.id).\(phone.secret)"
                if let forwarded { fields[.xForwardedFor] = forwarded }
                let app = Browser(userAgent: nil, address: peer, method: method, headers: fields, body: body)
                return try await app.send(path, host: "api.example.com", to: server).body
            }
            let open = #"{"adToken":"coming","holdMilliseconds":3000}"#
            async let held = send(.post, WirePath.firstOpen, Phone(1), open)
            await server.clock.waitForSleeper()

            let second = try await send(.post, WirePath.firstOpen, Phone(2), open)
            let wait = try await send(.get, WirePath.profile + "?after=99&wait=30000", Phone(3))

            #expect(second.contains(#""reason":"notHeld""#))
            #expect(wait.contains(#""profile""#))
            server.clock.advance(by: .seconds(3))
            #expect(try await held.contains(#""reason":"holdOver""#))
        }
    }
}

/// Which limits were reached, in order.
private final class Reached: Sendable {
    private let limitHits = Mutex<[Limit]>([])
    var all: [Limit] { limitHits.withLock { $0 } }
    var add: @Sendable (Limit) -> Void { { [self] limit in limitHits.withLock { $0.append(limit) } } }
}

// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallServer

@Suite("The limit of one network address", .timeLimit(.minutes(1)))
struct AddressLimitTests {
    private static let home = ClientAddress("192.0.2.7")

    @Test("is a number in ten minutes, to the millisecond, and the error says when to retry")
    func window() throws {
        let limit = AddressLimit(.unprovenClicksByAddress, most: 3, of: "calls")
        for nowMs: Int64 in [0, 1, 2] { try limit.take(Self.home, nowMs: nowMs) }

        let refusal = #expect(throws: LimitReached.self) { try limit.take(Self.home, nowMs: 300_001) }
        #expect(refusal?.code == .rateLimited)
        #expect(refusal?.retryAfter == 300)
        #expect(refusal?.description.contains("192") == false)
        #expect(throws: LimitReached.self) { try limit.check(Self.home, nowMs: 599_999) }
        try limit.take(Self.home, nowMs: 600_000)
        try limit.check(Self.home, nowMs: 600_001)
    }

    @Test("is separate for each address, and does not exist if the caller is not known")
    func others() throws {
        let limit = AddressLimit(.unprovenClicksByAddress, most: 1, of: "calls")
        try limit.take(Self.home, nowMs: 0)

        // One of 65,536 counters each: among these no two are the same but by a chance of one in a thousand.
        let refused = (0..<64).count { number in (try? limit.check(ClientAddress("198.51.100.\(number)"), nowMs: 0)) == nil }
        #expect(refused <= 1)
        for _ in 0..<3 { try limit.take(nil, nowMs: 0) }
    }

    @Test("is one for the devices of an IPv6 connection, which choose half of their address themselves")
    func networks() throws {
        let limit = AddressLimit(.unprovenClicksByAddress, most: 1, of: "calls")
        try limit.take(ClientAddress("2001:db8:1:2::1"), nowMs: 0)

        #expect(throws: LimitReached.self) { try limit.check(ClientAddress("2001:db8:1:2:ffff::9"), nowMs: 0) }
    }

    @Test("counts calls that arrive slightly out of order")
    func outOfOrder() throws {
        let limit = AddressLimit(.unprovenClicksByAddress, most: 1, of: "calls")
        try limit.take(Self.home, nowMs: 10_000_000)

        #expect(throws: LimitReached.self) { try limit.take(Self.home, nowMs: 9_999_999) }
    }

    @Test("holds to the last call if many arrive at the same time")
    func together() async {
        for _ in 0..<200 {
            let limit = AddressLimit(.unprovenClicksByAddress, most: 40, of: "calls")
            let taken = await withTaskGroup(of: Int.self) { tasks in
                for _ in 0..<8 {
                    tasks.addTask { (0..<10).count { _ in (try? limit.take(Self.home, nowMs: 0)) != nil } }
                }
                return await tasks.reduce(0, +)
            }

            #expect(taken == 40)
        }
    }

    @Test("starts again after the clock was set back")
    func setBack() throws {
        let limit = AddressLimit(.unprovenClicksByAddress, most: 1, of: "calls")
        try limit.take(Self.home, nowMs: 10_000_000)

        try limit.take(Self.home, nowMs: 0)

        #expect(throws: LimitReached.self) { try limit.take(Self.home, nowMs: 0) }
    }

    @Test("applies to unproven clicks: 429, while proven and unrecorded ones continue")
    func unproven() async throws {
        try await TestServer.run { server in
            let most = server.services.unprovenClicks.most
            for _ in 0..<most { server.services.unprovenClicks.count(Self.home, nowMs: server.services.time.nowMs()) }
            server.clock.advance(by: .seconds(60))

            let refused = try await server.openLink(key: "a", from: "192.0.2.7", phone: nil)
            #expect(refused.status == 429)
            #expect(refused.headers[.retryAfter] == "540")
            #expect(refused.body.contains("rate_limited") && !refused.body.contains("192.0.2"))
            #expect(try await server.clicks() == [])
            #expect(try await server.openLink(key: "b", from: "192.0.2.7", phone: nil, recordsClick: false).status == 200)
            #expect(try await server.openLink(key: "c", from: "192.0.2.7", phone: Phone()).status == 200)

            server.clock.advance(by: .seconds(540))
            #expect(try await server.openLink(key: "a", from: "192.0.2.7", phone: nil).status == 200)
            #expect(try await server.clicks().count == 2)
        }
    }

    @Test("counts each click, directly or behind a configured proxy", arguments: [true, false])
    func counted(isProxied: Bool) async throws {
        let proxies = try isProxied ? TrustedProxies(["10.0.0.0/8"]) : .none
        try await TestServer.run(proxies: proxies) { server in
            let most = server.services.unprovenClicks.most
            for _ in 1..<most { server.services.unprovenClicks.count(Self.home, nowMs: server.services.time.nowMs()) }
            let (peer, forwarded) = isProxied ? ("10.0.0.1", "192.0.2.7") : ("192.0.2.7", nil)

            let statuses = [
                try await server.openLink(key: "a", from: peer, forwarded: forwarded, phone: nil).status,
                try await server.openLink(key: "b", from: peer, forwarded: forwarded, phone: nil).status,
            ]

            #expect(statuses == [200, 429])
        }
    }

    @Test(
        "does not apply if a proxy may stand in front of the caller",
        arguments: [
            ("127.0.0.1", nil, []), ("10.1.2.3", nil, []), ("192.168.1.1", "192.0.2.7", []), ("100.64.0.1", nil, []),
            ("10.0.0.1", nil, ["10.0.0.0/8"]), ("203.0.113.1", nil, ["203.0.113.0/24"]),
        ] as [(String, String?, [String])])
    func nobodys(peer: String, forwarded: String?, proxies: [String]) async throws {
        try await TestServer.run(proxies: TrustedProxies(proxies)) { server in
            for address in [peer, forwarded].compactMap({ $0 }) {
                for _ in 0..<server.services.unprovenClicks.most {
                    server.services.unprovenClicks.count(ClientAddress(address), nowMs: server.services.time.nowMs())
                }
            }
            let answer = try await server.openLink(key: "a", from: peer, forwarded: forwarded, phone: nil)

            #expect(answer.status == 200)
        }
    }

    @Test("applies to wrong codes, however many installs send them")
    func codes() async throws {
        try await TestServer.run { server in
            try await server.handOver(Self.token("right"), minutesAgo: 1, expiresInMs: 7_200_000)
            let most = server.services.wrongTokensByAddress.most
            for number in 0..<most {
                let answer = try await server.showCode(Self.token("w"), by: Phone(number + 2), from: "192.0.2.7")
                #expect(answer.status == 200, "\(number)")
            }

            let refused = try await server.showCode(Self.token("right"), by: Phone(), from: "192.0.2.7")
            #expect(refused.status == 429)
            #expect(refused.headers[.retryAfter] == "600")
            #expect(refused.body.contains("rate_limited"))
            // A first open says nothing of the link, so that the phone keeps its code and asks later.
            let open = try await server.showCode(Self.token("right"), by: Phone(), from: "192.0.2.7", inFirstOpen: true)
            #expect(open.status == 200)
            #expect(!open.body.contains(#""deferred""#))
            // Callers without a code, and callers elsewhere, are answered.
            #expect(try await server.showCode(nil, by: Phone(500), from: "192.0.2.7").status == 200)

            server.clock.advance(by: .milliseconds(AddressLimit.windowMs))
            let found = try await server.showCode(Self.token("right"), by: Phone(), from: "192.0.2.7", inFirstOpen: true)
            #expect(found.body.contains(#""pasteboard""#))
        }
    }

    @Test("counts wrong codes of first opens as well")
    func codesInFirstOpens() async throws {
        try await TestServer.run { server in
            for _ in 1..<server.services.wrongTokensByAddress.most {
                server.services.wrongTokensByAddress.count(Self.home, nowMs: server.services.time.nowMs())
            }

            _ = try await server.showCode(Self.token("w"), by: Phone(), from: "192.0.2.7", inFirstOpen: true)

            #expect(try await server.showCode(Self.token("w"), by: Phone(2), from: "192.0.2.7").status == 429)
        }
    }

    private static func token(_ name: String) -> String { name + String(repeating: "z", count: 22 - name.count) }
}

extension TestServer {
    fileprivate func openLink(
        key: String, from address: String, forwarded: String? = nil, phone: Phone?, recordsClick: Bool = true
    ) async throws -> Browser.Answer {
        let body = #"{"url":"https://brandname.go.link/beach","key":"\#(key)","recordsClick":\#(recordsClick)}"#
        return try await call(WirePath.linkOpen, body, phone, from: address, forwarded: forwarded)
    }

    fileprivate func showCode(
        _ token: String?, by phone: Phone, from address: String, inFirstOpen: Bool = false
    ) async throws -> Browser.Answer {
        let asked = token.map { #"{"token":"\#($0)"}"# } ?? "{}"
        return try await call(
            inFirstOpen ? WirePath.firstOpen : WirePath.deferredLink, inFirstOpen ? #"{"deferred":\#(asked)}"# : asked, phone,
            from: address)
    }

    private func call(
        _ path: String, _ body: String, _ phone: Phone?, from address: String, forwarded: String? = nil
    ) async throws -> Browser.Answer {
        var fields: HTTPFields = [.authorization: "Bearer pk_test"]
        if let phone { fields[.landfallProfile] = "\(phone.id).\(phone.secret)" }
        if let forwarded { fields[.xForwardedFor] = forwarded }
        let app = Browser(userAgent: nil, address: address, method: .post, headers: fields, body: body)
        return try await app.send(path, host: "api.example.com", to: self)
    }
}

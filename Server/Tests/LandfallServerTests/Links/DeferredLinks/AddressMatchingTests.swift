// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("A link that is found by network address", .timeLimit(.minutes(1)))
struct AddressMatchingTests {
    private static let beach = "https://go.example.com/beach"

    @Test("is not searched unless the team enables it, and nothing is stored for it")
    func off() async throws {
        for setting in ["", "deferredLinks: { byAddress: false }\n", "deferredLinks: { windowMinutes: 60 }\n"] {
            try await TestServer.runBrand(app: TestServer.brandApp + setting) { server in
                _ = try await Browser.onPhone.open(Self.beach, in: server)

                #expect(try await server.counts() == [0, 0])
                #expect(try await server.firstOpen(from: "192.0.2.7") == DeferredLinkAnswer.none)
                #expect(try await server.ask(from: "192.0.2.7") == .none)
            }
        }
    }

    @Test("belongs to the first open, once, for ever, and to no other", arguments: [true, false])
    func taken(asksWithOpen: Bool) async throws {
        try await TestServer.runMatching { server in
            _ = try await Browser.onPhone.open(Self.beach + "?a=1", in: server)
            server.clock.advance(by: .seconds(60))
            if !asksWithOpen { #expect(try await server.firstOpen(from: "192.0.2.7", deferred: nil) == nil) }

            let answer = try await asksWithOpen ? server.firstOpen(from: "192.0.2.7") : server.ask(from: "192.0.2.7")

            let link = DeferredLink(
                original: Self.beach + "?a=1", resolved: "https://go.example.com/summer-clothes?promo=beach&a=1",
                matchedBy: .address, ageMilliseconds: 60_000
            )
            #expect(answer == .link(link))
            #expect(try await server.ask(from: "198.51.100.1") == .link(link))
            #expect(try await server.firstOpen(Phone(2), from: "192.0.2.7") == DeferredLinkAnswer.none)
            #expect(try await server.counts() == [1, 0])
        }
    }

    @Test("belongs to one install when many ask at once", .embedded("known gap: on PostgreSQL another claim takes the click between the two runs of RecordingDatabase"))
    func race() async throws {
        try await TestServer.runMatching { server in
            _ = try await Browser.onPhone.open(Self.beach, in: server)

            let answers = try await withThrowingTaskGroup(of: DeferredLinkAnswer?.self) { group in
                for number in 1...20 { group.addTask { try await server.firstOpen(Phone(number), from: "192.0.2.7") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.count { $0?.match == .address } == 1)
            #expect(answers.count { $0 == DeferredLinkAnswer.none } == 19)
        }
    }

    @Test(
        "is not found if several visitors or links share the address",
        arguments: [
            [(browser: Browser.onPhone, url: beach), (.inInstagram, beach)],
            [(.onPhone, beach), (.onPhone, "https://go.example.com/app?lf_open=app")],
            [(.onPhone, beach + "?by=anna"), (.onPhone, beach + "?by=ben")],
            [(.onPhone, beach), (.inInstagram, beach), (.onPhone, beach)],
        ], [0, 10])
    func shared(clicks: [(browser: Browser, url: String)], minutesBetween: Int) async throws {
        try await TestServer.runMatching { server in
            for click in clicks {
                _ = try await click.browser.open(click.url, in: server)
                server.clock.advance(by: .seconds(60 * minutesBetween))
            }

            #expect(try await server.firstOpen(from: "192.0.2.7") == DeferredLinkAnswer.none)
        }
    }

    @Test("stays one link if its visitor taps it again, and is then deleted as a whole", arguments: [0, 10])
    func again(minutesBetween: Int) async throws {
        try await TestServer.runMatching { server in
            for _ in 0..<2 {
                _ = try await Browser.onPhone.open(Self.beach, in: server)
                server.clock.advance(by: .seconds(60 * minutesBetween))
            }

            guard case .link(let link) = try await server.firstOpen(from: "192.0.2.7") else { throw Missing() }
            #expect(link.ageMilliseconds == Int64(minutesBetween) * 60_000)
            #expect(try await server.firstOpen(Phone(2), from: "192.0.2.7") == DeferredLinkAnswer.none)
        }
    }

    @Test(
        "is stored only for persons on iOS",
        arguments: [
            (Browser.onPhone, beach, 1), (.inInstagram, beach, 1), (.onAndroid, beach, 0), (.onDesktop, beach, 0),
            (Browser(userAgent: Browser.slack), beach, 0), (Browser(method: .head), beach, 0),
            (Browser(headers: [.purpose: "prefetch"]), beach, 0), (.onPhone, "https://go.example.com/over", 0),
            (.onPhone, "https://go.example.com/nothing", 0), (Browser(userAgent: Browser.mac), "https://go.example.com/copied", 0), (.onPhone, "https://go.example.com/copied", 1),
            (Browser(address: "2001:db8::7"), beach, 1),
        ] as [(Browser, String, Int64)])
    func persons(browser: Browser, url: String, count: Int64) async throws {
        try await TestServer.runMatching { server in
            _ = try await browser.open(url, in: server)

            #expect(try await server.counts() == [count, count])
        }
    }

    @Test(
        "is found only from the same address and by phones that report iOS",
        arguments: [
            ("192.0.2.8", "ios"), ("2001:db8::7", "ios"), ("192.0.2.7", "macos"), ("192.0.2.7", "linux"), ("192.0.2.7", nil),
        ] as [(String, String?)])
    func elsewhere(address: String, platform: String?) async throws {
        try await TestServer.runMatching { server in
            _ = try await Browser.onPhone.open(Self.beach, in: server)

            #expect(try await server.firstOpen(from: address, platform: platform) == DeferredLinkAnswer.none)
            #expect(try await server.firstOpen(Phone(2), from: "192.0.2.7")?.match == .address)
        }
    }

    @Test("needs an address that is one place: not of a private network, a carrier's NAT or this machine")
    func nobodys() async throws {
        for address in [
            "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.1.1", "127.0.0.1", "::1", "fe80::1", "fd00::1",
        ] {
            #expect(AddressPlace(ClientAddress(address), AddressMatching()) == nil, "\(address)")
        }
        for address in ["9.1.2.3", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.2.7", "2001:db8::1", "::ffff:192.0.2.7"] {
            #expect(AddressPlace(ClientAddress(address), AddressMatching()) != nil, "\(address)")
        }
    }

    @Test("uses the address from trusted proxies only")
    func proxies() async throws {
        let forwarded: HTTPFields = [.xForwardedFor: "203.0.113.5, 192.0.2.7"]
        try await TestServer.runMatching(proxies: TrustedProxies(["10.0.0.0/8"])) { server in
            _ = try await Browser(address: "10.0.0.1", headers: forwarded).open(Self.beach, in: server)

            #expect(try await server.firstOpen(from: "203.0.113.5") == DeferredLinkAnswer.none)
            #expect(try await server.firstOpen(Phone(2), from: "198.51.100.1", headers: forwarded) == DeferredLinkAnswer.none)
            #expect(try await server.firstOpen(Phone(3), from: "10.0.0.2", headers: forwarded)?.match == .address)
        }
    }

    @Test("waits for the configured time, to the millisecond", arguments: [nil, 10, 1440])
    func expiry(minutes: Int?) async throws {
        try await TestServer.runMatching(minutes: minutes) { server in
            for address in ["192.0.2.7", "192.0.2.8"] {
                _ = try await Browser(address: address).open(Self.beach, in: server)
            }
            server.clock.advance(by: .seconds((minutes ?? 30) * 60) - .milliseconds(1))
            #expect(try await server.firstOpen(from: "192.0.2.7")?.match == .address)
            server.clock.advance(by: .milliseconds(1))

            #expect(try await server.firstOpen(Phone(2), from: "192.0.2.8") == DeferredLinkAnswer.none)
        }
    }

    @Test("is stored under the key of its ten minutes, which is deleted when no click of that time waits")
    func rotation() async throws {
        try await TestServer.runMatching { server in
            let start = server.services.time.nowMs() % AddressKey.lifeMs
            server.clock.advance(by: .milliseconds(AddressKey.lifeMs - start))
            for minutes in [0, 9, 1] {
                server.clock.advance(by: .seconds(60 * minutes))
                _ = try await Browser.onPhone.open(Self.beach, in: server)
            }
            let rows = try await server.services.database.read { try $0.rows("SELECT * FROM address_click") }
            #expect(try Set(rows.map { try $0.blob("mark") }).count == 2)
            #expect(try rows.allSatisfy { try $0.blob("mark").count == 32 })
            #expect(!"\(rows)".contains("192.0.2.7") && !"\(rows)".contains("192, 0, 2, 7"))
            let forgetting = server.services.addressKeyExpiry

            for (afterMs, left) in [(1_799_999, 2), (1_800_000, 1), (2_399_999, 1), (2_400_000, 0)] as [(Int64, Int64)] {
                // The first key was current until now.
                _ = try await forgetting.forgetSome(nowMs: server.services.time.nowMs() + afterMs)

                #expect(try await server.counts() == [left, left])
            }
        }
    }

    @Test("is deleted with its key if a node no longer matches addresses")
    func turnedOff() async throws {
        try await TestServer.runMatching { server in
            _ = try await Browser.onPhone.open(Self.beach, in: server)
            let forgetting = AddressKeyExpiry(keys: server.services.addressKeys, app: AppID("example"), matching: nil)

            _ = try await forgetting.forgetSome(nowMs: server.services.time.nowMs())

            #expect(try await server.counts() == [0, 0])
        }
    }

    @Test("is the fallback for a token that leads nowhere; a right token comes first and removes the guess")
    func tokens() async throws {
        try await TestServer.runMatching { server in
            let copied = try #require(try await Browser.onPhone.open("https://go.example.com/copied", in: server).copied)
            let wrong = #"{"token":"\#(String(repeating: "z", count: 22))"}"#
            _ = try await Browser(address: "192.0.2.8").open(Self.beach, in: server)

            #expect(try await server.firstOpen(from: "192.0.2.8", deferred: wrong)?.match == .address)
            #expect(
                try await server.firstOpen(Phone(2), from: "192.0.2.7", deferred: #"{"token":"\#(copied)"}"#)?.match
                    == .pasteboard)
            #expect(try await server.firstOpen(Phone(3), from: "192.0.2.7") == DeferredLinkAnswer.none)
        }
    }

    @Test("opens for one install: its token leads nowhere after a guess, also if the same visitor had tapped before")
    func onceByAddress() async throws {
        try await TestServer.runMatching { server in
            var tokens: [String] = []
            for _ in 0..<2 {
                tokens.append(try #require(try await Browser.onPhone.open("https://go.example.com/copied", in: server).copied))
                server.clock.advance(by: .seconds(600))
            }

            #expect(try await server.firstOpen(Phone(2), from: "192.0.2.7")?.match == .address)
            for (number, token) in tokens.enumerated() {
                let answer = try await server.firstOpen(Phone(3 + number), from: "198.51.100.1", deferred: #"{"token":"\#(token)"}"#)
                #expect(answer == DeferredLinkAnswer.none)
            }
            #expect(try await server.firstOpen(Phone(2), from: "198.51.100.1", deferred: #"{"token":"\#(tokens[1])"}"#)?.match == .address)
        }
    }

    @Test("was tapped before the first open")
    func afterwards() async throws {
        try await TestServer.runMatching { server in
            _ = try await server.firstOpen(from: "192.0.2.7", deferred: nil)
            server.clock.advance(by: .seconds(1))
            _ = try await Browser.onPhone.open(Self.beach, in: server)

            #expect(try await server.ask(from: "192.0.2.7") == .none)
        }
    }

    @Test("attributes as an unverified guess, which a later source replaces")
    func attribution() async throws {
        try await TestServer.runMatching { server in
            _ = try await Browser.onPhone.open(Self.beach, in: server)
            server.clock.advance(by: .seconds(60))
            _ = try await server.firstOpen(from: "192.0.2.7")

            let guessed = try await server.attribution()
            let said = #"{"key":"k","source":"tenjin","status":"non_organic","campaign":"autumn"}"#
            let response = try await server.send(.post, WirePath.attribution, said)
            #expect(response.status.code < 300)
            let told = try await server.attribution()

            #expect(guessed?.source == .link)
            #expect(guessed?.campaign == "summer")
            #expect(guessed?.verified == false)
            #expect(told?.source == "tenjin")
        }
    }

    @Test("belongs to one app")
    func apps() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.platform = "ios"
        let place = AddressPlace(ClientAddress("192.0.2.7"), AddressMatching())
        let key = try await AddressKeys(store.database).prepared(nowMs: TestStore.noon)
        for app in [TestStore.app, AppID("other")] {
            let click = Click(
                id: UUIDv7.make(nowMs: TestStore.noon), atMs: TestStore.noon, kind: .person, platform: .ios, host: "h",
                path: try LinkPath("/a"), outcome: .store, visitor: 1, country: nil, labels: LinkLabels()
            )
            let waiting = place.map { AddressedClick(place: $0, key: key, original: "https://h/\(app)", resolved: "r") }
            try await store.clicks.record(click, handing: [], waiting: waiting, of: app)
        }

        let marks = try await store.database.read { try $0.rows("SELECT mark FROM address_click").map { try $0.blob("mark") } }
        try await store.open(.mayasPhone, device: device)
        let answer = try await store.installs.claim(
            TestStore.app, .mayasPhone, DeferredClaim(tokenHash: nil, windows: AttributionWindows(), place: place),
            nowMs: TestStore.noon
        )

        #expect(Set(marks).count == 2)
        guard case .link(let link) = answer else { throw Missing() }
        #expect(link.original == "https://h/\(TestStore.app)")
        #expect(try await store.count(of: "address_click") == 1)
    }

    @Test("costs reads by key only, whatever is stored", .sqlitePlans)
    func plan() async throws {
        let store = try await TestStore()
        let texts = [
            AddressSearch.text, "DELETE FROM address_click WHERE app_id = $1 AND period = $2 AND mark = $3 AND click_id = $4",
            "DELETE FROM address_click WHERE app_id = $1 AND click_id = $2",
            "SELECT period, key FROM address_key WHERE period >= $1", "SELECT key FROM address_key WHERE period = $1",
            "DELETE FROM address_key WHERE period < $1",
        ]
        for text in texts {
            let count = (1...4).count { text.contains("$\($0)") }
            let plan = try await store.database.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + text, [SQLValue](repeating: .integer(1), count: count))
                    .map { try $0.text("detail") }
            }

            #expect(!plan.isEmpty && plan.allSatisfy { $0.hasPrefix("SEARCH address_") && $0.contains("USING") }, "\(plan)")
        }
    }

    private struct Missing: Error {}
}

extension DeferredLinkAnswer {
    fileprivate var match: DeferredLink.Match? { if case .link(let link) = self { link.matchedBy } else { nil } }
}

extension TestServer {
    fileprivate static func runMatching(
        minutes: Int? = nil, proxies: TrustedProxies = .none, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let window = minutes.map { ", windowMinutes: \($0)" } ?? ""
        let app = brandApp + "deferredLinks: { byAddress: true\(window) }\n"
        try await runBrand(app: app, proxies: proxies, body)
    }

    /// Of keys, and of clicks that wait under them.
    fileprivate func counts() async throws -> [Int64] {
        try await services.database.read { connection in
            try ["address_key", "address_click"].map {
                try connection.row("SELECT COUNT(*) AS count FROM \($0)")?.integer("count") ?? -1
            }
        }
    }

    /// A first open from this address.
    /// - Parameter deferred: nil does not ask.
    fileprivate func firstOpen(
        _ phone: Phone = Phone(), from address: String, platform: String? = "ios", deferred: String? = "{}",
        headers: HTTPFields = [:]
    ) async throws -> DeferredLinkAnswer? {
        let device = platform.map { #"{"platform":"\#($0)"}"# } ?? "{}"
        let asks = deferred.map { #","deferred":\#($0)"# } ?? ""
        let answer = try await call(
            WirePath.firstOpen, #"{"device":\#(device)\#(asks)}"#, phone, from: address, headers: headers)
        let lines = try answer.body.split(separator: "\n").map {
            try WireCoding.decode(FirstOpenLine.self, from: Data($0.utf8))
        }
        return lines.deferred
    }

    fileprivate func ask(_ phone: Phone = Phone(), from address: String) async throws -> DeferredLinkAnswer {
        let answer = try await call(WirePath.deferredLink, "{}", phone, from: address)
        return try WireCoding.decode(DeferredLinkAnswer.self, from: Data(answer.body.utf8))
    }

    fileprivate func attribution() async throws -> AttributionDetails? {
        let answer: ProfileAnswer = try await send(.get, WirePath.profile).decoded()
        guard case .attributed(let details) = answer.attribution else { return nil }
        return details
    }

    private func call(
        _ path: String, _ body: String, _ phone: Phone, from address: String, headers: HTTPFields = [:]
    ) async throws -> Browser.Answer {
        var fields = headers
        fields[.authorization] = "Bearer pk_test"
        fields[.landfallProfile] = "\(phone.id).\(phone.secret)"
        let app = Browser(userAgent: nil, address: address, method: .post, headers: fields, body: body)
        return try await app.send(path, host: "api.example.com", to: self)
    }
}

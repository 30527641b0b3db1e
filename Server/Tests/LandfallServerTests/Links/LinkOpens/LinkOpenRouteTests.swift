// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("POST /v1/links/open", .timeLimit(.minutes(1)))
struct LinkOpenRouteTests {
    private static let summerClothes = "https://brandname.go.link/summer-clothes?promo=beach"

    @Test(
        "A short link is resolved with the visitor's query and fragment, any other is returned unchanged",
        arguments: [
            ("https://brandname.go.link/beach", "resolved", summerClothes),
            ("https://BrandName.go.link./beach/", "resolved", summerClothes),
            ("https://brandname.go.link/beach?size=m&lf_t=abc#top", "resolved", summerClothes + "&size=m#top"),
            ("https://brandname.go.link/plain", "resolved", summerClothes),
            ("https://brandname.go.link/over", "expired", nil),
            ("https://brandname.go.link/nothing", "notFound", nil),
            ("https://brandname.go.link/.well-known/x", "notFound", nil),
            ("https://brandname.go.link/summer-clothes?promo=beach&adj_t=abc", "passedThrough", nil),
            ("https://example.com/summer-clothes?promo=beach", "passedThrough", nil),
            ("example://summer-clothes?promo=beach", "passedThrough", nil),
            ("https://other.example/x", "passedThrough", nil),
            ("https://evilbrandname.go.link.example/beach", "passedThrough", nil),
            ("fb12345://authorize#access_token=abc", "passedThrough", nil),
            ("javascript:alert(1)", "invalid", nil),
            ("data:text/html,x", "invalid", nil),
            ("https://brandname.go.link/a/../b", "invalid", nil),
            ("https://brändname.go.link/beach", "invalid", nil),
            ("https://brandname.go.link/%FF", "invalid", nil),
            ("https://brandname.go.link/" + String(repeating: "x", count: 8192), "invalid", nil),
            ("", "invalid", nil),
        ] as [(String, String, String?)])
    func status(url: String, status: String, resolved: String?) async throws {
        try await TestServer.run { server in
            for phone in [nil, Phone()] {
                var answer = try await server.open(url, key: "k", phone: phone)

                #expect(phone != nil || answer.person == nil)
                answer.person = nil
                #expect(answer == LinkOpenAnswer(status: LinkStatus(status), original: url, resolved: resolved))
            }
        }
    }

    @Test("An authenticated click attributes an install that was not opened before")
    func attributes() async throws {
        try await TestServer.run { server in
            let opened = try await server.open("https://brandname.go.link/beach", key: "k")

            let answer: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()
            #expect(opened.person == answer)
            guard case .attributed(let details) = answer.attribution else { throw Missing() }
            #expect(details.source == .link)
            #expect(details.verified)
            #expect(details.campaign == "summer")
            #expect(answer.profile.appliedAttributionSources == [.link])
        }
    }

    @Test("utm_campaign attributes as a campaign does", arguments: ["https://brandname.go.link/plain", "https://example.com/summer-clothes"])
    func utm(url: String) async throws {
        try await TestServer.run { server in
            let opened = try await server.open(url + "?utm_campaign=may&utm_source=news", key: "k")

            guard case .attributed(let details)? = opened.person?.attribution else { throw Missing() }
            #expect(details.source == .link)
            #expect(details.campaign == "may")
            #expect(details.channel == "news")
        }
    }

    @Test(
        "A click without labels, on no link, or unproven attributes nothing",
        arguments: [
            ("https://brandname.go.link/plain", true), ("https://brandname.go.link/over", true),
            ("https://brandname.go.link/nothing?lf_campaign=x", true), ("https://example.com/a?lf_creative=x", true),
            ("fb12345://authorize?lf_t=a#access_token=abc", true), ("https://brandname.go.link/beach", false),
        ])
    func attributesNothing(url: String, isProven: Bool) async throws {
        try await TestServer.run { server in
            _ = try await server.open(url, key: "k", phone: isProven ? Phone() : nil)

            let answer: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()
            #expect(answer.attribution == .unavailable(.noToken))
            #expect(answer.profile.appliedAttributionSources == [])
        }
    }

    @Test("A link tapped inside the app is only resolved")
    func insideTheApp() async throws {
        try await TestServer.run { server in
            let body = #"{"url":"https://brandname.go.link/beach","key":"k","recordsClick":false}"#
            let answer: LinkOpenAnswer = try await server.send(.post, WirePath.linkOpen, body).decoded()

            #expect(answer.resolved == Self.summerClothes)
            #expect(answer.person == nil)
            #expect(try await server.clicks() == [])
        }
    }

    @Test("Every click is stored with its kind: proven, unproven, expired; a sign-in leaves no trace")
    func clicks() async throws {
        try await TestServer.run { server in
            _ = try await server.open("https://brandname.go.link/beach?lf_foo=1", key: "a", age: 5_000)
            _ = try await server.open("https://brandname.go.link/over", key: "b", phone: nil)
            _ = try await server.open("example://home/now?adjust_t=abc", key: "c")
            _ = try await server.open("https://other.example/x?adj_campaign=c", key: "d")
            _ = try await server.open("https://other.example/x", key: "e")
            _ = try await server.open("fb12345://authorize?lf_t=a#access_token=abc", key: "f")

            #expect(
                try await server.clicks() == [
                    "app app brandname.go.link/beach summer -5000", "unproven expired brandname.go.link/over spring 0",
                    "app app example:home/now - 0", "app app other.example/x c 0",
                ])
        }
    }

    @Test("The same key is one click; with another link it is 409, and each caller has its own keys")
    func keys() async throws {
        try await TestServer.run { server in
            for phone in [nil, Phone(), Phone(2)] {
                for _ in 0..<2 { _ = try await server.open("https://brandname.go.link/beach", key: "k", phone: phone) }
                let other = try await server.send(
                    .post, WirePath.linkOpen, #"{"url":"https://brandname.go.link/plain","key":"k"}"#, phone: phone)

                #expect(other.status == .conflict)
                #expect(other.problem?.code == .keyReused)
            }
            #expect(try await server.clicks().count == 3)
        }
    }

    @Test("A hundred links are not an error; the one that acquired the install stays")
    func many() async throws {
        try await TestServer.run { server in
            for number in 0..<(AttributionFact.mostPerInstall + 10) {
                let answer = try await server.open("https://example.com/a?lf_campaign=c\(number)", key: "k\(number)")
                #expect(answer.status == .passedThrough)
                server.clock.advance(by: .seconds(1))
            }

            #expect(try await server.clicks().count == AttributionFact.mostPerInstall + 10)
            let install = try await server.services.installs.install(
                AppID("example"), Phone().credential, nowMs: server.services.time.nowMs())
            #expect(install.facts.count == AttributionFact.mostPerInstall)
            #expect(install.precedence.winner?.campaign == "c0")
            #expect(install.latestLink(nowMs: server.services.time.nowMs())?.campaign == "c73")
        }
    }

    @Test("After a week of absence another link brings the user back, and acquisition stays")
    func reattribution() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            server.clock.advance(by: .seconds(6 * 86_400))
            _ = try await server.open("https://brandname.go.link/beach", key: "a")
            var answer: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()
            #expect(answer.profile.appliedAttributionSources == [])

            server.clock.advance(by: .seconds(7 * 86_400))
            _ = try await server.open("https://brandname.go.link/beach", key: "b")
            answer = try await server.send(.get, WirePath.profile).decoded()

            #expect(answer.profile.appliedAttributionSources == [.link])
            #expect(answer.attribution == .unavailable(.noToken))
            #expect(answer.profile.engagement?.campaign == "summer")
            #expect(answer.profile.engagement?.link?.code == "brandname.go.link/beach")
            #expect(answer.profile.engagement?.link?.isReattribution == true)
            #expect(answer.profile.engagement?.link?.clickedAtMilliseconds == server.services.time.nowMs())
        }
    }

    @Test("Of two links before the install the first is acquisition, the last engagement; each increments the profile's version")
    func engagement() async throws {
        try await TestServer.run { server in
            let empty: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()
            _ = try await server.open("https://brandname.go.link/beach", key: "a", age: 60_000)
            let first: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()
            _ = try await server.open("https://example.com/a?lf_campaign=winter&lf_t=abc123&lf_label=poster", key: "b")
            let second: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()

            #expect(empty.profile.engagement == nil)
            guard case .attributed(let acquisition) = first.attribution else { throw Missing() }
            #expect(acquisition.link?.code == "brandname.go.link/beach")
            #expect(first.profile.engagement == acquisition)
            #expect(second.attribution == first.attribution)
            let latest = try #require(second.profile.engagement)
            #expect(latest.campaign == "winter")
            #expect(latest.link?.code == nil && latest.link?.tracker == "abc123" && latest.link?.label == "poster")
            #expect(latest.link?.isReattribution == false)
            #expect(first.profile.version > empty.profile.version && second.profile.version > first.profile.version)
            // The stream of an open says the same.
            #expect(try await server.firstOpen("{}").profile?.engagement == latest)
        }
    }

    @Test("A click wakes waits for the profile, and the next paywall is the link's")
    func wakes() async throws {
        try await TestServer.run { server in
            let before: PaywallAnswer = try await server.send(.get, "/v1/placements/offer/paywall").decoded()
            async let waiting = server.send(.get, "/v1/profiles/me?after=\(before.profileVersion)&wait=30000")
            while server.services.holds.count == 0 { await Task.yield() }

            _ = try await server.open("https://brandname.go.link/beach", key: "a")
            let news: ProfileAnswer = try await waiting.decoded()
            let after: PaywallAnswer = try await server.send(.get, "/v1/placements/offer/paywall").decoded()

            #expect(before.paywall?.name.rawValue == "default")
            #expect(after.paywall?.name.rawValue == "summer")
            #expect(after.profileVersion == news.profile.version)
            #expect(after.attributionVersion > before.attributionVersion)
        }
    }

    private struct Missing: Error {}
}

extension TestServer {
    func open(
        _ url: String, key: String, age: Int64 = 0, phone: Phone? = Phone()
    ) async throws -> LinkOpenAnswer {
        let request = LinkOpenRequest(url: url, key: IdempotencyKey(key), ageMilliseconds: age)
        let body = String(decoding: try WireCoding.encode(request), as: UTF8.self)
        return try await send(.post, WirePath.linkOpen, body, phone: phone).decoded()
    }

    /// Kind, outcome, place, campaign and age of every stored click, in their order.
    func clicks() async throws -> [String] {
        let nowMs = services.time.nowMs()
        return try await services.database.read { connection in
            try connection.rows("SELECT * FROM click ORDER BY \(TestEngine.isEmbedded ? "rowid" : "click_id")").map { row in
                let place = try row.text("link_host") + row.text("link_path")
                return try
                    "\(row.text("kind")) \(row.text("outcome")) \(place) \(row.optionalText("campaign") ?? "-") \(row.integer("clicked_at_ms") - nowMs)"
            }
        }
    }
}

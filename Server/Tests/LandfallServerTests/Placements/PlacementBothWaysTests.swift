// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Paywalls and profiles, by the connection and by the application", .timeLimit(.minutes(2)))
struct PlacementBothWaysTests {
    private static let me = "Landfall-Profile: \(Phone(1).id).\(Phone(1).secret)"
    private static let another = "Landfall-Profile: \(Phone(2).id).\(Phone(2).secret)"
    private static let key = "Authorization: Bearer pk_test"

    private static let targets = [
        "/v1/profiles/me", "/v1/profiles/me/", "/v1/profiles/me?", "/v1/profiles/me?after=0", "/v1/profiles/me?after=x",
    ]
        + [
            "", "?", "?audience=default", "?audience=matching", "?audience=all", "?audience=default&locale=de-AT", "?locale=DE_at",
            "?locale=!", "?locale=de&locale=en", "?audience=default&audience=matching", "?locale=", "?audience=", "?locale", "?x=1",
            "?wait=0", "?after=0", "?after=0&wait=0", "?locale=d%65", "?audience=default&locale=\(String(repeating: "a", count: 40))",
            "?locale=zh-Hant-TW&audience=default", "?audience=default&", "?audience=default#x",
        ].flatMap { query in ["/v1/placements/onboarding/paywall" + query, "/v1/placements/offer/paywall" + query] }
        + [
            "/v1/placements/nowhere/paywall?audience=default", "/v1/placements//paywall", "/v1/placements/paywall",
            "/v1/placements/onb%6Farding/paywall", "/v1/placements/onboarding/paywall/", "/v1/placements/./paywall",
            "/v1/placements/", "/v1/placements/a/b/paywall", "//v1/placements/onboarding/paywall", "/paywall", "/v1/placements/o|f/paywall",
        ]

    private static let callers: [[String]] = [
        [key, me], [key], [me], [key, another], ["Authorization: bearer   pk_test", me], ["Authorization: Basic pk_test", me],
        ["Authorization: Bearer pk_other", me], ["Authorization: Bearer", me], [key, "Landfall-Profile: x"],
        [key, "Landfall-Profile: \(Phone(1).id).\(Phone(2, secret: 9).secret)"], [key, me, another], [key, key, me],
        [key, "Landfall-Profile: \(Phone(1).id.uppercased()).\(Phone(1).secret)"], ["authorization: Bearer pk_test", "landfall-profile: " + me.dropFirst(18)],
        [key, "Landfall-Profile: \(Phone(7).id).\(Phone(7).secret)"], [key, me, "Connection: close"], [key, me, "Content-Length: 0"],
    ]

    @Test("are the same bytes for every caller and every request")
    func table() async throws {
        try await BothWays.run(configuration: .sample()) { ways in
            try await Self.live(ways)
            for (number, target) in Self.targets.enumerated() {
                for (index, caller) in Self.callers.enumerated() where number < 8 || index < 2 || (number + index) % 5 == 0 {
                    for host in ["localhost", "brandname.go.link"] where host == "localhost" || index == 0 {
                        let method = (number + index) % 7 == 0 ? "HEAD" : "GET"
                        let request = WrittenRequests.request("\(method) \(target)", host, caller)

                        let answers = try await ways.ask(request)

                        #expect(answers.loop == answers.application, "\(request)")
                        #expect(answers.loop.hasPrefix("HTTP/1.1 "), "\(request)")
                    }
                }
            }
            // The same is counted. A connection's routes have their series from the start.
            let counts = [ways.loop, ways.application].map { way in
                way.server.services.metrics.text().split(separator: "\n")
                    .filter { $0.hasPrefix("landfall_requests_total") && !$0.hasSuffix(" 0") }
            }
            #expect(counts[0] == counts[1])
            #expect(counts[0].count > 5)
        }
    }

    /// What the SDK sends, and everything near it: `after` and `wait`, with the device.
    @Test("are the same bytes for phones that name their device and would wait")
    func waits() async throws {
        try await BothWays.run(configuration: .sample()) { ways in
            try await Self.live(ways)
            let device = "Landfall-Device: d-1"
            let queries = [
                "after=-1&wait=5000", "wait=5000", "wait=5000&after=-1", "after=-1&wait=30001", "after=0", "after=-0", "after=+0", "after=-",
                "after=1e3", "after=", "wait=", "wait=-1", "wait=x", "wait=05", "after=-1&after=0", "after=-1&wait=1&wait=2",
                "after=9999999999999999999", "after=999999999999999999", "wait=9999999999999999999", "after=-1&wait=5000&x=1", "after=-1&",
                "after=%2D1&wait=1", "attribution=true", "attribution=true&after=-1&wait=5000", "attribution=false&wait=0", "attribution=1",
                "attribution", "attribution=true&attribution=false", "attribution=tru%65",
            ]
            for query in queries {
                for target in ["/v1/profiles/me?", "/v1/placements/onboarding/paywall?audience=matching&locale=de-AT&"] {
                    for fields in [[Self.key, Self.me], [Self.key, Self.me, device], [Self.key, Self.me, device, device], [Self.key, device]] {
                        let request = WrittenRequests.request("GET \(target)\(query)", "localhost", fields)

                        let answers = try await ways.ask(request)

                        #expect(answers.loop == answers.application, "\(request)")
                        #expect(answers.loop.hasPrefix("HTTP/1.1 "), "\(request)")
                    }
                }
            }
            // A phone whose source is not known yet has an answer at once if it has none so far.
            let pending = WrittenRequests.request(
                "GET /v1/placements/onboarding/paywall?audience=matching&after=-1&wait=5000", "localhost", [Self.key, Self.another])
            let answers = try await ways.ask(pending)
            #expect(answers.loop == answers.application && answers.loop.contains(#""final":false"#))
        }
    }

    @Test("are the same bytes for phones with the served link rules, with others, and without any")
    func linkRules() async throws {
        var configuration = Configuration.sample()
        configuration.domains.brand = [BrandDomain(host: "brandname.go.link", paths: ["/products/*"])]
        let version = ServedLinkRules(configuration.domains.brand, links: configuration.links).rules.version
        try await BothWays.run(configuration: configuration) { ways in
            try await Self.live(ways)
            let known = ["", "0", version, version.uppercased(), version + " ", "x, y"].map { "Landfall-Link-Rules: \($0)" }
            for fields in known.map({ [$0] }) + [[], [known[1], known[1]], [known[2], known[1]]] {
                for query in ["audience=default", "audience=matching&after=-1&wait=5000"] {
                    let request = WrittenRequests.request(
                        "GET /v1/placements/onboarding/paywall?\(query)", "localhost", [Self.key, Self.me] + fields)

                    let answers = try await ways.ask(request)

                    let knows = fields.isEmpty || fields == [known[2]] || fields == [known[4]]
                    #expect(answers.loop == answers.application, "\(request)")
                    #expect(answers.loop.contains(#""linkRules":{"brand""#) != knows, "\(request)")
                }
            }
        }
    }

    @Test("A connection answers by itself every request that it should")
    func own() async throws {
        try await TestServer.run(configuration: .sample()) { server in
            _ = try await server.firstOpen(#"{"adToken":{"none":"noToken"}}"#, phone: Phone(1))
            let answers = server.services.fastPath(server.services.hosts, server.services.linkRoutes, .silent)
            func isOwn(_ target: String, _ fields: [String]) -> Bool {
                let bytes = WrittenRequests.request("GET \(target)", "localhost", fields)
                guard case .whole(let head) = Array(bytes.utf8).withUnsafeBytes({ PlainHead.read($0) }) else { return false }
                return answers.answer(to: PlainRequest(head: head, bytes: .init(string: bytes), peer: nil)) != nil
            }

            #expect(isOwn("/v1/placements/onboarding/paywall?audience=default&locale=de", [Self.key]))
            #expect(isOwn("/v1/placements/onboarding/paywall", [Self.key, Self.me]))
            #expect(isOwn("/v1/profiles/me", [Self.key, Self.me]))
            #expect(!isOwn("/v1/profiles/me", [Self.key]))
            #expect(!isOwn("/v1/placements/onboarding/paywall", [Self.key, Self.another]))

            // As the SDK asks: what is certain or new needs no wait.
            let asked = "/v1/placements/onboarding/paywall?audience=matching&locale=de&after=-1&wait=5000"
            #expect(isOwn(asked, [Self.key, Self.me]))
            #expect(isOwn(asked, [Self.key, Self.me, "Landfall-Link-Rules: 0"]))
            #expect(isOwn("/v1/profiles/me?after=-1&wait=20000", [Self.key, Self.me]))
            #expect(!isOwn("/v1/profiles/me?after=99&wait=20000", [Self.key, Self.me]))
            // The first call that names the device has to be stored.
            let device = "Landfall-Device: d-1"
            #expect(!isOwn(asked, [Self.key, Self.me, device]))
            _ = try await server.send(.get, "/v1/profiles/me", phone: Phone(1), device: "d-1")
            #expect(isOwn(asked, [Self.key, Self.me, device]))
            // A token that is on its way may still change it.
            _ = try await server.firstOpen(#"{"adToken":{"value":"token"}}"#, phone: Phone(2))
            #expect(isOwn("/v1/placements/onboarding/paywall?after=-1&wait=5000", [Self.key, Self.another]))
            #expect(!isOwn("/v1/placements/onboarding/paywall?after=99&wait=5000", [Self.key, Self.another]))
        }
    }

    /// Two phones: one that came by an ad, and one whose token is on its way.
    private static func live(_ ways: BothWays) async throws {
        for server in [ways.loop.server, ways.application.server] {
            _ = try await server.firstOpen(
                #"{"device":{"locale":"de_AT","appVersion":"2.1"},"adToken":{"none":"noToken"},"attributes":{"plan":"a\"b"}}"#,
                phone: Phone(1))
            _ = try await server.send(
                .post, WirePath.attribution, #"{"key":"c","source":"tenjin","status":"non_organic","campaign":"x\\y"}"#, phone: Phone(1))
            _ = try await server.firstOpen(#"{"adToken":{"value":"token"}}"#, phone: Phone(2))
        }
    }
}

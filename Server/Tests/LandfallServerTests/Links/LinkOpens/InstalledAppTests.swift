// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@testable import LandfallRules

@Suite("A link in a browser reaches an installed app", .timeLimit(.minutes(1)))
struct InstalledAppTests {
    private static let go = "https://go.example.com"
    private static let store = "https://apps.apple.com/app/id1234567890"
    private static let web = "https://example.com/"

    /// - Parameter ways: of the brand domain.
    private func run(_ ways: String, app: String = TestServer.brandApp, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        let yaml = app + """
            keys: [{ sdk: pk_test }]
            paywalls: { default: {} }
            placements: { onboarding: [{ audience: everyone, paywall: default }] }
            domains: { brand: [{ host: go.example.com, paths: [/own/*], \(ways) }, plain.example.com], universal: [example.com] }
            links:
              - { url: https://go.example.com/beach, to: "https://go.example.com/own/beach?promo=a#top", campaign: summer }
              - { url: https://go.example.com/bought, to: https://example.com/offers, ios: store, desktop: web }
              - { url: https://go.example.com/copied, to: https://example.com/offers, pasteboard: true }
              - { url: https://plain.example.com/beach, to: https://example.com/offers }

            """
        try await TestServer.run(configuration: try Configuration(yaml: yaml, environment: { _ in nil }), body)
    }

    @Test("by one tap: [app, store] is a page whose first button has the scheme, the same destination and the labels")
    func appThenStore() async throws {
        try await run("ios: [app, store]") { server in
            for (path, links) in [
                ("/beach", ["example://own/beach?promo=a&lf_campaign=summer#top", Self.store + "?ct=summer&mt=8"]),
                ("/own/7?size=m&adj_t=abc&adj_campaign=x", ["example://own/7?size=m&adj_t=abc&adj_campaign=x", Self.store + "?ct=x&mt=8"]),
                ("/x?lf_t=abc", ["example://x?lf_t=abc", Self.store]),
            ] {
                let answer = try await Browser.onPhone.open(Self.go + path, in: server)

                #expect(answer.status == 200)
                #expect(Array(answer.links.prefix(2)) == links)
                // Safari shows an error for a scheme that no app has: nothing may lead there but a tap.
                #expect(answer.location == nil)
                #expect(answer.headers[HTTPField.Name("Refresh")!] == nil)
                #expect(!answer.body.lowercased().contains("http-equiv"))
                #expect(!answer.body.contains("location"))
                #expect(!answer.body.contains("<iframe"))
            }
        }
    }

    @Test("The deferred link is handed over on that page as on others; the script only copies")
    func handover() async throws {
        try await run("ios: [app, store]") { server in
            let answer = try await Browser.onPhone.open(Self.go + "/copied", in: server)

            #expect(answer.links == ["example://offers", Self.store, Self.web + "offers"])
            #expect(answer.copied?.hasPrefix("https://go.example.com/copied?lf_token=") == true)
            #expect(!answer.body.contains("location"))
        }
    }

    @Test("A link's own ways come before the domain's, and another domain has its own")
    func precedence() async throws {
        try await run("ios: [app, store], android: page, desktop: page") { server in
            let location1 = try await Browser.onPhone.open(Self.go + "/bought", in: server).location
            #expect(location1 == Self.store)
            let location2 = try await Browser.onDesktop.open(Self.go + "/bought", in: server).location
            #expect(location2 == Self.web + "offers")
            let location3 = try await Browser.onPhone.open("https://plain.example.com/beach", in: server).location
            #expect(location3 == Self.store)
            let location4 = try await Browser.onPhone.open(Self.go + "/own/7?lf_redirect=https://example.com/a", in: server).location
            #expect(location4 == "https://example.com/a")
        }
    }

    static let ways: [(ways: String, userAgent: String, location: String?, first: String?)] = [
        ("ios: app", Browser.safari, nil, "example://own/7"), ("ios: page", Browser.safari, nil, "example://own/7"),
        ("ios: store", Browser.safari, store, nil), ("ios: web", Browser.safari, web + "own/7", nil),
        ("ios: [web, store]", Browser.instagram, web + "own/7", nil), ("ios: [store, app]", Browser.instagram, nil, "example://own/7"),
        ("android: page", Browser.android, nil, "example://own/7"), ("android: web", Browser.android, web + "own/7", nil),
        ("desktop: web", Browser.windows, web + "own/7", nil), ("desktop: page", Browser.windows, nil, store),
        ("desktop: \"https://example.com/desk\"", Browser.windows, web + "desk", nil),
    ]

    @Test("Each way does what it says", arguments: ways)
    func each(ways: String, userAgent: String, location: String?, first: String?) async throws {
        try await run(ways) { server in
            let answer = try await Browser(userAgent: userAgent).open(Self.go + "/own/7", in: server)

            #expect(answer.location == location)
            #expect(answer.links.first == first)
        }
    }

    @Test("A way that is not possible is passed over: no scheme, no store")
    func impossible() async throws {
        let app = "app: { id: example, bundleId: com.example.app }\n"
        try await run("ios: [app, store, web]", app: app) { server in
            let location = try await Browser.onPhone.open(Self.go + "/own/7", in: server).location
            #expect(location == Self.web + "own/7")
        }
    }
}

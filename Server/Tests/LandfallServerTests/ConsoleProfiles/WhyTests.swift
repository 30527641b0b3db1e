// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Why a person sees a paywall, in the console", .timeLimit(.minutes(1)))
struct WhyTests {
    private static let yaml = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_test }]
        attributes: { plan: string }
        paywalls: { default: {}, summer: {}, pro: {} }
        audiences:
          summer: { attribution.campaign: { in: [summer] } }
          pros: { attributes.plan: { is: pro } }
        placements:
          onboarding:
            - { audience: summer, paywall: summer }
            - { audience: pros, paywall: pro }
            - { audience: everyone, paywall: default }
          settings: [{ audience: everyone, paywall: default }]
        """
    private static let event = "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", odd = "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e11"
    private static let page = "/console/profiles/i_\(Phone().id)/why"

    /// A phone that showed `default`, before a campaign and another plan became known.
    private static func run(_ body: @Sendable (TestServer, ConsoleBrowser) async throws -> Void) async throws {
        var configuration = try Configuration(yaml: yaml)
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: [.profiles])!]
        try await TestServer.run(configuration: configuration) { server in
            _ = try await server.firstOpen(#"{"device":{"locale":"en-US"},"adToken":{"none":"noToken"},"attributes":{"plan":"<b>free"}}"#)
            let shown = [(event, 7), (odd, 7)].map { id, revision in
                #"{"id":"\#(id)","type":"paywall_shown","ageMilliseconds":5000,"placement":"onboarding","paywall":"default","audience":"everyone","revision":\#(revision),"origin":"defaultAudience"}"#
            }
            _ = try await server.send(.post, WirePath.events, #"{"events":[\#(shown.joined(separator: ","))]}"#)
            server.clock.advance(by: .seconds(60))
            _ = try await server.send(
                .post, WirePath.attribution, #"{"key":"k","source":"appsflyer","status":"non_organic","campaign":"summer"}"#)
            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro"}}"#)
            try await body(server, try await ConsoleBrowser.signedIn(server, as: .support))
        }
    }

    @Test("The document is the one of GET /v1/explain, byte for byte, now and as of an exposure", arguments: [nil, event])
    func same(event: String?) async throws {
        try await Self.run { server, browser in
            let query = "placement=onboarding&install=\(Phone().id)"

            let console = try await browser.get(Self.page + ".json?" + query + (event.map { "&at=\($0)" } ?? ""))
            let command = try await server.explain(query + (event.map { "&exposure=\($0)" } ?? ""))

            #expect(console.status == .ok && command.status == .ok)
            #expect(console.page == command.page)
            let explanation: Explanation = try console.decoded()
            #expect(explanation.chosen.paywall == (event == nil ? "summer" : "default"))
        }
    }

    @Test("The page as of an exposure has each condition with its value of then, what the phone showed and what arrived later")
    func exposure() async throws {
        try await Self.run { _, browser in
            let answer = try await browser.get(Self.page + "?placement=onboarding&at=" + Self.event)

            #expect(answer.status == .ok)
            for text in [
                "Was to see: default. The first audience that matched was everyone.", "attribution.campaign in summer", "attributes.plan is pro",
                "The value is &lt;b&gt;free.", "The install has no such value.", "Arrived after the exposure", "For everyone",
            ] { #expect(answer.page.contains(text), "\(text)") }
            #expect(!answer.page.contains("<b>") && !answer.page.contains("This is the value now"))
        }
    }

    @Test("An exposure without stored values says that a value is the present one")
    func valueNow() async throws {
        try await Self.run { server, browser in
            try await server.services.database.write { connection in
                _ = try connection.run("UPDATE event SET kept = NULL WHERE app_id = $1 AND event_id = $2", [.text("example"), .text(Self.odd)])
            }

            let page = try await browser.get(Self.page + "?at=" + Self.odd).page

            #expect(page.contains("This is the value now: none was kept then.") && page.contains("Was to see: summer"))
        }
    }

    @Test("Each exposure of the timeline leads to its explanation, and the placement can be chosen")
    func linked() async throws {
        try await Self.run { _, browser in
            let profile = try await browser.get("/console/profiles/i_" + Phone().id).page
            let now = try await browser.get(Self.page).page

            #expect(profile.contains("/why?install=\(Phone().id)&amp;placement=onboarding&amp;at=\(Self.event)\""))
            #expect(now.contains("Sees: summer.") && now.contains("<option value=\"settings\">settings</option>"))
            #expect(try await browser.get(Self.page + "?placement=settings").page.contains("Sees: default."))
        }
    }

    @Test(
        "What is not there is 404",
        arguments: [
            "?placement=nowhere", "?at=\(event)&placement=settings", "?at=nothing", "?install=\(Phone(9).id)", "?at=",
        ])
    func unknown(query: String) async throws {
        try await Self.run { _, browser in
            let page = try await browser.get(Self.page + query), json = try await browser.get(Self.page + ".json" + query)

            #expect(page.status == .notFound && json.status == .notFound)
        }
    }

    @Test("An exposure has its page, whatever number its row has for a version", arguments: [Int64.max, .min, 0])
    func revisions(revision: Int64) async throws {
        try await Self.run { server, browser in
            try await server.services.database.write { connection in
                _ = try connection.run(
                    "UPDATE event SET revision = $1 WHERE app_id = $2 AND event_id = $3",
                    [.integer(revision), .text("example"), .text(Self.odd)])
            }

            let answer = try await browser.get(Self.page + "?at=" + Self.odd)

            #expect(answer.status == .ok && answer.page.contains("Was to see: default."))
        }
    }

    @Test("A version that this server can no longer read is said in words")
    func unreadable() async throws {
        try await Self.run { server, browser in
            try await server.services.database.write { connection in
                _ = try connection.run("UPDATE event SET revision = 1 WHERE app_id = $1 AND event_id = $2", [.text("example"), .text(Self.odd)])
                _ = try connection.run(
                    "INSERT INTO configuration (version, text, hash, published_at_ms) VALUES (1, $1, 'h', 0)", [.text("app: [")])
            }

            let answer = try await browser.get(Self.page + "?at=" + Self.odd)

            #expect(answer.status == .unprocessableContent && answer.page.contains("cannot be read by this server any more"))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Examples/SelfHost/landfall.yaml", .timeLimit(.minutes(1)))
struct ExampleConfigurationTests {
    let configuration: Configuration

    init() throws {
        configuration = try Configuration(yaml: Sample.file("Examples/SelfHost/landfall.yaml"), environment: { _ in nil })
    }

    @Test("describes the example app")
    func app() {
        let expected = App(
            id: AppID("example"), name: "Example", bundleID: "com.example.app", teamID: "ABCDE12345", scheme: "example",
            appStoreID: 1_234_567_890,
            android: AndroidApp(
                package: "com.example.app",
                certificates: [
                    (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
                ])
        )
        #expect(configuration.app == expected)
        #expect(configuration.keys == [SDKKey(text: "pk_demo", environment: .production, expiresAtMs: nil)])
        #expect(
            configuration.domains
                == Domains(
                    brand: [BrandDomain(host: "brandname.go.link", paths: [PathPattern("/summer-clothes")])],
                    universal: ["example.com"]
                ))
        #expect(configuration.asksAppleAds)
    }

    @Test("shows `apple-ads` to users of Apple Ads and `default` to everyone")
    func onboarding() throws {
        let snapshot = Snapshot(configuration, revision: 1)
        var details = AttributionDetails(source: .appleAds, verified: true, attributedAtMilliseconds: 0)
        details.appleAds = AppleAdsAnswer(attribution: true)

        let fromApple = try #require(snapshot.decide("onboarding", facts: .sample(.attributed(details))))
        let organic = try #require(snapshot.decide("onboarding", facts: .sample(.notAttributed)))

        #expect(fromApple.audience == AudienceID("apple-ads"))
        #expect(fromApple.paywall?.name == PaywallID("apple-ads"))
        #expect(organic.audience == .everyone)
        #expect(organic.paywall?.name == PaywallID("default"))
    }

    @Test("shows `summer` to those who came by a link of the summer campaign")
    func welcome() throws {
        let snapshot = Snapshot(configuration, revision: 1)
        var click = AttributionFact(id: "a", source: .link, status: .nonOrganic, saidAtMs: 0, recordedAtMs: 0)
        click.campaign = "summer"

        let facts = AudienceFacts(attribution: .notAttributed, link: click, device: DeviceFacts(), attributes: [:])

        #expect(try #require(snapshot.decide("welcome", facts: facts)).paywall?.name == PaywallID("summer"))
        #expect(try #require(snapshot.decide("welcome", facts: .sample())).paywall?.name == PaywallID("default"))
    }

    @Test("has products and a remote config in five languages", arguments: ["default", "apple-ads", "summer"])
    func paywalls(name: String) throws {
        let paywall = try #require(configuration.paywalls.first { $0.id.rawValue == name })

        #expect(!paywall.rendered(for: nil).productIds.isEmpty)
        #expect(paywall.rendered(for: nil).remoteConfig?.locale == "en")
        for (asked, found) in [("de_AT", "de"), ("ja-JP", "ja"), ("zh-Hans-CN", "zh-Hans"), ("zh-TW", "zh-Hant"), ("zh_HK", "zh-Hant")] {
            #expect(paywall.rendered(for: LocaleCode(rawValue: asked)).remoteConfig?.locale == found)
        }
    }

    @Test("has the short link to the summer clothes")
    func link() {
        let beach = configuration.links.first { $0.path.text == "/beach" }

        #expect(beach?.host == "brandname.go.link")
        #expect(beach?.destination == "https://brandname.go.link/summer-clothes?promo=beach")
        #expect(beach?.labels == LinkLabels(campaign: "summer"))
    }

    @Test("has only working examples in its comments")
    func commentedAudience() throws {
        let text = try Sample.file("Examples/SelfHost/landfall.yaml")
        let commented = text.split(separator: "\n").filter { $0.hasPrefix("#   ") && !$0.contains("landfall serve") && !$0.contains("install:") }
        let audience = commented.map { "  " + $0.dropFirst("#   ".count) }.joined(separator: "\n")

        let configuration = try Sample.configuration("attributes: { plan: string }\naudiences:\n\(audience)\n")

        #expect(configuration.audiences.map(\.id) == [AudienceID("spring-campaign-in-north-america")])
    }
}

extension Snapshot {
    /// A decision without a locale.
    func decide(_ placement: PlacementID, facts: AudienceFacts, pending: Pending = .nothing) -> Decision? {
        decide(placement: placement, locale: nil, facts: facts, pending: pending)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("Names beside ids of Apple Ads", .timeLimit(.minutes(1)))
struct AppleAdsNamesShownTests {
    /// Stores the name of a campaign and of a keyword.
    private static func name(in server: TestServer) async throws {
        let ads = AppleAdsReportStore(server.services.database, app: server.services.snapshot.app.id)
        try await ads.keep(
            [
                AppleAdsEntity(kind: .campaign, id: 542_370_539, name: "Brand <b>"),
                AppleAdsEntity(kind: .keyword, id: 87_675_432, name: "sample app", matchType: "EXACT"),
                AppleAdsEntity(
                    kind: .ad, id: 542_317_136, name: "An ad", campaign: 542_370_539, landing: .page(AppleAdsProductPage(ppid: "p-1", name: "Summer"))),
            ],
            in: 5, nowMs: server.services.time.nowMs())
    }

    @Test("are in a report's document by field, without a word about ids that have none")
    func document() async throws {
        var configuration = Configuration.sample()
        configuration.serverKeys = [try #require(ServerKey(LinkRouteServer.serverKey, scopes: [.reports]))]
        try await TestServer.run(configuration: configuration) { server in
            let app = ReportedApp(server: server)
            for (number, campaign) in ["542370539", "7", "autumn"].enumerated() {
                let phone = Phone(number + 1, secret: UInt8(number + 1))
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","deviceId":"device-\#(number)"}}"#, phone: phone)
                try await app.claim(campaign, phone)
            }
            #expect(try await app.report("campaigns").names == nil)

            try await Self.name(in: server)

            #expect(try await app.report("campaigns").names == ["campaign": ["542370539": "Brand <b>"]])
            let page = AppleAdsProductPage(ppid: "p-1", name: "Summer")
            #expect(try await app.report("campaigns").productPages == ["campaign": ["542370539": [page]]])
            #expect(try await app.report("campaigns?by=source").names == nil)
            #expect(try await app.report("links").names == nil)
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let html = try await browser.get("/console/reports/campaigns").page
            #expect(html.contains("542370539</a><span class=\"line quiet\">Brand &lt;b&gt;</span><span class=\"line quiet\" title=\"p-1\">ppid: Summer</span></td>"))
            #expect(html.contains("autumn</a></td>"))
        }
    }

    @Test("are in an explanation by attribute, for every id that a rule or the install has")
    func explanation() async throws {
        let yaml = """
            app: { id: example, bundleId: com.example.app }
            keys: [{ sdk: pk_test }]
            paywalls: { default: {}, brand: {} }
            audiences:
              brand: { attribution.campaign: { in: [542370539, 7] }, attribution.keyword: { is: 87675432 }, locale: { is: en } }
            placements:
              onboarding: [{ audience: brand, paywall: brand }, { audience: everyone, paywall: default }]
            """
        var configuration = try Configuration(yaml: yaml)
        configuration.serverKeys = [try #require(ServerKey(LinkRouteServer.serverKey, scopes: [.profiles]))]
        try await TestServer.run(configuration: configuration) { server in
            _ = try await server.firstOpen(#"{"device":{"platform":"ios"}}"#)
            try await ReportedApp(server: server).claim("542370539", Phone())
            let unnamed = try await server.explanation()
            try await Self.name(in: server)

            let explanation = try await server.explanation()

            #expect(unnamed.names == nil)
            #expect(explanation.names == ["attribution.campaign": ["542370539": "Brand <b>"], "attribution.keyword": ["87675432": "sample app"]])
            let rules = explanation.audiences[0].conditions.map { explanation.rule(of: $0) }
            #expect(rules.contains("attribution.campaign in 542370539 (Brand <b>, ppid Summer), 7"))
            #expect(explanation.productPages == ["attribution.campaign": ["542370539": [AppleAdsProductPage(ppid: "p-1", name: "Summer")]]])
            #expect(unnamed.productPages == nil)
            #expect(rules.contains("attribution.keyword is 87675432 (sample app)"))
        }
    }

    @Test("are on a person's page below what Apple said, an ad with the product page that it leads to")
    func profile() async throws {
        let yaml = """
            app: { id: example, bundleId: com.example.app }
            keys: [{ sdk: pk_test }]
            appleAds: { enabled: true }
            paywalls: { default: {} }
            placements: { onboarding: [{ audience: everyone, paywall: default }] }
            """
        try await TestServer.run(configuration: try Configuration(yaml: yaml)) { server in
            let phone = Phone(), services = server.services
            _ = try await server.firstOpen(#"{"device":{"platform":"ios"},"adToken":{"value":"t"}}"#, phone: phone)
            let work = AppleAdsExchanger(
                AppleAdsAnswers(services.database, services.mark), ScriptedAppleAds(["t": [ScriptedAppleAds.attributed]]), time: services.time,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: PrometheusRegistry()
            ).work
            let queue = JobQueue(database: services.database)
            for job in try await queue.lease(.appleAds, 1, nowMs: services.time.nowMs(), leaseMs: work.leaseMs) {
                try await queue.move(job, try await work.attempt(job))
            }
            try await Self.name(in: server)
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner), profile = "/console/profiles/i_\(phone.id)"

            let page = try await browser.get(profile).page, json = try await browser.get(profile + ".json").page

            let ad = #"<span class="line quiet">An ad</span><span class="line quiet" title="p-1">ppid: Summer</span>"#
            #expect(page.contains(#"campaignId: 542370539</span><span class="line quiet">Brand &lt;b&gt;</span>"#))
            #expect(page.contains("adId: 542317136</span>" + ad) && page.contains(">542317136" + ad))
            // Neither a number without a name nor a campaign of many ads says to which page it led.
            #expect(page.contains("adGroupId: 542317095</span><span class=\"line\">keywordId"))
            #expect(page.components(separatedBy: "ppid: Summer").count == 3)
            #expect(json.contains(#""appleAds":{"name":"An ad","productPages":[{"name":"Summer","ppid":"p-1"}]}"#))
        }
    }

    @Test("are suggested for an audience's campaigns and keywords, and the form keeps the id")
    func suggestions() async throws {
        let yaml = ConfigurationConsole.yaml.replacing(
            "  unused: {", with: "  brand: { attribution.campaign: { is: 542370539 }, attribution.keyword: { is: 1 } }\n  unused: {")
        try await ConfigurationConsole.run(yaml) { server, browser in
            try await Self.name(in: server)

            let page = try await browser.get("/console/audiences/brand").page

            #expect(page.contains("<datalist id=\"values.attribution.campaign\"><option value=\"542370539\">Brand &lt;b&gt; (Summer)</option></datalist>"))
            #expect(page.contains("<option value=\"87675432\">[sample app]</option><option value=\"1\"></option>"))
        }
    }
}

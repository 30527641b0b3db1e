// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Names of Apple Ads", .timeLimit(.minutes(1)))
struct AppleAdsNamesTests {
    @Test("of every kind are kept, also of what was deleted before the first read")
    func kinds() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()

            #expect(try await bench.name(.campaign, AdsBench.campaign) == "Brand")
            #expect(try await bench.name(.adGroup, AdsBench.adGroup) == "Brand exact")
            #expect(try await bench.name(.keyword, AdsBench.keyword) == "sample app")
            #expect(try await bench.name(.ad, AdsBench.ad) == "Brand default page")
            #expect(try await bench.name(.campaign, AdsBench.deletedCampaign) == "Autumn")
            #expect(try await bench.name(.campaign, 1) == nil)
            // 5 campaigns with 2 ad groups, 2 ads and 6 keywords each.
            #expect(try await bench.store.count(of: "apple_ads_entity") == 5 * (1 + 2 + 2 + 6))
            #expect(try await bench.reading()?.trouble == nil)
        }
    }

    @Test("stay when Apple deletes a campaign, with all that the campaign has cost")
    func deleted() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            let days = bench.today - 29...bench.today
            let before = try await bench.spend.rows(.campaign, on: days).filter { $0.id == AdsBench.campaign }

            bench.platform.change { $0.deleted = [AdsBench.campaign] }
            bench.time.advance(.seconds(86_400))
            try await bench.work.look()

            #expect(try await bench.name(.campaign, AdsBench.campaign) == "Brand")
            let kept = try await bench.spend.rows(.campaign, on: days).filter { $0.id == AdsBench.campaign }
            #expect(!before.isEmpty)
            #expect(Set(kept) == Set(before))
            let deleted = try await bench.store.database.read { [app = bench.app] in
                try $0.row("SELECT deleted FROM apple_ads_entity WHERE app_id = $1 AND kind = 'campaign' AND id = $2", [.text(app.rawValue), .integer(AdsBench.campaign)])?.flag("deleted")
            }
            #expect(deleted == true)
        }
    }

    @Test("are read each hour and not before, and at once if the file names another access")
    func hourly() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            bench.time.advance(.seconds(3_599))
            try await bench.work.look()
            #expect(bench.requests("/v1/acls") == 1)

            bench.time.advance(.seconds(1))
            try await bench.work.look()
            #expect(bench.requests("/v1/acls") == 2)

            let other = AdsBench.access(bench.platform, accounts: [123_456_789])
            _ = bench.live.serve(AdsBench.snapshot(other, revision: 2))
            try await bench.work.look()
            #expect(bench.requests("/v1/acls") == 3)
        }
    }

    @Test("are asked for nobody without an access in the file")
    func without() async throws {
        try await AdsBench.run { bench in
            _ = bench.live.serve(AdsBench.snapshot(nil, revision: 2))

            try await bench.work.look()

            #expect(bench.platform.asked.isEmpty)
            #expect(try await bench.reading() == nil)
        }
    }

    @Test("of more ids than one statement takes are read together, those without a name left out")
    func many() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            let keys = (0..<Int64(3 * AppleAdsNames.lot)).map { AppleAdsNames.Key(.keyword, AdsBench.keyword + $0) }
            let names = try await bench.names.names(of: keys + [AppleAdsNames.Key(.campaign, AdsBench.campaign)])

            #expect(names == [AppleAdsNames.Key(.keyword, AdsBench.keyword): "sample app", AppleAdsNames.Key(.campaign, AdsBench.campaign): "Brand"])
        }
    }

    private static let summer = AppleAdsProductPage(ppid: "45812c9b-c296-43d3-c6a0-c5a02f74bf6e", name: "Summer")

    @Test("come with the custom product page of an ad, also beside its ad group and its campaign")
    func productPages() async throws {
        try await AdsBench.run { bench in
            let leading = [
                AppleAdsNames.Key(.ad, AdsBench.summerAd), .init(.adGroup, AdsBench.summerGroup), .init(.campaign, AdsBench.campaign),
                .init(.campaign, AdsBench.deletedCampaign),
            ]
            let usual = [AppleAdsNames.Key(.ad, AdsBench.ad), .init(.adGroup, AdsBench.adGroup), .init(.keyword, AdsBench.keyword)]

            try await bench.work.look()

            let pages = try await bench.names.pages(of: leading + usual)
            #expect(pages == Dictionary(uniqueKeysWithValues: leading.map { ($0, [Self.summer]) }))
        }
    }

    @Test("are read without product pages where Apple refuses these: what is known stays, and the trouble is said")
    func refusedPages() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            bench.http.refuse("/creatives/query")
            bench.time.advance(.seconds(86_400))
            try await bench.work.look()

            let trouble = AppleAdsTrouble(.roleMissing, "Apple says 403 for /creatives/query of the ad account 123456789.")
            #expect(try await bench.reading()?.trouble == trouble)
            let key = AppleAdsNames.Key(.ad, AdsBench.summerAd)
            #expect(try await bench.names.pages(of: [key]) == [key: [Self.summer]])
            #expect(try await bench.milliunits(.campaign, on: 0...100_000) == bench.platform.milliunits(on: bench.today - 90...bench.today))

            bench.http.refuse(nil)
            bench.time.advance(.seconds(600))
            try await bench.work.look()
            #expect(try await bench.reading()?.trouble == nil)
        }
    }

    @Test("of a creative are understood without a page, and with one in any other form")
    func creatives() throws {
        let json = #"""
            [{"id":1},{"id":2,"destination":{"parameters":{"adamId":"7"}}},{"id":3,"destination":{"parameters":{"productPageId":"p"}}},
            {"id":4,"destination":"p"},{"id":5,"destination":{"parameters":{"productPageId":""}}},{"name":"no id"}]
            """#

        let list = try JSONDecoder().decode(AppleAdsList<AppleAdsCreative>.self, from: Data(json.utf8))

        #expect(list.count == 6)
        #expect(list.elements.map(\.id) == [1, 2, 3, 4, 5])
        #expect(list.elements.map(\.productPage) == [nil, nil, "p", nil, nil])
    }
}

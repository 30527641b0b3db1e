// SPDX-License-Identifier: Apache-2.0
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// Names and spend as two reads find them, a trouble, and everybody who asks for them.
    static func appleAds(_ store: TestStore) async throws {
        let now = TestStore.noon, app = TestStore.app, ads = AppleAdsReportStore(store.database, app: app), today = Int(now / 86_400_000)
        let account = AppleAdsAccount(id: 5, name: "It's \"mine\"", organisation: 40_669_820, roles: ["API Account Read Only"])
        try await ads.keep([account], read: [5])
        for _ in 0..<2 {
            try await ads.keep([AppleAdsEntity(kind: .campaign, id: 7, name: "Brand", promotedID: "1")], in: 5, nowMs: now)
            let page = AppleAdsProductPage(ppid: "p", name: "It's summer")
            for landing in [AppleAdsEntity.Landing.page(page), .unknown, .usualPage, .page(page)] {
                try await ads.keep([AppleAdsEntity(kind: .ad, id: 8, name: "Ad", parent: 9, campaign: 7, landing: landing)], in: 5, nowMs: now)
            }
            for campaign in try await ads.campaigns(of: 5, promoting: 1) {
                let day = AppleAdsDay(id: 7, day: today, country: "DE", currency: "EUR", milliunits: 12_340, impressions: 9, taps: 3, installs: 1)
                try await ads.keep([day], .campaign, of: campaign.id, mark: now)
                try await ads.forget(.campaign, of: campaign.id, on: today - 29...today, butNotReadAt: now)
            }
        }
        try await ads.finished(5, nil, readOn: today, days: today - 29...today)
        try await ads.finished(5, AppleAdsTrouble(.roleMissing, "403"), readOn: nil, days: nil)
        _ = try await ads.accounts()
        var reading = AppleAdsReading(access: "a", nextAtMs: now)
        reading.failed(AppleAdsTrouble(.failing, "500"), nowMs: now)
        let writing = reading.writing(app)
        _ = try await store.database.write(.bulk, locking: []) { try $0.run(writing) }
        _ = try await store.database.read { try AppleAdsReading(of: app, $0) }
        let names = AppleAdsNames(store.database, app: app), spend = AppleAdsSpend(store.database, app: app)
        _ = try await names.names(of: [AppleAdsNames.Key(.campaign, 7)])
        _ = try await names.pages(of: [AppleAdsNames.Key(.campaign, 7), AppleAdsNames.Key(.adGroup, 9), AppleAdsNames.Key(.ad, 8)])
        _ = try await names.newest(.campaign, most: 9)
        _ = try await spend.rows(.campaign, on: today - 1...today)
        _ = try await spend.days()
        _ = try await AppleAdsOrigins(store.database, app: app).recent()
    }
}

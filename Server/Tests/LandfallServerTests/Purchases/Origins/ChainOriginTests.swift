// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Where a purchase came from", .timeLimit(.minutes(1)))
struct ChainOriginTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))

    private static let dimensions: [CampaignReport.Dimension] = [.source, .channel, .campaign, .adGroup, .keyword, .link]

    private static func values(_ origin: ChainOrigin) -> [String?] {
        [origin.source, origin.channel, origin.campaign, origin.adGroup, origin.keyword, origin.link]
    }

    private static func fact(_ source: AttributionSource, _ status: AttributionClaim.Status = .nonOrganic, ageMs: Int64 = 0) -> AttributionFact {
        var fact = AttributionFact(id: "f", source: source, status: status, saidAtMs: nowMs - ageMs, recordedAtMs: nowMs)
        (fact.channel, fact.campaign, fact.adGroup) = ("social", "autumn", "morning")
        return fact
    }

    /// One for each phone, and none for the last.
    private static var facts: [AttributionFact] {
        var ad = fact(.appleAds), click = fact(.link, ageMs: 300_000)
        var answer = AppleAdsAnswer(attribution: true)
        (answer.campaignId, answer.adGroupId, answer.keywordId) = (11, 22, 33)
        (ad.appleAds, ad.verified) = (answer, true)
        click.link = ClickedLink(code: "links.example.com/beach", windows: AttributionWindows())
        click.verified = true
        return [ad, click, fact("tenjin"), fact("tenjin", .organic)]
    }

    private func reported(_ phone: Phone, _ server: TestServer) async throws -> ReportedInstall {
        let rows = try await server.services.database.read { connection in
            try connection.rows(InstallReader.oneText, [.text(server.app.rawValue), .text(phone.id)])
        }
        return try #require(try ReportedInstall(phone.id, rows))
    }

    private func origins(_ server: TestServer) async throws -> [ChainOrigin?] {
        try await server.rows("SELECT origin FROM purchase_chain ORDER BY chain_id").map { row in
            try row.optionalText("origin").map { try ChainOrigin(text: $0) }
        }
    }

    @Test("stays as reports say it of the install that brought it, when that install is deleted because it was not seen for long")
    func expired() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), phones = (1...Self.facts.count + 1).map { Phone($0) }
        try await TestServer.run(trust: store.trust()) { server in
            var told: [(values: [String?], firstOpenAtMs: Int64)] = []
            for (number, phone) in phones.enumerated() {
                _ = try await server.firstOpen("{}", phone: phone)
                if number < Self.facts.count {
                    let unit = InstallUnit(server.app, InstallID(phone.id), phone.credential, storeEpoch: 1, nowMs: Self.nowMs)
                    _ = try await server.services.database.write { try $0.run(Self.facts[number].insertion(of: unit)) }
                }
                _ = try await server.report([store.transaction("\(number)", of: "\(number)")], .purchase, by: phone)
                let install = try await reported(phone, server)
                told.append((Self.dimensions.map { $0.value(of: install) }, install.firstOpenAtMs))
            }
            let before = try await origins(server)
            server.clock.advance(by: .seconds(1_101 * 86_400))

            while try await server.retain("install") {}

            let after = try await origins(server)
            #expect(before == Array(repeating: nil, count: phones.count))
            #expect(try await server.counts(["install", "purchase_chain WHERE brought_by_install IS NOT NULL"]) == [0, 0])
            #expect(after.compactMap { $0.map(Self.values) } == told.map { $0.values })
            #expect(after.compactMap { $0?.firstOpenedAtMs } == told.map { $0.firstOpenAtMs })
            // By hand, too.
            #expect(told.first?.values == [AttributionSource.appleAds.rawValue, "social", "11", "22", "33", nil])
            #expect(told.map { $0.values[5] } == [nil, "links.example.com/beach", nil, nil, nil])
            #expect(told[2].values == ["tenjin", "social", "autumn", "morning", nil, nil])
            #expect(told.suffix(2).allSatisfy { $0.values.allSatisfy { $0 == nil } })
        }
    }

    @Test("stays with the paywall that sold it, also if the paywall's event was not copied before")
    func soldBy() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), exposure = "0198f0c2-7b1a-7c3d-8e4f-000003000000"
        try await TestServer.run(trust: store.trust()) { server in
            for (number, exposure) in [exposure, "0198f0c2-7b1a-7c3d-8e4f-000003000001"].enumerated() {
                let report = PurchaseReport(
                    key: IdempotencyKey("k\(number)"), reason: .purchase,
                    transactions: [.init(jws: try store.transaction("\(number)", of: "\(number)"), exposure: exposure)])
                _ = try await server.send(.post, WirePath.purchases, String(decoding: WireCoding.encode(report), as: UTF8.self))
            }
            let shown = #"{"events":[{"id":"\#(exposure)","type":"paywall_shown","ageMilliseconds":0,"placement":"home","paywall":"summer"}]}"#
            _ = try await server.send(.post, WirePath.events, shown)
            server.clock.advance(by: .seconds(1_101 * 86_400))

            while try await server.retain("install") {}

            let sold = try await server.rows("SELECT sold_by FROM purchase_chain ORDER BY chain_id").map { try SoldBy(text: $0.text("sold_by")) }
            #expect(try await server.counts(["install", "event"]) == [0, 0])
            #expect(sold == [SoldBy(placement: "home", paywall: "summer"), SoldBy()])
        }
    }

    @Test("is told together with when the chain began, which facts may move to an earlier day")
    func began() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), yearMs = 365 * Retention.dayMs
        try await TestServer.run(trust: store.trust()) { server in
            func began() async throws -> [[SQLValue]] { try await server.rows("SELECT began_at_ms FROM purchase_chain").map(\.values) }
            _ = try await server.report([store.transaction("2", daysAgo: 3)], .purchase)
            let first = try await began()

            let older = try store.transaction("1", daysAgo: 33, adding: ["originalPurchaseDate": Self.nowMs - yearMs])
            _ = try await server.report([older], .sync, key: "k2")

            #expect(first == [[.integer(Self.nowMs - 3 * Retention.dayMs)]])
            #expect(try await began() == [[.integer(Self.nowMs - yearMs)]])
        }
    }
}

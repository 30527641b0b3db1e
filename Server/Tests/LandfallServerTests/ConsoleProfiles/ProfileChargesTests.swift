// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer

@Suite("Purchases in a person's timeline", .timeLimit(.minutes(1)))
struct ProfileChargesTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let profile = "i_" + Phone().id

    /// The entries about money, as far as tests read them.
    private struct Said: Decodable {
        struct Money: Decodable, Hashable {
            let milliunits: Int64
            let currency: String
        }
        struct Detail: Decodable, Hashable {
            let term: String
            let value: String
        }
        struct Entry: Decodable {
            let kind: String
            let subject: String
            let atMilliseconds: Int64
            let install: String
            let details: [Detail]
            let money: Money?

            func value(_ term: String) -> String? { details.first { $0.term == term }?.value }
        }
        struct Timeline: Decodable { let entries: [Entry] }

        let timeline: Timeline
    }

    private static func run(_ body: @Sendable (TestServer, SignedStore) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: nowMs)
        var configuration = Configuration.sample()
        configuration.purchases.accessLevels = [AccessLevel(rawValue: "premium")]
        configuration.purchases.products = [ProductRule(name: .exactly("yearly"), access: [AccessLevel(rawValue: "premium")])]
        try await TestServer.run(configuration: configuration, trust: store.trust()) { try await body($0, store) }
    }

    private static func charges(_ browser: ConsoleBrowser, _ profile: String = profile) async throws -> [Said.Entry] {
        let said: Said = try await browser.get("/console/profiles/\(profile).json").decoded()
        return said.timeline.entries.filter { ["purchase", "refund", "trial"].contains($0.kind) }
    }

    @Test("Each purchase, refund and trial has its product, its money as it was paid, and what became of it; the newest is first")
    func entries() async throws {
        try await Self.run { server, store in
            let day: Int64 = 86_400_000
            _ = try await server.report([
                store.transaction(
                    "10", of: "10", daysAgo: 20, adding: ["price": 0, "offerType": 1, "offerDiscountType": "FREE_TRIAL", "expiresDate": Self.nowMs - 13 * day]),
                store.transaction("11", of: "10", daysAgo: 13),
                store.transaction(
                    "12", of: "12", daysAgo: 9,
                    adding: ["price": 1_200_000, "currency": "JPY", "productId": "coins", "type": "Consumable", "revocationDate": Self.nowMs - 2 * day, "revocationReason": 0]),
            ])

            let said = try await Self.charges(try await ConsoleBrowser.signedIn(server, as: .support))

            #expect(said.map(\.kind) == ["refund", "purchase", "purchase", "trial"])
            #expect(said.map(\.atMilliseconds) == [2, 9, 13, 20].map { Self.nowMs - $0 * day })
            #expect(said.map(\.subject) == ["coins", "coins", "yearly", "yearly"])
            #expect(said.map(\.money) == [
                .init(milliunits: 1_200_000, currency: "JPY"), .init(milliunits: 1_200_000, currency: "JPY"), .init(milliunits: 9_990, currency: "EUR"), nil,
            ])
            #expect(said.map { $0.value("state") } == [nil, "paidBack", "paid", "paidAfterTrial"])
            #expect(said.allSatisfy { $0.install == Phone().id && $0.value("product") == $0.subject })
        }
    }

    @Test("The page writes money in its own currency by the rules of the language, a refund with a minus; a sandbox has none")
    func page() async throws {
        try await Self.run { server, store in
            var sandbox = store
            sandbox.environment = "Sandbox"
            _ = try await server.report([
                store.transaction("12", of: "12", daysAgo: 9, adding: ["price": 1_200_000, "currency": "JPY", "revocationDate": Self.nowMs - 86_400_000]),
                store.transaction("13", of: "13", daysAgo: 3, adding: ["price": 4_990, "currency": "USD"]),
                sandbox.transaction("14", of: "14", daysAgo: 2, adding: ["price": 7_770, "currency": "USD"]),
            ])
            let browser = try await ConsoleBrowser.signedIn(server, as: .support)

            let page = try await browser.get("/console/profiles/" + Self.profile).page
            let chinese = try await browser.get("/console/profiles/" + Self.profile, [.acceptLanguage: "zh-CN"]).page

            #expect(page.contains("yearly · ¥1,200<") && page.contains("yearly · −¥1,200<") && page.contains("yearly · $4.99<"))
            #expect(page.contains("Paid back since") && !page.contains("7.77"))
            #expect(chinese.contains("yearly · −JP¥1,200<") && chinese.contains("yearly · US$4.99<") && !chinese.contains("Paid back since"))
        }
    }

    @Test("Nobody's timeline has what another profile owns")
    func owners() async throws {
        try await Self.run { server, store in
            _ = try await server.report([store.transaction()], by: Phone(1))
            _ = try await server.firstOpen("{}", phone: Phone(2, secret: 2))

            let browser = try await ConsoleBrowser.signedIn(server, as: .support)
            #expect(try await Self.charges(browser, "i_" + Phone(1).id).count == 1)
            #expect(try await Self.charges(browser, "i_" + Phone(2).id).isEmpty)
        }
    }

    @Test("Many purchases are on pages, each once, also if a page ends within one millisecond")
    func pages() async throws {
        try await Self.run { server, store in
            for numbers in [100..<149, 200..<230] {
                let texts = try numbers.map { number in
                    try store.transaction(
                        "\(number)", of: "\(number)", daysAgo: number < 140 ? 4 : 5, adding: ["type": "Consumable", "productId": "coins"])
                }
                _ = try await server.report(texts, key: "k\(numbers.lowerBound)")
            }
            let browser = try await ConsoleBrowser.signedIn(server, as: .support)

            let pages = try await browser.timeline(Self.profile)

            let purchases = pages.flatMap { $0 }.filter { $0.kind == "purchase" }
            #expect(pages.first?.count == 50 && purchases.count == 79 && Set(purchases.map(\.key)).count == 79)
        }
    }
}

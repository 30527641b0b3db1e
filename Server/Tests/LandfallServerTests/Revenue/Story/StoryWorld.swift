// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallSimulator
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A server on which 300 people live 31 days: their phones, Apple Ads and the App Store call it as they do in the world.
struct StoryWorld: Sendable {
    /// 21 September 2026, on which the clock begins.
    static let firstDay: Int64 = 20_717
    private static let dayMs: Int64 = 86_400_000
    /// People who call at a time.
    private static let crowd = 10

    private static let yaml = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_test }]
        appleAds: { enabled: true }
        domains: { brand: [brandname.go.link], universal: [example.com] }
        paywalls:
          default: { products: [weekly] }
          special: { products: [yearly] }
        layers: { main: {} }
        experiments:
          spring-price:
            state: live
            variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: special } }
        placements: { home: [{ audience: everyone, experiment: spring-price }] }
        links:
          - { url: https://brandname.go.link/beach, to: https://example.com/a, campaign: summer, channel: poster }
          - { url: https://brandname.go.link/snow, to: https://example.com/b, campaign: winter, adGroup: alps }
          - { url: https://brandname.go.link/plain, to: https://example.com/c, channel: mail }
        purchases:
          currency: USD
          rates:
            2026-01-01: { EUR: "1.10", JPY: "0.0070", GBP: "1.30" }
            2026-09-26: { EUR: "1.20" }
          tax: { DEU: "0.19" }

        """

    let server: TestServer
    private let chain: SigningChain
    private let apple: ScriptedAppleAds
    private let phones: [Phone]

    static func run(isEmbedded: Bool = TestEngine.isEmbedded, _ body: @Sendable (StoryWorld) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: firstDay * dayMs), phones = phones()
        try await TestServer.run(
            configuration: try Configuration(yaml: yaml), revision: 0, trust: store.trust(), isEmbedded: isEmbedded
        ) { server in
            try await ExperimentServer(server: server).publish(yaml)
            let world = StoryWorld(server: server, chain: store.chain, apple: ScriptedAppleAds(scripts), phones: phones)
            try await world.live()
            try await body(world)
        }
    }

    /// The day's name in reports.
    static func day(_ number: Int) -> String { ReportDays.text(firstDay + Int64(number)) }

    func report(_ view: RevenueView, by: [RevenueDimension], isVerified: Bool = false) async throws -> RevenueDocument {
        let days = try ReportDays(Self.firstDay - 10, Self.firstDay + 30, in: .utc)
        return try await server.services.reports.answer(
            RevenueRequest(view, by: by, days, isVerified: isVerified), server.services.snapshot)
    }

    /// One for each person. The experiment draws it into their variation by its id.
    private static func phones() -> [Phone] {
        var number = 0
        return StoryPerson.all.map { person in
            let phone = ExperimentServer.phone(in: person.variation, after: number)
            number = Int(phone.id.suffix(12)) ?? number
            return phone
        }
    }

    /// What Apple answers to the token of each person who came by an ad.
    private static var scripts: [String: [ScriptedAppleAds.Answer]] {
        StoryPerson.all.reduce(into: [:]) { scripts, person in
            guard let campaign = person.origin.campaign, let adGroup = person.origin.adGroup, let keyword = person.origin.keyword else { return }
            scripts["ad-\(person.number)"] = [
                .reply(
                    200,
                    #"{"attribution":true,"orgId":1,"campaignId":\#(campaign),"adGroupId":\#(adGroup),"keywordId":\#(keyword),"conversionType":"Download","claimType":"Click"}"#
                )
            ]
        }
    }

    private var nowMs: Int64 { server.services.time.nowMs() }

    private func live() async throws {
        for day in 0...30 {
            let opening = StoryPerson.all.filter { $0.day == day }
            try await each(opening) { try await open($0) }
            if !opening.isEmpty { try await answerTokens() }
            try await each(StoryPerson.all.filter { $0.day <= day }) { try await act($0, day - $0.day) }
            try await server.workOnNotifications(1_000)
            server.clock.advance(by: .seconds(86_400))
        }
    }

    private func each(_ people: [StoryPerson], _ body: @Sendable @escaping (StoryPerson) async throws -> Void) async throws {
        for start in stride(from: 0, to: people.count, by: Self.crowd) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in people[start..<min(start + Self.crowd, people.count)] { group.addTask { try await body(person) } }
                try await group.waitForAll()
            }
        }
    }

    /// The first open, with the paywall that is shown then.
    private func open(_ person: StoryPerson) async throws {
        let origin = person.origin, phone = phones[person.number]
        let token = origin.keyword == nil ? #"{"none":"noToken"}"# : #"{"value":"ad-\#(person.number)"}"#
        let link = origin.link.map { #"{"key":"l","url":"https://\#($0)","ageMilliseconds":400}"# } ?? ""
        let lines = try await server.firstOpen(#"{"adToken":\#(token),"links":[\#(link)],"placements":[{"id":"home"}]}"#, phone: phone)
        let answer = try #require(lines.paywalls.first), paywall = try #require(answer.paywall)
        #expect(paywall.name.rawValue == person.paywall && answer.assignment?.variation.rawValue == person.variation)
        var shown = Event(id: exposure(person), type: .paywallShown, ageMilliseconds: 0)
        (shown.placement, shown.paywall, shown.variationId) = (answer.placement, paywall.name, paywall.variationId)
        shown.assignment = answer.assignment
        let batch = String(decoding: try WireCoding.encode(EventBatch(events: [shown])), as: UTF8.self)
        #expect(try await server.send(.post, WirePath.events, batch, phone: phone).status == .ok)
    }

    private func exposure(_ person: StoryPerson) -> String { "0198f0c3-7b1a-7c3d-8e4f-" + String(format: "%012d", person.number) }

    private func answerTokens() async throws {
        let services = server.services, logger = Logger(label: "story") { _ in SwiftLogNoOpLogHandler() }
        let work = AppleAdsExchanger(
            AppleAdsAnswers(services.database, services.mark), apple, time: services.time, logger: logger, metrics: PrometheusRegistry()
        ).work
        let queue = JobQueue(database: services.database)
        for job in try await queue.lease(.appleAds, 1_000, nowMs: nowMs, leaseMs: work.leaseMs) {
            try await queue.move(job, try await work.attempt(job))
        }
    }

    /// What somebody does on a day after their first open, and what the App Store says of it by itself.
    private func act(_ person: StoryPerson, _ day: Int) async throws {
        switch (person.plan, day) {
        case (.sandbox, 0): try await buy(person, 0, .dollarMonth, in: "Sandbox")
        case (.earlier, 0): try await buy(person, 0, .dollarMonth, daysAgo: 10, .restore)
        case (.francs, 2): try await buy(person, 0, .francWeek)
        case (.weekly, 0): try await buy(person, 0, .dollarWeek)
        case (.weekly, 7), (.weekly, 14), (.weekly, 21), (.weekly, 28): try await tell("DID_RENEW", person, day / 7, .dollarWeek)
        case (.refunded, 0): try await buy(person, 0, .trial(in: "DEU"))
        case (.refunded, 3): try await tell("DID_RENEW", person, 1, .euroMonth)
        case (.refunded, 10):
            try await tell("REFUND", person, 1, .euroMonth, daysAgo: 7, ["revocationDate": nowMs, "revocationType": "REFUND_FULL"])
        case (.triesOnly, 0): try await buy(person, 0, .trial(in: "FRA"))
        case (.yearly, 1): try await buy(person, 0, .yenYear)
        case (.yearly, 20):
            let half: [String: Any] = ["revocationDate": nowMs, "revocationType": "REFUND_PRORATED", "revocationPercentage": 50_000]
            try await tell("REFUND", person, 0, .yenYear, daysAgo: 19, half)
        case (.coins, 0): try await buy(person, 0, .coins)
        case (.coins, 5): try await buy(person, 1, of: 1, .coins)
        case (.upgrade, 0): try await buy(person, 0, .dollarMonth)
        case (.upgrade, 10): try await buy(person, 1, .dollarYear)
        default: break
        }
    }

    /// A phone reports what was bought in this moment, or before.
    private func buy(
        _ person: StoryPerson, _ number: Int, of first: Int = 0, _ sale: Sale, daysAgo: Int64 = 0, _ reason: PurchaseReason = .purchase,
        in environment: String = "Production"
    ) async throws {
        let text = try signed(person, number, of: first, sale, daysAgo: daysAgo, ["environment": environment])
        let report = PurchaseReport(
            key: IdempotencyKey("p\(number)"), reason: reason,
            transactions: [.init(jws: text, exposure: reason == .purchase ? exposure(person) : nil)])
        let body = String(decoding: try WireCoding.encode(report), as: UTF8.self)
        let answer = try await server.send(.post, WirePath.purchases, body, phone: phones[person.number]).decoded(PurchaseAnswer.self)
        #expect(answer.results.map(\.status) == [.accepted])
    }

    /// The App Store's server notifies.
    private func tell(
        _ type: String, _ person: StoryPerson, _ number: Int, _ sale: Sale, daysAgo: Int64 = 0, _ more: [String: Any] = [:]
    ) async throws {
        let text = try signed(person, number, of: 0, sale, daysAgo: daysAgo, more)
        let uuid = "00000000-0000-4000-8000-" + String(format: "%012d", person.number * 10 + number + (type == "REFUND" ? 5 : 0))
        let told = try SignedStore(nowMs: nowMs, chain: chain).notification(uuid, type, nil, data: ["signedTransactionInfo": text])
        #expect(try await server.notify(told).status == .ok)
    }

    private func signed(
        _ person: StoryPerson, _ number: Int, of first: Int, _ sale: Sale, daysAgo: Int64, _ more: [String: Any]
    ) throws -> String {
        let store = try SignedStore(nowMs: nowMs, chain: chain)
        func id(_ number: Int) -> String { "\(1_000_000 + person.number * 10 + number)" }
        let content = sale.content(purchasedAtMs: nowMs - daysAgo * Self.dayMs).merging(more) { $1 }
        return try store.transaction(id(number), of: id(first), daysAgo: daysAgo, adding: content)
    }
}

/// What can be bought in the story, as the App Store signs it.
private struct Sale {
    let product: String
    /// Nil for coins.
    let days: Int64?
    let milliunits: Int64
    let currency: String
    let storefront: String
    var isTrial = false

    static let dollarWeek = Sale(product: "weekly", days: 7, milliunits: 4_990, currency: "USD", storefront: "USA")
    static let dollarMonth = Sale(product: "monthly", days: 30, milliunits: 9_990, currency: "USD", storefront: "USA")
    static let dollarYear = Sale(product: "yearly", days: 365, milliunits: 59_990, currency: "USD", storefront: "USA")
    static let francWeek = Sale(product: "weekly", days: 7, milliunits: 5_000, currency: "CHF", storefront: "CHE")
    static let euroMonth = Sale(product: "monthly", days: 30, milliunits: 9_990, currency: "EUR", storefront: "DEU")
    static let yenYear = Sale(product: "yearly", days: 365, milliunits: 6_000_000, currency: "JPY", storefront: "JPN")
    static let coins = Sale(product: "coins", days: nil, milliunits: 1_990, currency: "GBP", storefront: "GBR")

    static func trial(in storefront: String) -> Sale {
        Sale(product: "monthly", days: 3, milliunits: 0, currency: "EUR", storefront: storefront, isTrial: true)
    }

    func content(purchasedAtMs: Int64) -> [String: Any] {
        var content: [String: Any] = ["productId": product, "price": milliunits, "currency": currency, "storefront": storefront]
        if let days {
            content["expiresDate"] = purchasedAtMs + days * 86_400_000
        } else {
            content["type"] = "Consumable"
            content["expiresDate"] = NSNull()
        }
        if isTrial { content.merge(["offerType": 1, "offerDiscountType": "FREE_TRIAL"]) { $1 } }
        return content
    }
}

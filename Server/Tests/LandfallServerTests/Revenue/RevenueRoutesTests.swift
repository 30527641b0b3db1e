// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallPurchases
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("GET /v1/reports/revenue", .timeLimit(.minutes(1)))
struct RevenueRoutesTests {
    /// A server on which 9.99 € were paid today.
    static func run(scopes: Set<ServerKey.Scope> = [.reports], _ body: @Sendable (TestServer) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: scopes)!]
        configuration.purchases.money.currency = "EUR"
        try await TestServer.run(configuration: configuration) { server in
            let (now, app) = (server.services.time.nowMs(), server.services.snapshot.app.id)
            let id = ChainID(environment: .production, originalTransactionID: "1")
            let charge = Charge(
                kind: .purchase, transactionID: "1", number: 0, productID: "week", type: nil, bookedAtMs: now, purchasedAtMs: now, currency: "EUR",
                milliunits: 9_990, part: Charge.Fraction(numerator: 1, denominator: 1), quantity: 1, storefront: "DEU", offerType: nil,
                offerDiscount: nil, offerID: nil, reason: nil, billingPlan: nil, groupID: nil, periodEndsAtMs: nil, serviceEndsAtMs: nil,
                upgradeCredit: nil, paidBeforeMs: 0, isPaidBeforeEstimated: false, followsTrial: false)
            try await server.services.database.write(.interactive, locking: [.chain(id.description, in: app)]) { connection in
                _ = try connection.run(ChargeRow(charge, of: id).insertion(into: app))
            }
            try await body(server)
        }
    }

    @Test("answers by purchase and source, the last thirty days, where nothing else is asked for")
    func usual() async throws {
        try await Self.run { server in
            let answer = try await server.sendAsBackend(.get, RevenueRoutes.path)
            let document = try answer.decoded(RevenueDocument.self), today = server.services.time.nowMs() / Retention.dayMs

            #expect(answer.status == .ok)
            #expect(document.view == .purchase && document.by == ["source"] && document.currency == "EUR")
            #expect(document.to == ReportDays.text(today) && document.from == ReportDays.text(today - 29))
            #expect(document.rows.map(\.key) == [["source": "unknown"]] && document.totals.numbers[.netMilliunits] == 9_990)
        }
    }

    @Test("answers the fields, the view and the days that are asked for")
    func asked() async throws {
        try await Self.run { server in
            let today = ReportDays.text(server.services.time.nowMs() / Retention.dayMs)
            func document(_ query: String) async throws -> RevenueDocument {
                try await server.sendAsBackend(.get, RevenueRoutes.path + "?" + query).decoded()
            }

            let day = try await document("view=booking&by=day,country&verify=false"), all = try await document("by="), old = try await document("to=2020-01-01")

            #expect(day.view == .booking && day.rows.map(\.key) == [["day": today, "country": "DEU"]])
            #expect(all.rows.map(\.key) == [[:]])
            #expect(old.rows.isEmpty && old.to == "2020-01-01")
        }
    }

    @Test(
        "refuses words that it does not know, and says which it knows",
        arguments: [
            ("view=weekly", "'view' is not valid: one of purchase, booking, subscriptions, cohorts."),
            ("verify=yes", "'verify' is not valid: true or false."),
            (
                "by=path",
                "'by' is not valid: fields of day, source, channel, campaign, adGroup, keyword, link, placement, paywall, variation, product, "
                    + "country, currency, each once, with commas between."
            ),
            ("from=yesterday", "'from' is not valid: a day, such as 2026-11-01."),
            ("from=2026-09-02&to=2026-09-01", "'from' is not valid: a day that is not after 'to'."),
        ])
    func refused(query: String, sentence: String) async throws {
        try await Self.run { server in
            let answer = try await server.sendAsBackend(.get, RevenueRoutes.path + "?" + query)

            #expect(answer.status == .badRequest && answer.problem?.code == .invalidValue)
            #expect(answer.problem?.message == sentence)
        }
    }

    @Test("refuses a field that is named twice")
    func twice() async throws {
        try await Self.run { server in
            let answer = try await server.sendAsBackend(.get, RevenueRoutes.path + "?by=day,day")

            #expect(answer.problem?.code == .invalidValue)
        }
    }

    @Test("accepts only keys with the scope for reports")
    func scope() async throws {
        try await Self.run(scopes: [.links]) { server in
            let weak = try await server.sendAsBackend(.get, RevenueRoutes.path)
            let without = try await server.send(.get, RevenueRoutes.path, phone: nil, key: nil)

            #expect(weak.status == .forbidden && without.status == .unauthorized)
        }
    }

    @Test("leaves the other reports where they were, and a wrong name finds it")
    func neighbours() async throws {
        try await Self.run { server in
            let campaigns = try await server.sendAsBackend(.get, "/v1/reports/campaigns")
            let wrong = try await server.sendAsBackend(.get, "/v1/reports/revenues").problem

            #expect(campaigns.status == .ok)
            #expect(wrong?.code == .notFound && wrong?.message.contains("'revenue'") == true)
        }
    }
}

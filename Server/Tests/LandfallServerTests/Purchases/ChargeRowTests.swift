// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Stored charges", .timeLimit(.minutes(1)))
struct ChargeRowTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let dayMs = Retention.dayMs

    private func ends(_ server: TestServer) async throws -> [[SQLValue]] {
        try await server.rows("SELECT service_ends_at_ms FROM charge ORDER BY booked_at_ms").map(\.values)
    }

    @Test("say until when the service lasts, and which purchase followed a free trial")
    func columns() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), start = Self.nowMs - 37 * Self.dayMs
        let trial = try store.transaction(
            "1", daysAgo: 37,
            adding: ["price": 0, "offerType": 1, "offerDiscountType": "FREE_TRIAL", "expiresDate": start + 7 * Self.dayMs])
        try await TestServer.run(trust: store.trust()) { server in
            _ = try await server.report(
                [
                    trial, store.transaction("2", daysAgo: 30),
                    store.transaction("3", daysAgo: 0, adding: ["revocationDate": Self.nowMs]),
                ])

            let rows = try await server.rows(
                """
                SELECT kind, transaction_id, milliunits, currency, purchase_day, period_ends_at_ms, service_ends_at_ms, follows_trial
                FROM charge ORDER BY purchased_at_ms, kind
                """)

            func row(_ kind: String, _ id: String, _ milliunits: Int64, from: Int64, to: Int64, until: Int64?, follows: Bool) -> [SQLValue] {
                [
                    .text(kind), .text(id), .integer(milliunits), .text("EUR"), .integer(from / Self.dayMs), .integer(to), .integer(until),
                    .flag(follows),
                ]
            }
            let paid = start + 7 * Self.dayMs, last = Self.nowMs
            #expect(
                rows.map(\.values) == [
                    row("trial", "1", 0, from: start, to: paid, until: paid, follows: false),
                    row("purchase", "2", 9_990, from: paid, to: last, until: last, follows: true),
                    row("purchase", "3", 9_990, from: last, to: last + 30 * Self.dayMs, until: last, follows: false),
                    row("refund", "3", 9_990, from: last, to: last + 30 * Self.dayMs, until: nil, follows: false),
                ])
        }
    }

    @Test("are the same rows when they are folded again, so that nothing is written")
    func same() {
        let chain = ChainID(environment: .production, originalTransactionID: "1")
        var payload = TransactionPayload(transactionID: "1", originalTransactionID: "1", productID: "yearly")
        (payload.type, payload.ownership) = (.autoRenewable, .purchased)
        (payload.purchaseDateMs, payload.expiresDateMs, payload.priceMilliunits, payload.currency) = (Self.nowMs, Self.nowMs + 1, 1, "EUR")
        let fact = PurchaseFact(chain: chain, content: .transaction(payload), signedAtMs: Self.nowMs, hash: [1])
        let rows = ChainState.fold([fact], of: chain, rules: PurchaseRules()).charges.map { ChargeRow($0, of: chain) }

        #expect(rows.count == 1)
        #expect(ChargeRow.changes(from: rows, to: rows) == ([], []))
        #expect(ChargeRow.changes(from: [], to: rows) == ([], rows))
    }

    @Test("get the configured days of grace where Apple dates none, also of a purchase that nobody has, and also when they change later")
    func grace() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), end = Self.nowMs - Self.dayMs
        @Sendable func configuration(graceDays: Int64) -> Configuration {
            var configuration = Configuration.sample()
            configuration.purchases.graceDays = graceDays
            return configuration
        }
        try await TestServer.run(configuration: configuration(graceDays: 3), trust: store.trust()) { server in
            let services = server.services
            let rules = RulesWork(services.database, services.mark, configuration: services.configuration, time: services.time)
            let failed = try store.notification(
                "00000000-0000-4000-8000-000000000001", "DID_FAIL_TO_RENEW", "GRACE_PERIOD",
                data: ["status": 4, "signedTransactionInfo": store.transaction(daysAgo: 31)])
            #expect(try await server.notify(failed).status == .ok)
            try await server.workOnNotifications()
            while try await rules.step(in: server.app) != .done {}
            let before = try await ends(server)

            _ = services.configuration.serve(Snapshot(configuration(graceDays: 16), revision: 8))
            while try await rules.step(in: server.app) != .done {}

            #expect(try await server.owners() == [])
            #expect(before == [[.integer(end + 3 * Self.dayMs)]])
            #expect(try await ends(server) == [[.integer(end + 16 * Self.dayMs)]])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What an erased person has paid", .timeLimit(.minutes(1)))
struct ErasedPurchasesTests {
    private func running(_ owner: OwnerRule = .transfer, _ body: @Sendable (TestServer, SoldPurchases) async throws -> Void) async throws {
        let sold = try SoldPurchases()
        try await TestServer.run(configuration: SoldPurchases.configuration(owner), trust: sold.store.trust()) { try await body($0, sold) }
    }

    @Test("is counted as before, by day, product, country and source, and nothing leads from it to them")
    func counted() async throws {
        try await running { server, sold in
            try await sold.open(Phone(1), on: server)
            _ = try await server.report(sold.all, .purchase, by: Phone(1))
            _ = try await server.notify(sold.news(of: sold.all[1], uuid: 1))
            try await server.workOnNotifications()
            let before = try await server.money(), traces = SoldPurchases.traces + [Phone(1).id, Phone(1).credential.secretHash.hexadecimal]
            let isFound = try await !StoredCells(server.services.database).places(of: SoldPurchases.traces).isEmpty

            let answer = try await server.send(.delete, WirePath.profile, phone: Phone(1)).decoded(ErasureAnswer.self)

            #expect(isFound)
            #expect(before.values.reduce(0, +) == 4, "A month, its renewal, the renewal's refund, coins.")
            #expect(try await server.money() == before)
            #expect(try await server.erasedSources() == ["tenjin": 4])
            #expect(try await StoredCells(server.services.database).places(of: traces) == [])
            let left = try await server.counts(["charge", "purchase_fact", "purchase_chain", "profile_chain", "erased_charge", "erased_chain"])
            #expect(left == [0, 0, 0, 0, 4, 3])
            // What the notification said of grace is a fact too.
            #expect((answer.rows["charge"], answer.rows["purchase_chain"], answer.rows["purchase_fact"]) == (4, 3, 5))
            #expect(answer.isGoingOn == nil)
        }
    }

    @Test("shares a row with what is equal: two people's coins of one day are a two")
    func equal() async throws {
        try await running { server, sold in
            for number in [1, 2] {
                try await sold.open(Phone(number), on: server)
                _ = try await server.report([sold.coins("200000000000001\(number)")], .purchase, by: Phone(number))
            }
            let before = try await server.money()

            for number in [1, 2] { _ = try await server.send(.delete, WirePath.profile, phone: Phone(number)) }

            #expect(try await server.money() == before)
            #expect(try await server.rows("SELECT charges FROM erased_revenue").map(\.values) == [[.integer(2)]])
        }
    }

    @Test("has its source from an earlier time if the purchase is older than the first open, and none if no phone has brought it")
    func sources() async throws {
        try await running { server, sold in
            try await sold.open(Phone(1), on: server)
            let token = try #require(PurchaseTokens(key: server.services.mark.purchaseKey).token(of: .first(of: InstallID(Phone(1).id))))
            let older = try sold.store.transaction("2000000000000021", of: "2000000000000021", daysAgo: 70)
            let unbrought = try sold.store.transaction("2000000000000022", of: "2000000000000022", adding: ["appAccountToken": token])
            _ = try await server.report([older, sold.coins("2000000000000023")], by: Phone(1))
            _ = try await server.notify(
                sold.store.notification(SoldPurchases.uuid(1), data: ["status": 1, "signedTransactionInfo": unbrought]))
            try await server.workOnNotifications()

            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))

            #expect(try await server.erasedSources() == ["before": 1, "tenjin": 1, "unknown": 1])
        }
    }

    @Test("goes on being counted when the App Store renews and pays back, once each, and nothing else of it is stored")
    func renewal() async throws {
        try await running { server, sold in
            try await sold.open(Phone(1), on: server)
            _ = try await server.report(sold.all, .purchase, by: Phone(1))
            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))
            let before = try await server.money()

            // Twice the same, and once more under another name; its refund twice; then what was counted long ago.
            let renewal = try sold.month("2000000000000004", daysAgo: 0), first = try sold.news(of: renewal, uuid: 1)
            let refund = try sold.month(
                "2000000000000004", daysAgo: 0, adding: ["revocationDate": sold.store.nowMs - 1_000, "revocationType": "REFUND_FULL"])
            for text in try [
                first, first, sold.news(of: renewal, uuid: 2), sold.news(of: refund, uuid: 3), sold.news(of: refund, uuid: 4),
                sold.news(of: sold.all[1], uuid: 5),
            ] {
                #expect(try await server.notify(text).status == .ok)
                try await server.workOnNotifications()
            }

            let new = try await server.money().filter { before[$0.key] != $0.value }
            #expect(Set(new.keys.map { $0[2] }) == [.text("purchase"), .text("refund")])
            #expect(new.values.map(\.self) == [1, 1])
            #expect(try await server.erasedSources() == ["tenjin": 6])
            #expect(try await server.counts(["purchase_fact", "purchase_chain", "charge", "job"]) == [0, 0, 0, 0])
            let bodies = try await server.rows("SELECT payload, signature, reason FROM app_store_notification").map(\.values)
            #expect(bodies == [[SQLValue]](repeating: [.null, .null, .null], count: 5))
            #expect(try await StoredCells(server.services.database).places(of: SoldPurchases.traces) == [])
        }
    }

    @Test("keeps no body of a notification that this release does not know either")
    func unknown() async throws {
        try await running { server, sold in
            _ = try await server.report(sold.all, .purchase, by: Phone(1))
            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))
            let text = try sold.store.notification(
                SoldPurchases.uuid(1), "LATER_TYPE", nil, data: ["signedTransactionInfo": sold.month("2000000000000004", daysAgo: 0)])
            _ = try await server.notify(text)

            try await server.workOnNotifications()

            #expect(try await server.rows("SELECT payload, reason FROM app_store_notification").map(\.values) == [[.null, .null]])
        }
    }

    @Test("is not theirs again when they come back: what they bought opens, and only what was not counted yet is counted as theirs")
    func comesBack() async throws {
        try await running { server, sold in
            try await sold.open(Phone(1), on: server)
            _ = try await server.report(sold.all, .purchase, by: Phone(1))
            let before = try await server.money()
            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))

            let later = try sold.month("2000000000000004", daysAgo: 5)
            let back = try await server.report(sold.all + [later], .restore, by: Phone(2))
            _ = try await server.notify(sold.news(of: sold.month("2000000000000005", daysAgo: 0), uuid: 1))
            try await server.workOnNotifications()

            #expect(back.results.map(\.status) == [PurchaseAnswer.Result.Status](repeating: .accepted, count: 5))
            #expect(try await server.access(of: Phone(2))?.entry(of: SoldPurchases.premium, at: sold.store.nowMs)?.period.state == .active)
            let ids = try await server.rows("SELECT transaction_id FROM charge ORDER BY transaction_id").map { try $0.text("transaction_id") }
            #expect(ids == ["2000000000000004", "2000000000000005"])
            #expect(try await server.erasedSources() == ["tenjin": 4])
            let money = try await server.money()
            #expect(before.allSatisfy { money[$0.key] == $0.value })
            #expect(money.values.reduce(0, +) == 6)
        }
    }

    @Test("is counted once too when everything is computed again from what Apple signed after they came back", arguments: [RevenueView.purchase, .booking])
    func verified(view: RevenueView) async throws {
        try await running { server, sold in
            try await sold.open(Phone(1), on: server)
            _ = try await server.report(sold.all, .purchase, by: Phone(1))
            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))
            _ = try await server.report(sold.all + [sold.month("2000000000000004", daysAgo: 5)], .restore, by: Phone(2))

            let today = ReportZone.utc.day(ofMs: sold.store.nowMs), days = try ReportDays(today - 90, today + 1, in: .utc)
            let reports = server.services.reports
            let stored = try await reports.answer(RevenueRequest(view, by: [], days), server.services.snapshot)
            let verified = try await reports.answer(RevenueRequest(view, by: [], days, isVerified: true), server.services.snapshot)

            #expect(verified.verified?.differences == [])
            #expect(verified.totals == stored.totals && verified.erased == stored.erased)
            #expect(stored.totals.numbers[.purchases] == 4)
        }
    }

    @Test("is counted once, however often they come back and are erased again")
    func again() async throws {
        try await running { server, sold in
            for number in 1...3 {
                try await sold.open(Phone(number), on: server)
                _ = try await server.report(sold.all, .restore, by: Phone(number))
                _ = try await server.send(.delete, WirePath.profile, phone: Phone(number))
            }

            #expect(try await server.money().values.reduce(0, +) == 4)
            #expect(try await server.counts(["charge", "purchase_fact", "erased_chain", "erased_charge"]) == [0, 0, 3, 4])
            #expect(try await server.erasedSources() == ["tenjin": 4])
        }
    }

    @Test("stays as it is while somebody else has the chain, and goes with the last of them")
    func shared() async throws {
        try await running(.share) { server, sold in
            try await sold.open(Phone(1), on: server)
            for number in 1...3 { _ = try await server.report(sold.all, .restore, by: Phone(number)) }
            let before = try await server.money()

            for number in [1, 3, 2] {
                let left = try await server.counts(["charge", "purchase_fact", "erased_charge"])
                #expect(left == [4, 4, 0])
                _ = try await server.send(.delete, WirePath.profile, phone: Phone(number))
                #expect(try await server.money() == before)
            }

            #expect(try await server.counts(["charge", "purchase_fact", "purchase_chain", "erased_charge"]) == [0, 0, 0, 4])
            // Of the first one, who brought them.
            #expect(try await server.erasedSources() == ["tenjin": 4])
        }
    }

    @Test("stays with whom the chain has moved to, and with the source alone of the person who brought it")
    func moved() async throws {
        try await running { server, sold in
            try await sold.open(Phone(1), on: server)
            _ = try await server.report(sold.all, .purchase, by: Phone(1))
            _ = try await server.report(sold.all, .restore, by: Phone(2))

            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))

            #expect(try await server.counts(["charge", "purchase_fact", "erased_charge", "erased_chain"]) == [4, 4, 0, 0])
            #expect(try await server.owners().count == 3)
            let rows = try await server.rows("SELECT origin, brought_by_install, exposure_id FROM purchase_chain").map { row in
                (origin: try ChainOrigin(text: row.text("origin")), install: row["brought_by_install"], exposure: row["exposure_id"])
            }
            #expect(rows.count == 3)
            for row in rows {
                #expect((row.origin.source, row.origin.campaign, row.install, row.exposure) == ("tenjin", nil, .null, .null))
                #expect(row.origin.firstOpenedAtMs % 900_000 == 0)
            }
            _ = try await server.send(.delete, WirePath.profile, phone: Phone(2))
            #expect(try await server.erasedSources() == ["tenjin": 4])
        }
    }

    @Test("stays for ever, with its source, if they were only not seen for long")
    func expired() async throws {
        try await running { server, sold in
            try await sold.open(Phone(1), on: server)
            _ = try await server.report(sold.all, .purchase, by: Phone(1))
            let before = try await server.money()
            server.clock.advance(by: .seconds(1_200 * 86_400))

            for rule in ["install", "former_profile"] { while try await server.retain(rule) {} }

            #expect(try await server.counts(["install", "profile", "profile_chain", "charge", "purchase_fact", "erased_charge"]) == [0, 0, 0, 4, 4, 0])
            #expect(try await server.money() == before)
            #expect(try await server.owners() == [])
            for row in try await server.rows("SELECT origin FROM purchase_chain") {
                let origin = try ChainOrigin(text: row.text("origin"))
                #expect((origin.source, origin.campaign) == ("tenjin", "autumn"))
            }
            // Who restores it afterwards does not change where it came from.
            _ = try await server.report(sold.all, .restore, by: Phone(2))
            _ = try await server.send(.delete, WirePath.profile, phone: Phone(2))
            #expect(try await server.erasedSources() == ["tenjin": 4])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Exported rows", .timeLimit(.minutes(1)))
struct ExportReaderTests {
    private static let maya = Credential.mayasPhone.installID.rawValue

    private static func sha256(_ text: String) -> String { Array(SHA256.hash(data: Data(text.utf8))).hexadecimal }

    @Test(
        "are those of the day in UTC, and each has every field of its table",
        arguments: [
            (ExportTable.firstOpens, "installId", [maya]), (.clicks, "clickId", ExportedStore.clicks), (.exposures, "installId", [maya]),
            (.events, "type", ["trial_started"]), (.purchases, "transactionId", ["1", "2"]), (.charges, "transactionId", ["1", "2"]),
            (.assignments, "installId", [maya]), (.installs, "installId", [maya]),
            (.erasures, "idSha256", [sha256(Credential.mayasTablet.installID.rawValue)]),
        ])
    func day(table: ExportTable, field: String, expected: [String]) async throws {
        let store = try await ExportedStore()

        let rows = try await store.rows(of: table)

        #expect(rows.compactMap { $0[field] as? String } == expected)
        for row in rows { #expect(row.keys.sorted() == table.fields.map(\.name).sorted()) }
        #expect(Set(table.fields.map(\.name)).count == table.fields.count)
    }

    @Test("say where an install came from, and what it is now")
    func installs() async throws {
        let store = try await ExportedStore()

        let opened = try #require(try await store.rows(of: .firstOpens).first)
        let present = try #require(try await store.rows(of: .installs).first)

        #expect(opened["attribution"] as? String == "attributed")
        #expect(opened["source"] as? String == "tenjin")
        #expect(opened["campaign"] as? String == "autumn")
        #expect(opened["isReinstall"] as? Bool == false)
        #expect(opened["appVersion"] as? String == "1.2.0")
        #expect(opened["receivedAtMilliseconds"] as? Int64 == RevenueStore.ms(21))
        #expect(present["customerId"] as? String == "maya")
        #expect(present["isCustomerVerified"] as? Bool == true)
        #expect(present["locale"] as? String == "de-DE")
    }

    @Test("say what was bought and by what, in milliunits; a free trial has no amount, and a sandbox is no money")
    func purchases() async throws {
        let store = try await ExportedStore()

        let bought = try await store.rows(of: .purchases)
        let refunds = try await store.rows(of: .charges, on: ExportedStore.day + 1)

        #expect(bought.map { $0["kind"] as? String } == ["purchase", "trial"])
        #expect(bought.map { $0["amountMilliunits"] as? Int64 } == [4_995, nil])
        #expect(bought.map { $0["currency"] as? String } == ["EUR", nil])
        #expect(bought.map { $0["originalTransactionId"] as? String } == ["100", "200"])
        #expect(bought.allSatisfy { $0["installId"] as? String == Self.maya && $0["campaign"] as? String == "autumn" })
        #expect(refunds.map { $0["kind"] as? String } == ["refund"])
        #expect(refunds.first?["amountMilliunits"] as? Int64 == 9_990)
    }

    @Test("of events keep their properties as an object, and those of clicks their tracking parameters")
    func objects() async throws {
        let store = try await ExportedStore()

        let trial = try #require(try await store.rows(of: .events).first), click = try #require(try await store.rows(of: .clicks).first)

        #expect(trial["properties"] as? [String: String] == ["plan": "it's \"yearly\""])
        #expect(trial["valueMilliunits"] as? Int64 == 9_990)
        #expect(click["parameters"] as? [String: String] == ["gclid": "x\"y"])
        #expect(click["visitor"] as? String == "ffffffffffffffff")
    }

    @Test("are the same in pages of any size", arguments: ExportTable.allCases)
    func pages(table: ExportTable) async throws {
        let store = try await ExportedStore()

        for format in ExportFormat.allCases {
            let whole = try await store.text(of: table, format), single = try await store.text(of: table, format, page: 1)
            #expect(whole == single)
            #expect(whole.isEmpty == false)
        }
    }

    @Test("in CSV come back by a reader of RFC 4180, and no text is a formula")
    func csv() async throws {
        let store = try await ExportedStore(campaign: "=1+1")

        let text = try await store.text(of: .clicks, .csv)
        let table = try CSVTable(text), names = table.rows[0].fields.map(\.text)

        #expect(names == ExportTable.clicks.fields.map(\.name))
        #expect(table.rows.count == 3)
        #expect(text.hasSuffix("\r\n"))
        let row = Dictionary(uniqueKeysWithValues: zip(names, table.rows[1].fields.map(\.text)))
        #expect(row["clickId"] == ExportedStore.clicks[0])
        #expect(row["campaign"] == "'=1+1")
        #expect(row["campaign"].map(SpreadsheetCell.reading) == "=1+1")
        #expect(row["creative"] == "say \"hello\",\nthen wave")
        #expect(row["label"] == "")
        let lines = try await store.rows(of: .clicks)
        #expect(lines[0]["campaign"] as? String == "=1+1")
    }

    @Test("of an erased person are gone, and the day's erasures say which older rows a receiver has to delete")
    func erased() async throws {
        let store = try await ExportedStore()
        var before: [[String: Any]] = []
        for table in ExportTable.allCases { before += try await store.rows(of: table) }

        _ = try await store.erase(.install(Credential.mayasPhone.installID), atMs: RevenueStore.ms(23))

        for table in ExportTable.allCases {
            #expect(try await store.text(of: table).contains(Self.maya) == false, "\(table)")
        }
        let hashes = Set(try await store.rows(of: .erasures, on: RevenueStore.august + 23).compactMap { $0["idSha256"] as? String })
        let named = before.filter { row in ["installId", "profileId"].contains { (row[$0] as? String).map(Self.sha256).map(hashes.contains) ?? false } }
        let hers = before.filter { $0["installId"] as? String == Self.maya }
        #expect(named.count == hers.count)
        #expect(hers.count == 9)
        #expect(hers.compactMap { $0["profileId"] as? String }.allSatisfy { hashes.contains(Self.sha256($0)) })
    }

    @Test(
        "are found by a key, without those of other days", .sqlitePlans,
        arguments: [
            (StoredTexts.clicks, "sqlite_autoindex_click_1 (app_id=? AND click_id>? AND click_id<?)"),
            (StoredTexts.exposures, "sqlite_autoindex_event_1 (app_id=? AND id>? AND id<?)"),
            (StoredTexts.events, "sqlite_autoindex_event_1 (app_id=? AND id>? AND id<?)"),
            (StoredTexts.assignments, "experiment_unit_by_time (app_id=? AND"), (StoredTexts.erasures, "erased_install_by_time (app_id=? AND erased_at_ms>?"),
            (StoredTexts.installs, "install_by_creation (app_id=? AND"), (StoredTexts.lastSeen, "(app_id=? AND install_id=?)"),
            (StoredTexts.customers, "(app_id=? AND profile_id=?)"), (StoredTexts.charges, "(app_id=? AND (booking_day,"),
            (StoredTexts.purchases, "charge_by_purchase (app_id=? AND (purchase_day,"),
        ])
    func plans(text: String, index: String) async throws {
        let store = try await TestStore()

        let plan = try await store.sqlitePlan(of: text)

        #expect(plan.hasPrefix("SEARCH") && plan.contains(index) && !plan.contains("SCAN"), "\(plan)")
    }
}

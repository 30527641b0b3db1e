// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallWire

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A store with rows of 2026-09-21 in every table, and with others just before and just after that day.
struct ExportedStore: Sendable {
    static let day: Int64 = RevenueStore.august + 21
    static let startMs = day * Retention.dayMs
    static let endMs = startMs + Retention.dayMs
    private static let noon = RevenueStore.ms(21)
    static let app = TestStore.app
    /// Of the click at midnight, and of the last one.
    static let clicks = [UUIDv7.earliest(atMs: startMs) + "7000-8000-000000000001", UUIDv7.earliest(atMs: endMs - 1) + "7fff-bfff-ffffffffffff"]

    let revenue: RevenueStore
    var store: TestStore { revenue.store }

    /// - Parameter campaign: of every click and of Maya's claim.
    init(campaign: String = "autumn") async throws {
        revenue = try await RevenueStore()
        try await people(campaign)
        try await events()
        for (id, atMs) in zip(Self.clicks + ["a", "b"].map { UUIDv7.earliest(atMs: $0 == "a" ? Self.endMs : Self.startMs - 1) + "7000-8000-00000000000\($0)" },
            [Self.startMs, Self.endMs - 1, Self.endMs, Self.startMs - 1]) {
            let labels = LinkLabels(campaign: campaign, creative: "say \"hello\",\nthen wave")
            let click = Click(
                id: id, atMs: atMs, kind: .person, platform: .ios, host: "go.example.com", path: LinkPath(stored: "/autumn"), outcome: .store,
                visitor: -1, country: "DE", labels: labels, parameters: ["gclid": "x\"y"])
            try await store.clicks.record(ClickEntry(click: click), of: Self.app)
        }
        try await purchases()
        try await assignments()
    }

    private func people(_ campaign: String) async throws {
        var device = DeviceFacts()
        (device.platform, device.locale, device.appVersion) = ("ios", "de-DE", "1.2.0")
        try await store.open(.mayasTablet, device: device, nowMs: RevenueStore.ms(20))
        try await store.open(.mayasPhone, device: device, nowMs: Self.noon)
        try await store.open(.omarsPhone, device: device, nowMs: RevenueStore.ms(22))
        let person = Identification(key: "i", customerID: "maya", isVerified: true)
        _ = try await store.installs.identify(Self.app, .mayasPhone, person, nowMs: Self.noon)
        var claim = AttributionClaim(key: "c", source: "tenjin", status: .nonOrganic, ageMilliseconds: 5)
        claim.campaign = campaign
        _ = try await store.installs.record(Self.app, .mayasPhone, claim, nowMs: Self.noon)
        _ = try await erase(.install(Credential.mayasTablet.installID), atMs: Self.noon)
    }

    private func events() async throws {
        let type = Event.Kind("trial_started"), declared = [type: EventDeclaration(hasValue: true, properties: ["plan": .string])]
        for (phone, nowMs) in [(Credential.mayasPhone, Self.noon), (.omarsPhone, RevenueStore.ms(22))] {
            var shown = Event(id: UUIDv7.make(nowMs: nowMs), type: .paywallShown, ageMilliseconds: 7)
            (shown.placement, shown.paywall, shown.elapsedMilliseconds) = ("onboarding", "default", 561)
            var trial = Event(id: UUIDv7.make(nowMs: nowMs), type: type, ageMilliseconds: 7)
            (trial.value, trial.currency, trial.properties) = (EventValue(9.99), "EUR", ["plan": "it's \"yearly\""])
            _ = try await store.events.record(EventBatch(events: [shown, trial]), Self.app, phone, declared: declared, nowMs: nowMs)
        }
    }

    /// Half of a purchase, a free trial, and a refund that is booked a day later. A sandbox is no money.
    private func purchases() async throws {
        for (chain, transaction) in [("100", "1"), ("200", "2")] {
            try await revenue.chain(chain, by: .mayasPhone, began: 21)
            try await revenue.charge(transaction, of: chain, chain == "100" ? .purchase : .trial, on: 21, 9_990, "EUR", part: (1, 2))
        }
        try await revenue.charge("1", of: "100", .refund, on: 21, booked: 22, 9_990, "EUR")
        try await revenue.chain("300", by: .mayasPhone, began: 21, in: .sandbox)
        try await revenue.charge("3", of: "300", on: 21, 9_990, "EUR", in: .sandbox)
    }

    private func assignments() async throws {
        try await store.engine.write(.bulk, locking: []) { connection in
            for (phone, atMs) in [(Credential.mayasPhone, Self.endMs - 1), (.omarsPhone, Self.endMs)] {
                _ = try connection.run(
                    "INSERT INTO experiment_unit VALUES ($1, $2, 'spring-price', 1, 'A', 5, 'drawn', 1, $3, $3, $3, NULL)",
                    [.text(Self.app.rawValue), .text(phone.installID.rawValue), .integer(atMs)])
            }
        }
    }

    func erase(_ subject: ErasureSubject, atMs: Int64) async throws -> ErasureAnswer {
        let time = ServerTime(nowMs: { atMs }, sleep: { _ in })
        return try await Eraser(database: store.database, app: Self.app, time: time, counts: RollupErasure()).erase(subject)
    }

    /// A whole file.
    func text(
        of table: ExportTable, _ format: ExportFormat = .jsonl, on day: Int64 = ExportedStore.day, page: Int? = nil
    ) async throws -> String {
        let reader = ExportReader(database: store.database, app: Self.app, page: page)
        var bytes: [UInt8] = [], after: String?
        repeat {
            let page = try await reader.page(of: table, on: day, after: after, as: format)
            bytes += page.bytes
            after = page.next
        } while after != nil
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The objects of a file of JSON lines.
    func rows(of table: ExportTable, on day: Int64 = ExportedStore.day) async throws -> [[String: Any]] {
        try await text(of: table, on: day).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// Writes files of all tables.
    func write(to folder: URL, _ format: ExportFormat = .jsonl, page: Int? = nil) async throws -> ExportManifest {
        let reader = ExportReader(database: store.database, app: Self.app, page: page)
        let run = ExportRun(folder: folder, format: format) { part, after in
            try await reader.page(of: part.table, on: part.day, after: after, as: format)
        }
        return try await run.write(ExportTable.allCases.map { ExportRun.Part($0, Self.day) }, Self.day...Self.day)
    }
}

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

@Suite("The work on what the App Store reports", .timeLimit(.minutes(1)))
struct NotificationWorkTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))

    private func running(_ body: @Sendable (TestServer, SignedStore) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(trust: store.trust()) { try await body($0, store) }
    }

    private static func uuid(_ number: Int) -> String { "00000000-0000-4000-8000-0000000000" + (number < 10 ? "0" : "") + "\(number)" }

    @Test("makes facts of what Apple signed, byte for byte, folds their chain, and keeps no second copy of the body")
    func facts() async throws {
        try await running { server, store in
            let transaction = try store.transaction(), renewal = try store.renewal()
            _ = try await server.notify(
                store.notification(Self.uuid(1), data: ["status": 1, "signedTransactionInfo": transaction, "signedRenewalInfo": renewal]))

            let steps = try await server.workOnNotifications()

            #expect(steps == [.moved(isDone: true)])
            #expect(try await server.counts(["job", "purchase_chain", "charge", "jws_header"]) == [0, 1, 1, 1])
            #expect(try await server.signedTexts() == [renewal, transaction].sorted())
            let rows = try await server.rows("SELECT payload, signature, processed_at_ms, reason FROM app_store_notification")
            #expect(rows.map(\.values) == [[.null, .null, .integer(Self.nowMs), .null]])
            #expect(server.services.metrics.text().contains(#"landfall_app_store_notifications_processed_total{outcome="done"} 1"#))
        }
    }

    @Test("gives the same chain and charges in any order and with repetitions", arguments: [1, 2, 3, 4] as [UInt64])
    func order(seed: UInt64) async throws {
        try await running { server, store in
            var random = SeededRandom(seed: seed)
            let life = try Self.life(of: store)
            for text in (life + life).shuffled(using: &random) {
                _ = try await server.notify(text)
                if Bool.random(using: &random) { try await server.workOnNotifications() }
            }
            try await server.workOnNotifications()
            let shuffled = try await server.folded()

            try await TestServer.run(trust: store.trust()) { other in
                for text in life { _ = try await other.notify(text) }
                try await other.workOnNotifications()
                #expect(try await other.folded() == shuffled)
            }
            #expect(try await server.counts(["purchase_chain", "app_store_notification", "job"]) == [1, Int64(life.count), 0])
        }
    }

    /// A purchase, two renewals, a refund of the second.
    private static func life(of store: SignedStore) throws -> [String] {
        func months(_ number: Int64) throws -> String {
            try store.transaction(
                "\(10 + number)", of: "10", daysAgo: 90 - 30 * number,
                adding: ["transactionReason": number == 0 ? "PURCHASE" : "RENEWAL", "signedDate": store.nowMs - 90_000 + number])
        }
        let refund = try store.transaction(
            "11", of: "10", daysAgo: 60,
            adding: [
                "transactionReason": "RENEWAL", "revocationDate": store.nowMs - 86_400_000, "revocationReason": 0,
                "revocationType": "REFUND_FULL", "signedDate": store.nowMs - 80_000,
            ])
        return [
            try store.notification(uuid(1), data: ["signedTransactionInfo": months(0), "signedRenewalInfo": store.renewal(of: "10")]),
            try store.notification(uuid(2), "DID_RENEW", nil, data: ["status": 1, "signedTransactionInfo": months(1)]),
            try store.notification(uuid(3), "DID_RENEW", nil, data: ["status": 1, "signedTransactionInfo": months(2)]),
            try store.notification(uuid(4), "REFUND", nil, data: ["signedTransactionInfo": refund]),
        ]
    }

    @Test("raises a chain's version with each new fact, and not for a known one")
    func version() async throws {
        try await running { server, store in
            let first = try store.transaction("10", of: "10", daysAgo: 60), second = try store.transaction("11", of: "10", daysAgo: 30)
            for (number, transaction) in [first, second, first].enumerated() {
                _ = try await server.notify(store.notification(Self.uuid(number), data: ["signedTransactionInfo": transaction]))
                try await server.workOnNotifications()

                let version = try await server.rows("SELECT version FROM purchase_chain").map(\.values)
                #expect(version == [[.integer(min(2, Int64(number + 1)))]])
            }
        }
    }

    @Test(
        "keeps the body of what this release does not know, and takes the facts in it",
        arguments: [("NEW_TYPE", nil), ("DID_RENEW", "NEW_SUBTYPE")] as [(String, String?)])
    func unknown(type: String, subtype: String?) async throws {
        try await running { server, store in
            let text = try store.notification(Self.uuid(1), type, subtype, data: ["signedTransactionInfo": store.transaction()])
            #expect(try await server.notify(text).status == .ok)

            try await server.workOnNotifications()

            #expect(try await server.counts(["purchase_fact", "purchase_chain", "job"]) == [1, 1, 0])
            let rows = try await server.rows("SELECT reason, payload FROM app_store_notification")
            #expect(rows.map { $0.optionalText("reason") } == ["unknown"] && rows.allSatisfy { $0["payload"] != .null })
        }
    }

    @Test("keeps an envelope that nobody knows yet, and one without a transaction", arguments: ["data", "laterInfo"])
    func envelope(name: String) async throws {
        try await running { server, store in
            let content: [String: Any] = ["bundleId": store.bundleID, "environment": store.environment]
            let text = try store.sign([
                "notificationType": name == "data" ? "TEST" : "LATER", "notificationUUID": Self.uuid(1), "version": "2.0",
                "signedDate": store.nowMs, name: content,
            ])
            #expect(try await server.notify(text).status == .ok)

            try await server.workOnNotifications()

            #expect(try await server.counts(["purchase_fact", "job"]) == [0, 0])
            let rows = try await server.rows("SELECT reason, payload FROM app_store_notification")
            #expect(rows.map { $0.optionalText("reason") } == [name == "data" ? nil : "unknown"])
            #expect(rows.allSatisfy { $0["payload"] != .null })
        }
    }

    @Test("gives up one that always fails after eight tries, with its body, and does the others meanwhile")
    func poison() async throws {
        try await running { server, store in
            let texts = try Self.life(of: store)
            _ = try await server.notify(texts[0])
            try await server.services.database.write { _ = try $0.run("UPDATE job SET attempts = 8") }
            _ = try await server.notify(texts[1])

            try await server.workOnNotifications()

            let rows = try await server.rows("SELECT reason, payload FROM app_store_notification ORDER BY notification_uuid")
            #expect(rows.map { $0.optionalText("reason") } == ["failed", nil])
            #expect(rows.map { $0["payload"] == .null } == [false, true])
            #expect(try await server.counts(["job", "purchase_fact"]) == [0, 2])
            #expect(server.services.metrics.text().contains(#"processed_total{outcome="failed"} 1"#))
        }
    }

    @Test("waits if the certificates of one are missing, which the next text of their leaf brings again")
    func lostHeader() async throws {
        try await running { server, store in
            let texts = try Self.life(of: store)
            _ = try await server.notify(texts[0])
            try await server.services.database.write { _ = try $0.run("DELETE FROM jws_header") }

            await #expect(throws: DatabaseError.unexpectedValue(column: "header")) { try await server.workOnNotifications() }
            _ = try await server.notify(texts[1])

            #expect(try await server.counts(["job", "jws_header", "purchase_fact"]) == [2, 1, 0])
        }
    }

    @Test("keeps one that the server refuses by now, such as after the app got another bundle id")
    func refused() async throws {
        try await running { server, store in
            _ = try await server.notify(store.subscribed())
            var configuration = server.services.snapshot.configuration
            let app = configuration.app
            configuration.app = App(
                id: app.id, name: app.name, bundleID: "com.example.renamed", teamID: nil, scheme: app.scheme, appStoreID: nil)
            _ = server.services.configuration.serve(Snapshot(configuration, revision: 8))

            try await server.workOnNotifications()

            #expect(try await server.rows("SELECT reason FROM app_store_notification").map(\.values) == [[.text("refused")]])
            #expect(try await server.counts(["purchase_fact", "job"]) == [0, 0])
        }
    }

    @Test("that was given up is done once the operator says that the cause is gone, and nothing else is done again")
    func retried() async throws {
        try await running { server, store in
            let texts = try Self.life(of: store)
            for text in texts { _ = try await server.notify(text) }
            _ = try await server.notify(store.notification(Self.uuid(90), "LATER_TYPE", nil, data: [:]))
            try await server.services.database.write {
                _ = try $0.run("UPDATE job SET attempts = 8 WHERE job_key LIKE '%01' OR job_key LIKE '%02'")
            }
            try await server.workOnNotifications()
            let given = GivenUpNotifications(server.services.database), before = try await server.folded()

            let retried = try await given.retry(in: server.app, nowMs: Self.nowMs)
            let none = try await given.retry(in: server.app, nowMs: Self.nowMs)
            let steps = try await server.workOnNotifications()

            #expect(retried == RetriedNotifications(notifications: 2, isMore: false))
            #expect(none == RetriedNotifications(notifications: 0, isMore: false))
            #expect(steps.count == 2)
            #expect(try await server.folded() != before)
            let reasons = try await server.rows("SELECT reason FROM app_store_notification WHERE reason IS NOT NULL").map(\.values)
            #expect(reasons == [[.text("unknown")]])
            #expect(try await server.rows("SELECT version FROM purchase_chain").map(\.values) == [[.integer(4)]])
        }
    }

    @Test("is done once by two tries at a time")
    func twice() async throws {
        try await running { server, store in
            for text in try Self.life(of: store) { _ = try await server.notify(text) }

            async let first = server.workOnNotifications(2)
            async let second = server.workOnNotifications(2)
            _ = try await (first, second)

            #expect(try await server.counts(["job", "purchase_chain"]) == [0, 1])
            #expect(try await server.rows("SELECT version FROM purchase_chain").map(\.values) == [[.integer(4)]])
        }
    }
}

extension TestServer {
    /// The stored texts, put together again.
    fileprivate func signedTexts() async throws -> [String] {
        try await rows(
            """
            SELECT h.header, f.payload, f.signature FROM purchase_fact f
            JOIN jws_header h ON h.app_id = f.app_id AND h.header_hash = f.header_hash
            """
        ).map { JWSText.joined(try $0.text("header"), try $0.blob("payload"), try $0.blob("signature")) }.sorted()
    }
}

// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Verification of a purchase", .timeLimit(.minutes(1)))
@MainActor
struct VerificationTests {
    private let server = AdjustServer()
    private let answers = Answers()

    init() { server.store.add(.sold(1, "year")) }

    /// The server's word about every transaction.
    private func says(_ status: PurchaseAnswer.Result.Status, _ code: String? = nil) {
        server.transport.on("POST", WirePath.purchases) { request in
            let report = try WireCoding.decode(PurchaseReport.self, from: request.body ?? Data())
            let profile = WireProfile(
                id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: 2, attributionVersion: 1)
            let results = report.transactions.map { _ in PurchaseAnswer.Result(status: status, code: code.map { ErrorCode($0) }) }
            return try .json(PurchaseAnswer(results: results, profile: profile))
        }
    }

    private func reports() throws -> [PurchaseReport] {
        try server.transport.requests("POST", WirePath.purchases).map {
            try WireCoding.decode(PurchaseReport.self, from: $0.body ?? Data())
        }
    }

    /// - Returns: the answer to this question, once the time that it takes has passed.
    private func verify(_ id: Int, _ product: String = "year") async throws -> ADJPurchaseVerificationResult {
        let purchase = try #require(ADJAppStorePurchase(transactionId: "\(id)", productId: product))
        Connection.$standIn.withValue(server.connection) { Adjust.verifyAppStorePurchase(purchase) { answers.add($0) } }
        return await answer()
    }

    private func answer() async -> ADJPurchaseVerificationResult {
        while answers.all.isEmpty, !Task.isCancelled { await server.pass(.milliseconds(100)) }
        return answers.all[0]
    }

    @Test(
        "says what the server makes of the signature",
        arguments: [
            ("accepted", nil, "success"), ("duplicate", nil, "success"), ("rejected", "purchase_forged", "failed"),
            ("rejected", "purchase_foreign", "failed"), ("rejected", "purchase_owned", "not_verified"),
            ("rejected", "purchase_environment", "not_verified"), ("rejected", "something_new", "not_verified"),
        ] as [(String, String?, String)])
    func status(result: String, code: String?, status: String) async throws {
        says(try #require(.init(rawValue: result)), code)
        let client = server.start()

        let answer = try await verify(1)

        #expect(answer.verificationStatus == status)
        #expect(answer.code == 200 && answer.message.hasSuffix("."))
        #expect(try reports().map { $0.transactions.map(\.jws) } == [[StoreTransaction.sold(1, "year").jws]])
        #expect(try reports().map(\.reason) == [.sync], "To verify is not to claim.")
        await client.shutdown()
    }

    @Test("fails for a genuine transaction of another product, and for one whose text names none", arguments: ["month", "h.x.s"])
    func otherProduct(_ sold: String) async throws {
        let bought = StoreTransaction.sold(2, sold)
        server.store.add(sold == "month" ? bought : StoreTransaction(id: "2", jws: sold, signedAt: bought.signedAt))
        says(.accepted)
        let client = server.start()

        #expect(try await verify(2, "year").verificationStatus == "failed")
        await client.shutdown()
    }

    @Test("is none for a transaction that the phone's store does not have: nothing is sent")
    func absent() async throws {
        says(.accepted)
        let client = server.start()

        let answer = try await verify(7)

        #expect(answer.verificationStatus == "not_verified" && answer.code == 0)
        #expect(try reports().isEmpty)
        await client.shutdown()
    }

    @Test("is unknown while the server fails or is silent, and without a network", arguments: ["busy", "silent", "offline"])
    func trouble(_ kind: String) async throws {
        says(.accepted)
        let client = server.start()
        await server.pass(.seconds(1))
        switch kind {
        case "busy": server.transport.on("POST", WirePath.purchases) { _ in try .problem(503, .busy) }
        case "silent": server.store.isSilent = true
        default: server.transport.isOffline = true
        }

        let answer = try await verify(1)

        #expect(answer.verificationStatus == "unknown" && answer.code == 0)
        server.store.isSilent = false
        await client.shutdown()
    }

    @Test("waits for the start; without one it is unknown after 30 seconds", arguments: [true, false])
    func early(starts: Bool) async throws {
        says(.accepted)
        let purchase = try #require(ADJPurchase(transactionId: "1", productId: "year", andReceipt: Data([1])))
        Connection.$standIn.withValue(server.connection) { Adjust.verifyPurchase(purchase) { answers.add($0) } }
        await server.clock.waitForSleeper()
        let client = starts ? server.start() : nil

        #expect(await answer().verificationStatus == (starts ? "success" : "unknown"))
        #expect(server.clock.now.offset >= .seconds(30) || starts)
        await client?.shutdown()
    }

    @Test("is none on a phone without a store, and after an opt-out")
    func impossible() async throws {
        says(.accepted)
        let client = server.start()
        client.collection = .off

        #expect(try await verify(1).verificationStatus == "not_verified")
        #expect(try reports().isEmpty)
        await client.shutdown()
    }

    @Test("of an event records the event, whatever the answer is", arguments: [true, false])
    func event(isGenuine: Bool) async throws {
        says(isGenuine ? .accepted : .rejected, isGenuine ? nil : "purchase_forged")
        server.transport.on("POST", WirePath.events) { request in
            let batch = try WireCoding.decode(EventBatch.self, from: request.body ?? Data())
            return try .json(EventBatchAnswer(results: batch.events.map { .init(id: $0.id, status: .accepted) }))
        }
        let client = server.start()
        let event = try #require(ADJEvent(eventToken: "bought"))
        event.setTransactionId("1")
        event.setProductId("year")

        let task = Connection.$standIn.withValue(server.connection) {
            Task { answers.add(await Adjust.verifyAndTrackAppStorePurchase(event)) }
        }

        #expect(await answer().verificationStatus == (isGenuine ? "success" : "failed"))
        await task.value
        await server.pass(.seconds(60))
        let sent = try server.transport.requests("POST", WirePath.events).flatMap {
            try WireCoding.decode(EventBatch.self, from: $0.body ?? Data()).events
        }
        #expect(sent.map(\.type.rawValue) == ["bought"])
        await client.shutdown()
    }

    @Test("of an event without a transaction or product is none, at once", arguments: [(nil, nil), ("1", nil), (nil, "year")] as [(String?, String?)])
    func incomplete(transaction: String?, product: String?) async throws {
        let event = try #require(ADJEvent(eventToken: "bought"))
        if let transaction { event.setTransactionId(transaction) }
        if let product { event.setProductId(product) }

        server.connection.verifyAndTrack(event) { answers.add($0) }

        #expect(await answer().message.contains("setTransactionId"))
        #expect(answers.all[0].verificationStatus == "not_verified")
    }

    @Test("A tracked subscription is reported with what the App Store signed")
    func subscription() async throws {
        says(.accepted)
        let client = server.start()
        let subscription = try #require(
            ADJAppStoreSubscription(price: NSDecimalNumber(string: "9.99"), currency: "EUR", transactionId: "1"))

        Connection.$standIn.withValue(server.connection) { Adjust.trackAppStoreSubscription(subscription) }

        while try reports().isEmpty, !Task.isCancelled { await server.pass(.milliseconds(100)) }
        #expect(try reports().flatMap { $0.transactions.map(\.jws) } == [StoreTransaction.sold(1, "year").jws])
        await client.shutdown()
    }
}

/// The answers of completions.
@MainActor
private final class Answers {
    private(set) var all: [ADJPurchaseVerificationResult] = []

    func add(_ answer: ADJPurchaseVerificationResult) {
        MainActor.preconditionIsolated("a completion is called on the main thread")
        all.append(answer)
    }
}

extension StoreTransaction {
    static func sold(_ id: Int, _ product: String) -> StoreTransaction {
        let payload = Data(#"{"productId":"\#(product)","transactionId":"\#(id)"}"#.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return StoreTransaction(id: "\(id)", jws: "h.\(payload).s", signedAt: Date(timeIntervalSince1970: 1_790_000_000))
    }
}

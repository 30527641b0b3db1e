// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallPurchases
import LandfallRules
import LandfallStore
package import LandfallWire
import Logging

/// `POST /v1/purchases`: transactions as Apple signed them, answered one by one, with the profile after all of them.
package struct PurchaseRoutes: Sendable {
    private let store: PurchaseStore
    private let trust: AppStoreTrust
    private let answers: PhoneAnswers
    private let telemetry: PurchasesTelemetry
    private let time: ServerTime

    package init(store: PurchaseStore, trust: AppStoreTrust, answers: PhoneAnswers, telemetry: PurchasesTelemetry, time: ServerTime) {
        (self.store, self.trust, self.answers, self.telemetry, self.time) = (store, trust, answers, telemetry, time)
    }

    @Sendable package func report(_ request: Request, context: AppContext) async throws -> Answer<PurchaseAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let report = try await request.decoded(as: PurchaseReport.self, upTo: Limits.purchaseBody)
        try report.key.check()
        guard report.transactions.count <= Limits.purchases else {
            throw RequestError.invalid("transactions", "at most \(Limits.purchases) in one call.")
        }
        let snapshot = context.snapshot, nowMs = time.nowMs()
        let verifier = trust.verifier(of: snapshot.app)
        var items: [PurchaseStore.Item] = []
        for transaction in report.transactions {
            let exposure = transaction.exposure.flatMap { $0.isLowerCaseUUID ? $0 : nil }
            do {
                items.append(.signed(try await verifier.transaction(transaction.jws, nowMs: nowMs), exposure: exposure))
            } catch {
                try context.requireTimely(error)
                items.append(.refused(error.code))
            }
        }
        let (results, install) = try await context.takingPurchases("Purchases of a phone") { [items] in
            try await store.take(report, items, caller.app, credential, by: snapshot, nowMs: nowMs)
        }
        for result in results { telemetry.reported(result) }
        return Answer(PurchaseAnswer(results: results, profile: answers.profile(of: install, nowMs: nowMs)))
    }
}

extension PurchaseAnswer: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("profile")
        profile.write(to: &json)
        json.key("results")
        json.beginList()
        for result in results {
            json.element()
            json.beginObject()
            json.field("code", result.code?.rawValue)
            json.field("status", result.status.rawValue)
            json.field("transactionId", result.transactionId)
            json.endObject()
        }
        json.endList()
        json.endObject()
    }
}

extension AppContext {
    /// - Throws: 503 for a genuine text from the future: it has to come again when this server's clock is right.
    func requireTimely(_ refusal: AppStoreRefusal) throws {
        guard refusal == .forged(.signedInFuture) else { return }
        namedLogger.error("Apple's signature is from the future: this server's clock is behind.")
        throw RequestError(.busy, "The server's clock is behind. Send it again.", retryAfter: 60)
    }

    /// Runs work on what Apple has signed. Whatever keeps the store from it is this server's trouble, never the sender's: it has to come
    /// again.
    func takingPurchases<Value>(_ what: String, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as DatabaseError {
            guard RequestError(any: error).code == .internalError else { throw error }
            namedLogger.error("Something of the App Store could not be stored.", metadata: ["purchases.what": "\(what)", "error.text": "\(error)"])
            throw RequestError(.busy, "The server could not store it. Send it again.", retryAfter: 60)
        }
    }
}

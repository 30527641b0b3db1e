// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// Signed texts of an answer of Apple's API, after every check: they take the way of a phone's or a notification's, and claim nothing.
struct AnsweredFacts: Sendable {
    private var facts: [ChainID: [StoredFact]] = [:]
    private var headers: [[UInt8]: VerifiedJWS] = [:]
    private(set) var refusals: [AppStoreRefusal] = []

    /// Adds a transaction, and the renewal beside it. One that Apple has not signed for this app is left out.
    /// - Returns: the transaction; nil if it is left out.
    @discardableResult
    mutating func add(_ transaction: String, renewal: String? = nil, by verifier: AppStoreVerifier, nowMs: Int64) async -> SignedTransaction? {
        do {
            let signed = try await verifier.transaction(transaction, nowMs: nowMs)
            var found = [StoredFact(signed)], texts = [signed.jws]
            if let renewal {
                let renewal = try await verifier.renewal(renewal, beside: signed, nowMs: nowMs)
                found.append(StoredFact(renewal))
                texts.append(renewal.jws)
            }
            facts[signed.chain, default: []] += found
            for jws in texts { headers[jws.headerHash] = jws }
            return signed
        } catch {
            refusals.append(error)
            return nil
        }
    }

    /// The same as ``store(in:of:rules:tokens:nowMs:with:)``, counted.
    func store(
        in database: any Database, of snapshot: Snapshot, tokens: PurchaseTokens, nowMs: Int64, with more: [Statement] = [],
        _ telemetry: AppStoreAPITelemetry
    ) async throws {
        telemetry.refused(refusals)
        let new = try await store(
            in: database, of: snapshot.app.id, rules: snapshot.configuration.purchases, tokens: tokens, nowMs: nowMs, with: more,
            webhooks: WebhookNeed(snapshot.configuration.webhooks))
        telemetry.reconciled(.fact, new)
    }

    /// One transaction, with what else is true once the facts are on disk; none if there is neither.
    /// - Returns: how many facts were new.
    func store(
        in database: any Database, of app: AppID, rules: PurchaseRules, tokens: PurchaseTokens, nowMs: Int64, with more: [Statement],
        webhooks: WebhookNeed = WebhookNeed()
    ) async throws -> Int {
        if facts.isEmpty, more.isEmpty { return 0 }
        let note = webhooks.note(of: .purchaseRecorded, .accessChanged, nowMs: nowMs)
        let chains = facts.sorted { $0.key < $1.key }.map {
            ChainUnit($0.value, rules: rules, tokens: tokens, app: app, nowMs: nowMs, tellsCharges: note?.wants(.purchaseRecorded) ?? false)
        }
        let first = headers.values.inOneOrder.map { $0.headerInsertion(into: app) }
        return try await database.write(.bulk, locking: chains.map(\.lock)) { connection in
            if !first.isEmpty { try connection.batch(first) }
            var changed: Set<ProfileID> = [], charges: [RecordedCharge] = [], new = 0
            for chain in chains {
                let outcome = try chain.add(receivedAtMs: nowMs, to: connection)
                changed.formUnion(outcome.profiles)
                charges += outcome.charges
                new += outcome.isNew.count { $0 }
            }
            let accesses = try AccessUnit(app: app, nowMs: nowMs).fold(changed, connection)
            let last = try more + (note?.insertions(of: charges, and: accesses, into: app, connection) ?? [])
            if !last.isEmpty { try connection.batch(last) }
            return new
        }
    }
}

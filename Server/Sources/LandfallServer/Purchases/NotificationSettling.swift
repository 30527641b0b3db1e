// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// One transaction: what a notification says becomes facts of its chain, the chain is folded, its owner has what follows, and nothing
/// waits for the notification any more. Of a chain whose person was erased only the money is counted.
struct NotificationSettling: Sendable {
    private let name: NotificationName
    private let reason: KeptNotification?
    private let rules: PurchaseRules
    private let tokens: PurchaseTokens
    private let facts: [StoredFact]
    private let headers: [VerifiedJWS]
    private let receivedAtMs: Int64
    private let webhooks: WebhookNeed

    /// - Parameters:
    ///   - reason: why its body is kept; nil if facts say everything.
    ///   - receivedAtMs: when the notification arrived: facts count from then.
    init(
        _ signed: SignedNotification, _ name: NotificationName, reason: KeptNotification?, rules: PurchaseRules, tokens: PurchaseTokens,
        receivedAtMs: Int64, webhooks: WebhookNeed
    ) {
        self.webhooks = webhooks
        (self.name, self.reason, self.rules, self.tokens, self.receivedAtMs) = (name, reason, rules, tokens, receivedAtMs)
        facts = StoredFact.facts(of: signed)
        headers = [signed.transaction?.jws, signed.renewal?.jws].compactMap(\.self)
    }

    func run(_ job: Job, in database: any Database, nowMs: Int64) async throws {
        let app = job.name.app
        let note = webhooks.note(of: .purchaseRecorded, .accessChanged, nowMs: nowMs)
        let chains = facts.isEmpty ? [] : [ChainUnit(facts, rules: rules, tokens: tokens, app: app, nowMs: nowMs, tellsCharges: note?.wants(.purchaseRecorded) ?? false)]
        let headers = Dictionary(self.headers.map { ($0.headerHash, $0) }) { first, _ in first }.values.inOneOrder
            .map { $0.headerInsertion(into: app) }
        try await database.write(.interactive, locking: chains.map(\.lock)) { connection in
            if !headers.isEmpty { try connection.batch(headers) }
            let outcomes = try chains.map { try $0.add(receivedAtMs: receivedAtMs, to: connection) }
            let accesses = try AccessUnit(app: app, nowMs: nowMs).fold(outcomes.reduce(into: []) { $0.formUnion($1.profiles) }, connection)
            // Without facts nothing else has what it says. Of an erased person nothing is kept, whatever it says.
            let isErased = outcomes.contains { $0.isErased }
            let ending = name.ending(
                in: app, reason: isErased ? nil : reason, keepsBody: !isErased && (reason != nil || facts.isEmpty), nowMs: nowMs)
            let told = try note?.insertions(of: outcomes.flatMap(\.charges), and: accesses, into: app, connection) ?? []
            try connection.batch([ending, job.deletion] + told)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallPurchases
import LandfallRules
package import LandfallStore
import LandfallWire
package import Metrics

/// What the App Store says about the refunds of a customer.
package struct RefundLookup: Hashable, Sendable, Codable {
    package struct Refund: Hashable, Sendable, Codable {
        /// `Production` or `Sandbox`.
        package let environment: String
        package let transactionId: String
        package let originalTransactionId: String
        package let productId: String
        package let purchasedAtMilliseconds: Int64?
        /// Nil for a transaction that Apple names among the refunds without saying when.
        package let refundedAtMilliseconds: Int64?
        /// Apple's number: 1 for a problem with the app, 0 for everything else.
        package let reason: Int64?
        /// Apple's word, for example `REFUND_FULL`.
        package let type: String?
        /// Thousandths of a percent: 100,000 is all of it.
        package let percentage: Int64?
        package let priceMilliunits: Int64?
        package let currency: String?
    }

    /// In Apple's order: the one that changed longest ago first.
    package let refunds: [Refund]
    /// Texts that Apple has not signed for this app: they are left out.
    package let refused: Int
    /// False after ``RefundRoutes/mostPages``: Apple has more.
    package let isComplete: Bool
}

extension RefundLookup.Refund {
    init(_ signed: SignedTransaction) {
        let payload = signed.transaction
        environment = signed.environment.rawValue
        transactionId = payload.transactionID
        originalTransactionId = payload.originalTransactionID
        productId = payload.productID
        purchasedAtMilliseconds = payload.purchaseDateMs
        refundedAtMilliseconds = payload.revocationDateMs
        reason = payload.revocationReason
        type = payload.revocationType?.rawValue
        percentage = payload.revocationPercentage
        priceMilliunits = payload.priceMilliunits
        currency = payload.currency
    }
}

/// `/v1/app-store/refunds`, for commands only: Apple is asked for the refunds of the customer who made a transaction, and what it has
/// signed becomes facts like any other transaction.
package struct RefundRoutes: Sendable {
    package static let path = "/v1/app-store/refunds"
    /// Twenty refunds have a page.
    static let mostPages = 50
    /// Apple's are shorter.
    private static let longestID = 20

    private let api: AppStoreAPI?
    private let database: any Database
    private let tokens: PurchaseTokens
    private let trust: AppStoreTrust
    private let metrics: any MetricsFactory
    private let time: ServerTime

    /// - Parameter api: nil if no server runs.
    package init(_ api: AppStoreAPI?, _ database: any Database, _ mark: StoreMark, trust: AppStoreTrust, metrics: any MetricsFactory, time: ServerTime) {
        (self.api, self.database, self.trust, self.metrics, self.time) = (api, database, trust, metrics, time)
        tokens = PurchaseTokens(key: mark.purchaseKey)
    }

    /// `POST ?transaction=`
    @Sendable package func look(_ request: Request, context: AppContext) async throws -> Answer<RefundLookup> {
        guard let id = Self.transaction(request.uri.queryParameters["transaction"].map(String.init) ?? "") else {
            throw RequestError.invalid("transaction", "the id of a transaction, as Apple writes it: 1 to \(Self.longestID) digits.")
        }
        return Answer(try await look(for: id, of: context.snapshot, AppStoreAPITelemetry(logger: context.logger, factory: metrics)))
    }

    /// Nil if Apple writes no id so.
    static func transaction(_ text: String) -> String? {
        let isID = (1...longestID).contains(text.utf8.count) && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return isID ? text : nil
    }

    /// - Throws: ``AppStoreQuestionRefusal``
    func look(for transaction: String, of snapshot: Snapshot, _ telemetry: AppStoreAPITelemetry) async throws -> RefundLookup {
        guard let api else { throw AppStoreQuestionRefusal.noServer }
        let access = try AppStoreAccess.required(snapshot)
        let environments = snapshot.configuration.purchases.environments
        for environment in environments {
            do {
                return try await pages(of: snapshot, telemetry) {
                    try await api.ask(.refunds(transaction, revision: $0), in: environment, with: access)
                }
            } catch AppStoreAPIError.unknown where environment != environments.last {
                // It may be a transaction of the sandbox.
            } catch AppStoreAPIError.unauthorized where environment != environments.last {
                // In production Apple answers so to every key before an app's first release.
            } catch let error as AppStoreAPIError {
                throw AppStoreQuestionRefusal.apple(error)
            }
        }
        preconditionFailure("The last environment answers or throws.")
    }

    /// - Parameter asking: for the page after a revision.
    private func pages(
        of snapshot: Snapshot, _ telemetry: AppStoreAPITelemetry, asking: (String?) async throws -> TransactionsAnswer
    ) async throws -> RefundLookup {
        let verifier = trust.verifier(of: snapshot.app)
        var refunds: [RefundLookup.Refund] = [], refused = 0, revision: String?, isComplete = false, pages = 0
        while !isComplete, pages < Self.mostPages {
            let answer = try await asking(revision)
            var facts = AnsweredFacts()
            for text in answer.signedTransactions ?? [] {
                if let signed = await facts.add(text, by: verifier, nowMs: time.nowMs()) { refunds.append(RefundLookup.Refund(signed)) }
            }
            try await facts.store(in: database, of: snapshot, tokens: tokens, nowMs: time.nowMs(), telemetry)
            refused += facts.refusals.count
            isComplete = answer.hasMore != true || answer.revision == nil || answer.revision == revision
            revision = answer.revision
            pages += 1
        }
        return RefundLookup(refunds: refunds, refused: refused, isComplete: isComplete)
    }
}

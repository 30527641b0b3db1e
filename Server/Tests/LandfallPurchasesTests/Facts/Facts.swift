// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallRules

@testable import LandfallPurchases

let premium = AccessLevel(rawValue: "premium")
let basic = AccessLevel(rawValue: "basic")
let production = ChainID(environment: .production, originalTransactionID: "1")

/// What the tests' app sells.
let rules = {
    var rules = PurchaseRules()
    rules.accessLevels = [premium, basic]
    rules.products = [
        ProductRule(name: .exactly("year"), access: [premium]), ProductRule(name: .exactly("month"), access: [premium]),
        ProductRule(name: .exactly("small"), access: [basic]), ProductRule(name: .exactly("for ever"), access: [premium]),
        ProductRule(name: .exactly("pass"), access: [premium], durationMs: 30 * day),
        ProductRule(name: .exactly("loose pass"), access: [premium]), ProductRule(name: .exactly("coins"), access: [premium]),
    ]
    return rules
}()

extension PurchaseFact {
    /// A subscription's transaction of thirty days that cost 9.99.
    ///
    /// - Parameter hash: the hash of the signed text; nil for one that depends on the payload alone, which takes long to write down.
    static func transaction(
        _ id: String, _ product: String = "month", from start: Int64, to end: Int64? = nil, signed: Int64? = nil,
        of chain: ChainID = production, hash: [UInt8]? = nil,
        _ change: (inout TransactionPayload) -> Void = { _ in }
    ) -> PurchaseFact {
        var payload = TransactionPayload(
            transactionID: id, originalTransactionID: chain.originalTransactionID, productID: product)
        payload.type = .autoRenewable
        payload.purchaseDateMs = start
        payload.originalPurchaseDateMs = start
        payload.expiresDateMs = end ?? start + 30 * day
        payload.ownership = .purchased
        payload.priceMilliunits = 9990
        payload.currency = "EUR"
        payload.quantity = 1
        change(&payload)
        return PurchaseFact(
            chain: chain, content: .transaction(payload), signedAtMs: signed ?? start, hash: hash ?? Self.hash(of: "\(payload)"))
    }

    /// A purchase of another type than a subscription that renews.
    static func single(
        _ id: String, _ product: String, _ type: ProductType, at start: Int64, signed: Int64? = nil, of chain: ChainID = production,
        _ change: (inout TransactionPayload) -> Void = { _ in }
    ) -> PurchaseFact {
        transaction(id, product, from: start, signed: signed, of: chain) { payload in
            payload.type = type
            payload.expiresDateMs = nil
            change(&payload)
        }
    }

    static func renewal(
        signed: Int64, of chain: ChainID = production, hash: [UInt8]? = nil, _ change: (inout RenewalPayload) -> Void = { _ in }
    ) -> PurchaseFact {
        var payload = RenewalPayload(originalTransactionID: chain.originalTransactionID)
        payload.willRenew = true
        change(&payload)
        return PurchaseFact(chain: chain, content: .renewal(payload), signedAtMs: signed, hash: hash ?? Self.hash(of: "\(payload)"))
    }

    static func notice(_ transaction: String, saysGrace: Bool, signed: Int64) -> PurchaseFact {
        PurchaseFact(
            chain: production, content: .notice(RenewalNotice(transactionID: transaction, saysGrace: saysGrace)),
            signedAtMs: signed,
            hash: hash(of: "\(transaction) \(saysGrace) \(signed)"))
    }

    private static func hash(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}

func state(_ facts: PurchaseFact..., rules: PurchaseRules = rules) -> ChainState {
    ChainState.fold(facts, of: production, rules: rules)
}

extension ChainState {
    /// What the chain says about a level at that time.
    func said(at ms: Int64, _ level: AccessLevel = premium) -> AccessPeriod.State? {
        ProfileAccess(chains: [self], grants: [], usesSandbox: true).entry(of: level, at: ms)?.period.state
    }
}

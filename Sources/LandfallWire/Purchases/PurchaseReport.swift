// SPDX-License-Identifier: Apache-2.0
/// Body of `POST /v1/purchases`: at most 50 transactions, each as Apple signed it.
public struct PurchaseReport: Hashable, Sendable, Codable {
    public struct Transaction: Hashable, Sendable, Codable {
        /// StoreKit's `jwsRepresentation`.
        public var jws: String
        /// The id of the event of the paywall that sold it.
        public var exposure: String?

        public init(jws: String, exposure: String? = nil) {
            self.jws = jws
            self.exposure = exposure
        }
    }

    public var key: IdempotencyKey
    public var reason: PurchaseReason
    /// With this call the server has every transaction that StoreKit has. Absent: false.
    public var historyComplete: Bool
    public var transactions: [Transaction]

    public init(key: IdempotencyKey, reason: PurchaseReason, historyComplete: Bool = false, transactions: [Transaction]) {
        self.key = key
        self.reason = reason
        self.historyComplete = historyComplete
        self.transactions = transactions
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        key = try values.decode(IdempotencyKey.self, forKey: .key)
        reason = try values.decode(PurchaseReason.self, forKey: .reason)
        historyComplete = try values.decodeIfPresent(Bool.self, forKey: .historyComplete) ?? false
        transactions = try values.decode([Transaction].self, forKey: .transactions)
    }
}

/// Why a phone reports purchases. A server that does not know the value reads `sync`.
public struct PurchaseReason: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The person has just paid.
    public static let purchase = PurchaseReason("purchase")
    /// The person asked for what they bought before.
    public static let restore = PurchaseReason("restore")
    /// Nobody asked: the phone reports what StoreKit has.
    public static let sync = PurchaseReason("sync")
}

/// The result for each transaction, in the order sent, and the profile with what it may use now. A phone may finish a transaction
/// that is accepted, duplicate or `purchase_owned`: the server has it on disk.
public struct PurchaseAnswer: Hashable, Sendable, Codable {
    public struct Result: Hashable, Sendable, Codable {
        public enum Status: String, Sendable, Codable { case accepted, duplicate, rejected }

        /// Nil for a text that Apple has not signed.
        public var transactionId: String?
        public var status: Status
        /// Why it was rejected.
        public var code: ErrorCode?

        public init(transactionId: String? = nil, status: Status, code: ErrorCode? = nil) {
            self.transactionId = transactionId
            self.status = status
            self.code = code
        }
    }

    public var results: [Result]
    public var profile: WireProfile

    public init(results: [Result], profile: WireProfile) {
        self.results = results
        self.profile = profile
    }
}

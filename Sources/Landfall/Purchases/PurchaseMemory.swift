// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Which transactions the server has. Content of `purchases.json`.
///
/// The store on the phone is the outbox: it gives every transaction again. What is lost here is only sent again, and the server
/// has each transaction once.
struct PurchaseMemory: Hashable, StoredValue {
    static let currentFormat = 1
    /// Of what was acknowledged: the oldest signatures are forgotten.
    static let mostAcknowledged = 4096

    private(set) var format = Self.currentFormat
    /// The installation that this memory belongs to. A copy of the files on another phone starts empty.
    private(set) var install: InstallID?
    /// The person who was here. For another one the server decides anew what they own.
    private(set) var profile: ProfileID?
    /// Of the server's store, for that person: a store that was restored from a backup may have lost some.
    private(set) var epoch: Int64?
    /// By the id of the transaction: when the signature that the server has was made, in Unix milliseconds.
    private(set) var acknowledged: [String: Int64] = [:]
    /// What the store on the phone listed last, by the chain. It is of its customer, whichever person is here.
    private(set) var entitlements: [String: Entitlement] = [:]
    /// Of entitlements: those with the oldest signatures are forgotten.
    static let mostEntitlements = 100
    /// The server had the whole history once. What is new since then is never waited for.
    var isComplete = false

    init(of install: InstallID? = nil) { self.install = install }

    func hasAcknowledged(_ transaction: StoreTransaction) -> Bool {
        hasAcknowledged(transaction.id, signed: transaction.signedAtMilliseconds)
    }

    func hasAcknowledged(_ transaction: String, signed: Int64) -> Bool { acknowledged[transaction].map { $0 >= signed } ?? false }

    mutating func acknowledge(_ transaction: StoreTransaction) {
        let signed = transaction.signedAtMilliseconds
        acknowledged[transaction.id] = max(signed, acknowledged[transaction.id] ?? signed)
        guard acknowledged.count > Self.mostAcknowledged,
            let oldest = acknowledged.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        else { return }
        acknowledged[oldest.key] = nil
    }

    /// - Returns: false if this person is known.
    mutating func belongs(to person: ProfileID, epoch: Int64) -> Bool {
        guard profile != person || self.epoch != epoch else { return false }
        if profile != nil {
            acknowledged = [:]
            isComplete = false
        }
        profile = person
        self.epoch = epoch
        return true
    }

    /// What is missing stays until its end: a store that has just started lists nothing, and an older signature says nothing new.
    mutating func list(_ listed: [Entitlement]) {
        for entitlement in listed where (entitlements[entitlement.chain]?.signed ?? .min) <= entitlement.signed {
            entitlements[entitlement.chain] = entitlement
        }
        guard entitlements.count > Self.mostEntitlements else { return }
        let newest = entitlements.sorted { ($0.value.signed, $0.key) > ($1.value.signed, $1.key) }.prefix(Self.mostEntitlements)
        entitlements = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }

    /// The store has taken it back.
    mutating func revoke(_ transaction: StoreTransaction) {
        entitlements = entitlements.filter {
            $0.value.transaction != transaction.id || $0.value.signed > transaction.signedAtMilliseconds
        }
    }
}

extension StoreTransaction {
    var signedAtMilliseconds: Int64 { signedAt.unixMilliseconds }
}

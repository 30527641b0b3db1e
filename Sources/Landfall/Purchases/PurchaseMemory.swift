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
    /// By the id of the transaction: when the signature that the server has was made, in Unix milliseconds.
    private(set) var acknowledged: [String: Int64] = [:]
    /// The server had the whole history once. What is new since then is never waited for.
    var isComplete = false

    init(of install: InstallID? = nil, profile: ProfileID? = nil) {
        self.install = install
        self.profile = profile
    }

    func hasAcknowledged(_ transaction: StoreTransaction) -> Bool {
        acknowledged[transaction.id].map { $0 >= transaction.signedAtMilliseconds } ?? false
    }

    mutating func acknowledge(_ transaction: StoreTransaction) {
        let signed = transaction.signedAtMilliseconds
        acknowledged[transaction.id] = max(signed, acknowledged[transaction.id] ?? signed)
        guard acknowledged.count > Self.mostAcknowledged,
            let oldest = acknowledged.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        else { return }
        acknowledged[oldest.key] = nil
    }

    /// - Returns: false if this person is known.
    mutating func belongs(to person: ProfileID) -> Bool {
        guard profile != person else { return false }
        if profile == nil { profile = person } else { self = PurchaseMemory(of: install, profile: person) }
        return true
    }
}

extension StoreTransaction {
    var signedAtMilliseconds: Int64 { signedAt.unixMilliseconds }
}

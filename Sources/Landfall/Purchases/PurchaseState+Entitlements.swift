// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What the store on the phone lists as its customer's.
extension PurchaseState {
    /// As it was listed last, in this launch or an earlier one.
    var entitlements: [Entitlement] { memory.entitlements.values.map(\.self) }

    /// The files have been read: what is listed is kept.
    var isListingDue: Bool { hasSource && isOpen && isLookingDue && listing == nil }

    mutating func begunListing(_ operation: Operations.ID) {
        listing = operation
        isLookingDue = false
    }

    /// - Returns: true if the memory has changed.
    mutating func listed(_ entitlements: [Entitlement]) -> Bool {
        listing = nil
        return changeMemory { $0.list(entitlements) }
    }

    /// The server has had this signature, or has rejected it in this launch.
    func isSettled(_ entitlement: Entitlement) -> Bool {
        memory.hasAcknowledged(entitlement.transaction, signed: entitlement.signed)
            || rejected.contains { $0.id == entitlement.transaction && $0.signedAtMilliseconds >= entitlement.signed }
    }
}

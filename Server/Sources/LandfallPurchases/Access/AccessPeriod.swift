// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// A stretch of time in which a transaction opens something, or in which it is known why it no longer does. States are never stored
/// as "now": who asks compares the two ends with the time.
package struct AccessPeriod: Hashable, Sendable {
    package enum State: String, CaseIterable, Hashable, Sendable {
        case active
        /// The payment failed, and the App Store still grants.
        case grace
        /// The payment failed, and the App Store tries again for up to sixty days.
        case billingRetry
        case expired
        case revoked
        /// By the app's own backend, without a purchase.
        case granted

        package var grants: Bool { self == .active || self == .grace || self == .granted }
    }

    package let levels: [AccessLevel]
    package let state: State
    /// In Unix milliseconds; belongs to the period.
    package let startsAtMs: Int64
    /// In Unix milliseconds; does not belong to the period. Nil: never.
    package let endsAtMs: Int64?
    package let productID: String
    package let transactionID: String
    package let isTrial: Bool
    /// Landfall's own guess of an end that Apple did not say.
    package let isAssumed: Bool
    package let ownership: Ownership?

    package init(
        levels: [AccessLevel], state: State, startsAtMs: Int64, endsAtMs: Int64?, productID: String, transactionID: String,
        isTrial: Bool,
        isAssumed: Bool, ownership: Ownership?
    ) {
        self.levels = levels
        self.state = state
        self.startsAtMs = startsAtMs
        self.endsAtMs = endsAtMs
        self.productID = productID
        self.transactionID = transactionID
        self.isTrial = isTrial
        self.isAssumed = isAssumed
        self.ownership = ownership
    }

    package func contains(_ ms: Int64) -> Bool { startsAtMs <= ms && ms < endsAtMs ?? .max }
}

// By start. Two periods of one chain with all of this in common are the same period.
extension AccessPeriod: Comparable {
    package static func < (left: AccessPeriod, right: AccessPeriod) -> Bool {
        if left.startsAtMs != right.startsAtMs { return left.startsAtMs < right.startsAtMs }
        let leftEnd = left.endsAtMs ?? .max, rightEnd = right.endsAtMs ?? .max
        if leftEnd != rightEnd { return leftEnd < rightEnd }
        return (left.transactionID, left.state.rawValue) < (right.transactionID, right.state.rawValue)
    }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import LandfallWire

/// What an access level of the configuration opens for a person, as of the moment at which the profile was read.
public struct Access: Hashable, Sendable {
    /// Why a level is open, or why it is not. More may follow.
    public struct State: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing has ever opened it.
        public static let none = State(rawValue: "none")
        public static let active = State(rawValue: "active")
        /// The payment failed, and the App Store still grants.
        public static let grace = State(rawValue: "grace")
        /// The payment failed, and the App Store tries again; the level is not open.
        public static let billingRetry = State(rawValue: "billingRetry")
        public static let expired = State(rawValue: "expired")
        /// Refunded, or no longer shared by the family.
        public static let revoked = State(rawValue: "revoked")
        /// Given by the app's backend.
        public static let granted = State(rawValue: "granted")
    }

    public let isActive: Bool
    public let state: State
    /// nil if a backend has given it, or nothing has opened it.
    public let productID: String?
    public let startsAt: Date?
    /// nil if it never ends, or nothing has opened it.
    public let endsAt: Date?
    public let willRenew: Bool
    public let isTrial: Bool
    /// The end is the server's guess: Apple did not say it.
    public let isAssumed: Bool
    /// Bought in Apple's sandbox or in TestFlight.
    public let isSandbox: Bool

    /// Access for previews and tests.
    public init(
        isActive: Bool, state: State, productID: String? = nil, startsAt: Date? = nil, endsAt: Date? = nil, willRenew: Bool = false,
        isTrial: Bool = false, isAssumed: Bool = false, isSandbox: Bool = false
    ) {
        self.isActive = isActive
        self.state = state
        self.productID = productID
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.willRenew = willRenew
        self.isTrial = isTrial
        self.isAssumed = isAssumed
        self.isSandbox = isSandbox
    }

    init(_ level: WireAccessLevel) {
        self.init(
            isActive: level.isActive, state: State(rawValue: level.state.rawValue), productID: level.productId,
            startsAt: Date(unixMilliseconds: level.startsAtMilliseconds),
            endsAt: level.endsAtMilliseconds.map(Date.init(unixMilliseconds:)), willRenew: level.willRenew, isTrial: level.isTrial,
            isAssumed: level.isAssumed, isSandbox: level.isSandbox)
    }
}

extension WireAccessLevel {
    /// An end takes access away, and only the server gives it.
    func ended(at serverTime: Int64) -> WireAccessLevel {
        guard isActive, let end = endsAtMilliseconds, end <= serverTime else { return self }
        var level = self
        level.isActive = false
        level.state = .expired
        return level
    }
}

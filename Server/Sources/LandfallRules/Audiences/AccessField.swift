// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a condition can look at of an access level: `access.premium` itself, or `access.premium.state` and so on.
package enum AccessField: String, CaseIterable, Hashable, Sendable {
    /// Written without a word: whether the level is open.
    case isActive = ""
    case state, willRenew, isTrial, endDate

    package static let prefix = "access."
    /// What ``state`` can be.
    package static let states = ["active", "grace", "billingRetry", "expired", "revoked", "granted"]

    var kind: ValueKind {
        switch self {
        case .isActive, .willRenew, .isTrial: .boolean
        case .state: .text
        case .endDate: .date
        }
    }

    /// The name of an attribute, as the file writes it.
    package func name(of level: AccessLevel) -> String { Self.prefix + level.rawValue + (self == .isActive ? "" : "." + rawValue) }

    /// Reads a name. A level whose own name ends like a field comes first.
    /// - Returns: nil if it is none of these levels.
    static func subject(_ name: String, among levels: [AccessLevel]) -> ConditionSubject? {
        for field in allCases {
            if let level = levels.first(where: { field.name(of: $0).hasSameBytes(as: name) }) { return .access(level, field) }
        }
        return nil
    }
}

/// What audiences read of a person's purchases.
package struct PurchaseFacts: Hashable, Sendable {
    package struct Level: Hashable, Sendable {
        package let level: AccessLevel
        package var isActive = false
        /// Nil, as the following, if nothing ever opened the level.
        package var state: String?
        package var willRenew: Bool?
        package var isTrial: Bool?
        /// Nil also if it never ends.
        package var endsAtMs: Int64?

        package init(level: AccessLevel) { self.level = level }

        func value(_ field: AccessField) -> AttributeValue? {
            switch field {
            case .isActive: .bool(isActive)
            case .state: state.map { .string($0) }
            case .willRenew: willRenew.map { .bool($0) }
            case .isTrial: isTrial.map { .bool($0) }
            case .endDate: endsAtMs.map { .string(Instant(milliseconds: $0).description) }
            }
        }
    }

    /// Each product that was ever bought, once.
    package var products: [String] = []
    /// Every level of the configuration.
    package var levels: [Level] = []

    package init() {}
}

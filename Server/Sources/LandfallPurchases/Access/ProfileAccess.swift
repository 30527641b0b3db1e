// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// What a profile may use: the union of its chains and of what the backend granted.
package struct ProfileAccess: Hashable, Sendable {
    /// Given by the app's own backend.
    package struct Grant: Hashable, Sendable {
        package let id: String
        package let level: AccessLevel
        package let startsAtMs: Int64
        /// Nil: never.
        package let endsAtMs: Int64?

        package init(id: String, level: AccessLevel, startsAtMs: Int64, endsAtMs: Int64?) {
            self.id = id
            self.level = level
            self.startsAtMs = startsAtMs
            self.endsAtMs = endsAtMs
        }
    }

    /// A period and what else is to be said about it.
    package struct Entry: Hashable, Sendable {
        package let period: AccessPeriod
        /// Nil for a grant.
        package let chain: ChainID?
        package let willRenew: Bool

        package var isSandbox: Bool { chain.map { $0.environment != .production } ?? false }
    }

    /// Every period of every chain, in a fixed order.
    package let entries: [Entry]

    /// - Parameter usesSandbox: whether purchases of Apple's sandbox open something for this profile.
    package init(chains: [ChainState], grants: [Grant], usesSandbox: Bool) {
        entries = []
    }

    /// The entry that decides at that time: one that grants before one that does not, never-ending before the latest end.
    /// Nil if nothing ever opened the level.
    package func entry(of level: AccessLevel, at ms: Int64) -> Entry? { nil }

    /// The next instant at which an answer may differ without any new fact; nil if there is none.
    package func nextChangeMs(after ms: Int64) -> Int64? { nil }
}

// SPDX-License-Identifier: Apache-2.0

/// The section `alerts`: which rules are on, and who is told.
package struct AlertSettings: Hashable, Sendable {
    package struct Setting: Hashable, Sendable {
        /// In the rule's unit; nil for a rule without a number.
        package let limit: Int64?
        /// How long something has to last until the alert fires.
        package let minutes: Int64

        package init(limit: Int64?, minutes: Int64) { (self.limit, self.minutes) = (limit, minutes) }

        package init(_ rule: AlertRule) { self.init(limit: rule.limit?.usual, minutes: rule.usualMinutes) }

        /// Half an hour of quiet is enough to say that something is over.
        private static let longestQuietMinutes: Int64 = 30

        package var holdMs: Int64 { minutes * 60_000 }
        package var quietMs: Int64 { min(minutes, Self.longestQuietMinutes) * 60_000 }
    }

    /// Those that are on.
    package var rules: [AlertRule: Setting]
    /// In the order of the file.
    package var destinations: [AlertDestination]

    /// Every rule is on with its usual limit; nobody is told.
    package init(
        rules: [AlertRule: Setting] = Dictionary(uniqueKeysWithValues: AlertRule.allCases.map { ($0, Setting($0)) }),
        destinations: [AlertDestination] = []
    ) {
        (self.rules, self.destinations) = (rules, destinations)
    }
}

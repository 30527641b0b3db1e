// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

extension RetentionRule {
    /// Events that are old enough. What a purchase names as its paywall is copied before it goes.
    package static func events(_ database: any Database, _ configuration: LiveConfiguration) -> RetentionRule {
        let app = configuration.snapshot.app.id, unsold = UnsoldChains(database, of: app)
        let first: @Sendable (Int64) -> String = { UUIDv7.earliest(atMs: $0 - configuration.snapshot.retention.eventMs) }
        var rule = RetentionRule(name: "event") { nowMs in
            if try await unsold.step(nowMs: nowMs) { return RetentionLot(isMore: true) }
            return try await deleteLot("event", RetentionTexts.events, of: app, before: .text(first(nowMs)), in: database)
        }
        rule.dropMonths = { nowMs in
            guard unsold.isWalked(nowMs: nowMs) else { return [] }
            return try await database.dropMonths(of: "event", of: app.rawValue, before: first(nowMs))
        }
        return rule
    }
}

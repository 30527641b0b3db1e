// SPDX-License-Identifier: Apache-2.0

/// Why an install sees, or saw, a paywall: every audience in order with its comparisons, and the draw.
package struct WhyPage {
    package enum Answer: String, CaseIterable, Sendable { case yes, no, unknown }

    package struct Condition: Hashable, Sendable {
        package enum Reason: String, CaseIterable, Sendable { case compared, missing, pending, type }
        package enum Value: Hashable, Sendable {
            case text(String)
            /// Where a share's draw places the install.
            case bucket(Int64)
        }

        /// The comparison as the configuration has it.
        package let rule: String
        package let value: Value?
        package let result: Answer
        package let reason: Reason
        /// The value was not stored with the exposure.
        package let isOnlyNow: Bool

        package init(rule: String, value: Value?, result: Answer, reason: Reason, isOnlyNow: Bool) {
            self.rule = rule
            self.value = value
            self.result = result
            self.reason = reason
            self.isOnlyNow = isOnlyNow
        }
    }

    package struct Audience: Hashable, Sendable {
        package let name: String
        package let result: Answer
        /// False if an audience above it matched.
        package let isReached: Bool
        package let isChosen: Bool
        package let conditions: [Condition]

        package init(name: String, result: Answer, isReached: Bool, isChosen: Bool, conditions: [Condition]) {
            self.name = name
            self.result = result
            self.isReached = isReached
            self.isChosen = isChosen
            self.conditions = conditions
        }
    }

    package struct Drawing: Hashable, Sendable {
        package let experiment: String
        package let variation: String?
        package let step: String
        package let namespace: String
        package let salt: String
        package let unit: String
        package let bucket: Int64
        package let buckets: Range<Int64>?

        package init(
            experiment: String, variation: String?, step: String, namespace: String, salt: String, unit: String, bucket: Int64,
            buckets: Range<Int64>?
        ) {
            self.experiment = experiment
            self.variation = variation
            self.step = step
            self.namespace = namespace
            self.salt = salt
            self.unit = unit
            self.bucket = bucket
            self.buckets = buckets
        }
    }

    package struct Exposure: Hashable, Sendable {
        package let shownMilliseconds: Int64
        package let receivedMilliseconds: Int64
        package let paywall: String?
        package let audience: String?
        package let origin: String?

        package init(shownMilliseconds: Int64, receivedMilliseconds: Int64, paywall: String?, audience: String?, origin: String?) {
            self.shownMilliseconds = shownMilliseconds
            self.receivedMilliseconds = receivedMilliseconds
            self.paywall = paywall
            self.audience = audience
            self.origin = origin
        }
    }

    /// A value that arrived after the exposure.
    package struct Late: Hashable, Sendable {
        package let attribute: String
        package let then: String?
        package let now: String?

        package init(attribute: String, then: String?, now: String?) {
            self.attribute = attribute
            self.then = then
            self.now = now
        }
    }

    package struct TestDevice: Hashable, Sendable {
        package let name: String
        /// The line of the configuration that chooses; nil if its audiences decide.
        package let reason: String?

        package init(name: String, reason: String?) {
            self.name = name
            self.reason = reason
        }
    }

    package struct Explained: Hashable, Sendable {
        package let revision: Int64
        package let isFinal: Bool
        package let audience: String
        package let paywall: String?
        package let audiences: [Audience]
        package var drawing: Drawing?
        package var testDevice: TestDevice?
        package var isTestPayload = false
        package var isInReports = true
        /// Nil: the present answer.
        package var exposure: Exposure?
        package var late: [Late] = []

        package init(revision: Int64, isFinal: Bool, audience: String, paywall: String?, audiences: [Audience]) {
            self.revision = revision
            self.isFinal = isFinal
            self.audience = audience
            self.paywall = paywall
            self.audiences = audiences
        }
    }

    package let frame: Frame
    package let profile: String
    package let install: String
    /// Of the configuration that is served.
    package let placements: [String]
    package let placement: String?
    /// Nil: there is no placement, or the version that decided cannot be read any more.
    package let explained: Explained?

    package init(
        frame: Frame, profile: String, install: String, placements: [String], placement: String?, explained: Explained?
    ) {
        self.frame = frame
        self.profile = profile
        self.install = install
        self.placements = placements
        self.placement = placement
        self.explained = explained
    }
}

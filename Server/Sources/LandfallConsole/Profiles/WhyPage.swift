// SPDX-License-Identifier: Apache-2.0

/// Why an install sees, or saw, a paywall: every audience in order with its comparisons, and the draw.
struct WhyPage {
    enum Answer: String, CaseIterable, Sendable { case yes, no, unknown }

    struct Condition: Hashable, Sendable {
        enum Reason: String, CaseIterable, Sendable { case compared, missing, pending, type }
        enum Value: Hashable, Sendable {
            case text(String)
            /// Where a share's draw places the install.
            case bucket(Int64)
        }

        /// The comparison as the configuration has it.
        let rule: String
        let value: Value?
        let result: Answer
        let reason: Reason
        /// The value was not stored with the exposure.
        let isOnlyNow: Bool
    }

    struct Audience: Hashable, Sendable {
        let name: String
        let result: Answer
        /// False if an audience above it matched.
        let isReached: Bool
        let isChosen: Bool
        let conditions: [Condition]
    }

    struct Drawing: Hashable, Sendable {
        let experiment: String
        let variation: String?
        let step: String
        let namespace: String
        let salt: String
        let unit: String
        let bucket: Int64
        let buckets: Range<Int64>?
    }

    struct Exposure: Hashable, Sendable {
        let shownMilliseconds: Int64
        let receivedMilliseconds: Int64
        let paywall: String?
        let audience: String?
        let origin: String?
    }

    /// A value that arrived after the exposure.
    struct Late: Hashable, Sendable {
        let attribute: String
        let then: String?
        let now: String?
    }

    struct TestDevice: Hashable, Sendable {
        let name: String
        /// The line of the configuration that chooses; nil if its audiences decide.
        let reason: String?
    }

    struct Explained: Hashable, Sendable {
        let revision: Int64
        let isFinal: Bool
        let audience: String
        let paywall: String?
        let audiences: [Audience]
        var drawing: Drawing?
        var testDevice: TestDevice?
        var isTestPayload = false
        var isInReports = true
        /// Nil: the present answer.
        var exposure: Exposure?
        var late: [Late] = []
    }

    let frame: Frame
    let profile: String
    let install: String
    /// Of the configuration that is served.
    let placements: [String]
    let placement: String?
    /// Nil: there is no placement, or the version that decided cannot be read any more.
    let explained: Explained?
}

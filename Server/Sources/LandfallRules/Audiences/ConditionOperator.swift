// SPDX-License-Identifier: Apache-2.0

/// How a value is compared. The raw values are the words of `landfall.yaml`.
package enum ConditionOperator: String, CaseIterable, Sendable {
    case isEqual = "is", isNot, isIn = "in", notIn
    case exists
    case below = "<", atMost = "<=", above = ">", atLeast = ">=", between
    case startsWith, endsWith, contains
    case anyOf, allOf, noneOf
    case within, olderThan
    /// A part of all units, by a draw.
    case share

    /// True for operators that seem to match a missing value, but do not.
    var isNegative: Bool { self == .isNot || self == .notIn || self == .noneOf }

    package static func all(for subject: ConditionSubject) -> [ConditionOperator] {
        switch subject.kind {
        case .text: subject.isFreeText ? membership + [.startsWith, .endsWith, .contains] : membership
        case .number, .version: membership + [.below, .atMost, .above, .atLeast, .between]
        case .boolean: [.isEqual, .isNot, .exists]
        case .date: [.below, .atMost, .above, .atLeast, .between, .within, .olderThan, .exists]
        case .list: [.anyOf, .allOf, .noneOf, .exists]
        case .locale: membership
        }
    }

    private static let membership: [ConditionOperator] = [.isEqual, .isNot, .isIn, .notIn, .exists]
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Three-valued evaluation", .timeLimit(.minutes(1)))
struct TruthTests {
    private static let facts = AudienceFacts.sample()

    /// A condition that has this value while the attribution is pending.
    private static func condition(_ truth: Truth) -> Condition {
        switch truth {
        case .yes: .text(.country, .isEqual, "US")
        case .no: .text(.country, .isEqual, "CA")
        case .unknown: .text(.attributionSource, .isEqual, "adjust")
        }
    }

    private static func value(_ condition: Condition) -> Truth { condition.evaluate(facts, pending: .attribution) }

    /// Kleene's tables.
    static let tables: [(left: Truth, right: Truth, both: Truth, either: Truth)] = [
        (.yes, .yes, .yes, .yes), (.yes, .unknown, .unknown, .yes), (.yes, .no, .no, .yes),
        (.unknown, .yes, .unknown, .yes), (.unknown, .unknown, .unknown, .unknown), (.unknown, .no, .no, .unknown),
        (.no, .yes, .no, .yes), (.no, .unknown, .no, .unknown), (.no, .no, .no, .no),
    ]

    @Test("`all` and `any` follow Kleene's tables", arguments: tables)
    func combination(left: Truth, right: Truth, both: Truth, either: Truth) {
        let conditions = [Self.condition(left), Self.condition(right)]

        #expect(Self.value(.all(conditions)) == both)
        #expect(Self.value(.any(conditions)) == either)
    }

    @Test("`not` swaps yes and no and keeps unknown", arguments: zip(Truth.allCases, [Truth.yes, .unknown, .no]))
    func negation(of truth: Truth, is expected: Truth) {
        #expect(Self.value(.not(Self.condition(truth))) == expected)
    }

    @Test("A value is unknown exactly if an expected answer can change it", arguments: AudienceAttribute.allCases)
    func pending(attribute: AudienceAttribute) {
        let condition = Condition.test(
            ConditionTest(subject: .known(attribute), symbol: .exists, operand: .flag(true)))
        let isAttribution = attribute.rawValue.hasPrefix("attribution.")
        let isLink = attribute.rawValue.hasPrefix("link.")
        func isUnknown(_ pending: Pending) -> Bool {
            condition.evaluate(.sample(.appleSample), pending: pending) == .unknown
        }

        #expect(!isUnknown(.nothing))
        #expect(isUnknown(.purchases) == attribute.rawValue.hasPrefix("purchases."))
        #expect(isUnknown(.attribution) == isAttribution)
        #expect(isUnknown(.deferredLink) == (isAttribution || isLink))
        #expect(isUnknown([.attribution, .deferredLink]) == (isAttribution || isLink))
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallRules

extension Condition {
    /// As an audience of its own.
    func evaluate(_ facts: AudienceFacts, pending: Pending = .nothing) -> Truth {
        AudienceProgram([self]).truth(of: 0, facts, pending: pending)
    }

    static func text(_ attribute: AudienceAttribute, _ symbol: ConditionOperator, _ values: String...) -> Condition {
        .test(ConditionTest(subject: .known(attribute), symbol: symbol, operand: .texts(values)))
    }
}

extension AudienceFacts {
    /// The value of an attribute as an explanation says it.
    func text(_ attribute: AudienceAttribute) -> String? {
        switch values.value(of: .known(attribute)) {
        case .string(let text): text
        default: nil
        }
    }
}

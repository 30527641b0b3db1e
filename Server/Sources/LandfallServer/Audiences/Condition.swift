// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A named group of installs. `everyone` is not one of these: it needs no condition.
struct Audience: Hashable, Sendable {
    let id: AudienceID
    let condition: Condition
}

/// An audience's rule, compiled: names are resolved, values are normalised, sets are sets.
indirect enum Condition: Hashable, Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case text(TextAttribute, Membership<String>)
    case version(VersionAttribute, Comparison<SemanticVersion>)
    case customText(String, Membership<String>)
    case customNumber(String, Comparison<Double>)
    case customFlag(String, Membership<Bool>)
}

/// Equality with one of several values.
enum Membership<Value: Hashable & Sendable>: Hashable, Sendable {
    case isOne(of: Set<Value>)
    case isNot(Value)

    /// A missing value makes every comparison false, `isNot` included.
    func matches(_ value: Value?) -> Bool {
        guard let value else { return false }
        return switch self {
        case .isOne(let values): values.contains(value)
        case .isNot(let other): value != other
        }
    }
}

/// Membership, or order.
enum Comparison<Value: Hashable & Comparable & Sendable>: Hashable, Sendable {
    case membership(Membership<Value>)
    case below(Value)
    case atMost(Value)
    case above(Value)
    case atLeast(Value)

    func matches(_ value: Value?) -> Bool {
        guard let value else { return false }
        return switch self {
        case .membership(let membership): membership.matches(value)
        case .below(let limit): value < limit
        case .atMost(let limit): value <= limit
        case .above(let limit): value > limit
        case .atLeast(let limit): value >= limit
        }
    }
}

extension Condition {
    /// - Parameter pending: what it can change is unknown, also where something is known today: the answer on its way may
    ///   replace it.
    func evaluate(_ facts: AudienceFacts, pending: Pending) -> Truth {
        switch self {
        case .all(let conditions):
            var result = Truth.yes
            for condition in conditions {
                switch condition.evaluate(facts, pending: pending) {
                case .no: return .no
                case .unknown: result = .unknown
                case .yes: break
                }
            }
            return result
        case .any(let conditions):
            var result = Truth.no
            for condition in conditions {
                switch condition.evaluate(facts, pending: pending) {
                case .yes: return .yes
                case .unknown: result = .unknown
                case .no: break
                }
            }
            return result
        case .not(let condition): return !condition.evaluate(facts, pending: pending)
        case .text(let attribute, let test):
            if attribute.isUnknown(while: pending) { return .unknown }
            return Truth(test.matches(facts.text(attribute)))
        case .version(let attribute, let test): return Truth(test.matches(facts.version(attribute)))
        case .customText(let name, let test):
            guard case .string(let value) = facts.attributes[name] else { return .no }
            return Truth(test.matches(value))
        case .customNumber(let name, let test):
            guard case .number(let value) = facts.attributes[name] else { return .no }
            return Truth(test.matches(value))
        case .customFlag(let name, let test):
            guard case .bool(let value) = facts.attributes[name] else { return .no }
            return Truth(test.matches(value))
        }
    }
}

/// The answer of a condition while something is still pending: Kleene's three values.
enum Truth: Hashable, Sendable, CaseIterable {
    case no
    /// Depends on what is pending.
    case unknown
    case yes

    init(_ value: Bool) { self = value ? .yes : .no }

    static prefix func ! (value: Truth) -> Truth {
        switch value {
        case .no: .yes
        case .unknown: .unknown
        case .yes: .no
        }
    }
}

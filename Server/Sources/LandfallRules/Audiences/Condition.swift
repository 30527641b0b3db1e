// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A named group of installs. `everyone` is not one of these: it needs no condition.
package struct Audience: Hashable, Sendable {
    package let id: AudienceID
    package let condition: Condition
}

/// A rule of the file, with resolved names and values in their normal form. ``AudienceProgram`` decides by it.
package indirect enum Condition: Hashable, Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// - Parameter at: where it is used: `any[1].not.`.
    case segment(Segment, at: String)
    case test(ConditionTest)
}

/// A named rule that several audiences share.
package struct Segment: Hashable, Sendable {
    let name: String
    let condition: Condition
    let size: Int
    let depth: Int

    init(name: String, condition: Condition) {
        self.name = name
        self.condition = condition
        (size, depth) = (condition.size, condition.depth)
    }
}

/// One comparison.
package struct ConditionTest: Hashable, Sendable {
    package let subject: ConditionSubject
    package let symbol: ConditionOperator
    package let operand: ConditionOperand
    /// Where it stands in its audience or segment: `any[1].not.language.is`.
    var path = ""

    package init(subject: ConditionSubject, symbol: ConditionOperator, operand: ConditionOperand, path: String = "") {
        (self.subject, self.symbol, self.operand, self.path) = (subject, symbol, operand, path)
    }
}

/// What a value is compared with.
package enum ConditionOperand: Hashable, Sendable {
    /// In the attribute's normal form, each once. A version is kept as it is written.
    case texts([String])
    case numbers([Double])
    case instants([Instant])
    case span(TimeSpan)
    case flag(Bool)
    /// Buckets of a draw: from the first percentage to below the second one.
    case share(salt: String, from: Percentage, to: Percentage)
}

/// The subject of a comparison.
package enum ConditionSubject: Hashable, Sendable {
    case known(AudienceAttribute)
    case custom(String, AttributeType)
    case access(AccessLevel, AccessField)
    /// The install itself, as a draw places it.
    case unit

    package static let customPrefix = "attributes."

    /// Reads a name of the file.
    /// - Parameters:
    ///   - types: of the declared custom attributes.
    ///   - levels: of the file.
    /// - Returns: nil if no attribute has the name.
    package init?(_ name: String, types: [String: AttributeType], levels: [AccessLevel]) {
        if let attribute = AudienceAttribute(rawValue: name) {
            self = .known(attribute)
        } else if let access = AccessField.subject(name, among: levels) {
            self = access
        } else if name.hasPrefix(Self.customPrefix), let type = types[String(name.dropFirst(Self.customPrefix.count))] {
            self = .custom(String(name.dropFirst(Self.customPrefix.count)), type)
        } else {
            return nil
        }
    }

    /// As the file writes it.
    package var name: String {
        switch self {
        case .known(let attribute): attribute.rawValue
        case .custom(let name, _): Self.customPrefix + name
        case .access(let level, let field): field.name(of: level)
        case .unit: "share"
        }
    }

    package var kind: ValueKind {
        switch self {
        case .known(let attribute): attribute.kind
        case .custom(_, let type): type.kind
        case .access(_, let field): field.kind
        case .unit: .text
        }
    }

    package var changedBy: Pending {
        switch self {
        case .known(let attribute): attribute.changedBy
        case .access: .purchases
        case .custom, .unit: []
        }
    }

    /// True for a value that every install has.
    var isAlwaysThere: Bool {
        switch self {
        case .known(let attribute): attribute.changedBy == .purchases
        case .access(_, let field): field == .isActive
        case .custom, .unit: false
        }
    }

    var isFreeText: Bool {
        switch self {
        case .known(let attribute): attribute.isFreeText
        case .access: false
        case .custom, .unit: kind == .text
        }
    }

    /// The name of a value that only some configurations know; nil for the others. No custom attribute has the first byte of another one's.
    var cellName: String? {
        switch self {
        case .custom(let name, _): name
        case .access: FactValues.accessMark + name
        case .known, .unit: nil
        }
    }

    func normalised(_ text: String) -> String {
        if case .known(let attribute) = self { attribute.normalised(text) } else { text }
    }
}

extension Condition {
    /// How many comparisons it is, with those of its segments.
    var size: Int {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.reduce(0) { $0 + $1.size }
        case .not(let condition): condition.size
        case .segment(let segment, _): segment.size
        case .test: 1
        }
    }

    /// How many levels of `all`, `any`, `not` and segments are nested.
    var depth: Int {
        switch self {
        case .all(let conditions), .any(let conditions): 1 + (conditions.map(\.depth).max() ?? 0)
        case .not(let condition): 1 + condition.depth
        case .segment(let segment, _): 1 + segment.depth
        case .test: 0
        }
    }
}

/// The answer of a condition while something is still pending: Kleene's three values.
package enum Truth: String, Hashable, Sendable, CaseIterable {
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

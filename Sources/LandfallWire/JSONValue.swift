// SPDX-License-Identifier: Apache-2.0
/// Any JSON value, for content of the team (remote config) that the wire only carries.
public enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

// Not by `nil`: an optional JSONValue that is nil would silently become the JSON null.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// If several members have the same name, the last one counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(Dictionary(members) { $1 }) }
}

extension JSONValue {
    /// The member of that name; nil if there is none, or if this is not an object.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// The element at that index; nil if there is none, or if this is not an array.
    public subscript(index: Int) -> JSONValue? { array.flatMap { $0.indices.contains(index) ? $0[index] : nil } }

    /// nil for a value of another type; the same for the others.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// Accepts a number with a fraction of zero too, such as `7.0`.
    public var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }
    /// Any number.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    public var isNull: Bool { self == .null }
}

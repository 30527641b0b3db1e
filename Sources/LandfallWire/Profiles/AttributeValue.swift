// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The value of a custom attribute: its type is fixed in the configuration.
public enum AttributeValue: Hashable, Sendable, Codable {
    case string(String)
    case number(Double)
    case bool(Bool)

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        }
    }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(integerLiteral value: Int64) { self = .number(Double(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AttributeValue {
    /// For an attribute that `landfall.yaml` declares as a `date`: a text such as `2026-11-22T09:30:00.000Z`.
    /// - Parameter date: between the years 1 and 4001, else clamped.
    public static func date(_ date: Date) -> AttributeValue {
        // A text of another year has another length, and a date that is not a number would end the process.
        let seconds = date.timeIntervalSince1970
        let clamped = seconds.isNaN ? Date(timeIntervalSince1970: 0) : min(max(date, .distantPast), .distantFuture)
        return .string(clamped.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    /// nil for a value of another type; the same for the others.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
}

// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// What an own event is worth, or how much of something it is: a number with three decimals, kept exactly. JSON has it as a plain
/// number, such as `9.99`; the store has it in thousandths.
public struct EventValue: Hashable, Sendable, Codable {
    /// Fifteen digits: every number up to it is also exact as a floating-point number.
    public static let largest: Int64 = 999_999_999_999_999

    /// Thousandths: 9,990 for 9.99.
    public let milliunits: Int64

    public init(milliunits: Int64) { self.milliunits = milliunits }

    /// Rounds to the nearest thousandth. A number that is too large, or not a number, becomes one that ``isStorable`` refuses.
    public init(_ number: Double) {
        let thousandths = (number * 1000).rounded(.toNearestOrEven)
        milliunits = abs(thousandths) <= Double(Self.largest) ? Int64(thousandths) : .max
    }

    /// Rounds as ``init(_:)`` does.
    package init(decimal: Decimal) { self.init(NSDecimalNumber(decimal: decimal).doubleValue) }

    /// False for more than ``largest`` thousandths.
    public var isStorable: Bool { (-Self.largest...Self.largest).contains(milliunits) }

    public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(Double.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Double(milliunits) / 1000)
    }
}

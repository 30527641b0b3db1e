// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallResults

/// A number as a book prints it: any value within half a unit of its last digit is the same.
struct Printed: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    var testDescription: String { text }

    /// A little more than half a unit, for what is rounded in binary.
    func agrees(with value: Double?) -> Bool {
        guard let value, let number = Double(text) else { return false }
        let parts = text.lowercased().split(separator: "e")
        let decimals = parts[0].split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return abs(value - number) <= 0.500_001 * pow(10, Double(exponent - decimals))
    }
}

func expect(_ value: Double?, is printed: Printed, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
        printed.agrees(with: value), "\(value.map { "\($0)" } ?? "nothing") is not \(printed.text)",
        sourceLocation: sourceLocation)
}

func expect(_ interval: Interval?, is ends: (Printed, Printed), sourceLocation: SourceLocation = #_sourceLocation) {
    expect(interval?.lower, is: ends.0, sourceLocation: sourceLocation)
    expect(interval?.upper, is: ends.1, sourceLocation: sourceLocation)
}

extension Sample {
    /// Conversions of units, as in "100 of 1000".
    static func rate(_ conversions: Int, of units: Int) -> Sample { try! Sample(units: units, conversions: conversions) }

    static func mean(_ sum: Double, _ squares: Double, _ units: Int) -> Sample {
        try! Sample(units: units, sum: sum, sumOfSquares: squares)
    }

    static func values(_ values: [Double]) -> Sample {
        mean(values.reduce(0, +), values.reduce(0) { $0 + $1 * $1 }, values.count)
    }
}

extension PairEstimate {
    init(_ control: Sample, _ variation: Sample) {
        self.init(control: control.estimate!, variation: variation.estimate!, units: control.units + variation.units)
    }
}

/// SplitMix64: the same numbers from the same seed everywhere.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The encoding of all values: compact JSON, keys sorted, so that equal values are equal bytes.
public enum WireCoding {
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero, the unit of time on the wire; saturates at the ends of `Int64`.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}

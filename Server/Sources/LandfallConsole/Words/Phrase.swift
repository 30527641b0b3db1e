// SPDX-License-Identifier: Apache-2.0

/// A text in English, as it stands in the code. Its pattern is the key of its translations.
struct Phrase: ExpressibleByStringInterpolation, Sendable {
    /// With a number for each value: "Complete to {0} {1}".
    let pattern: String
    private let values: [String]

    init(stringLiteral value: String) {
        pattern = value
        values = []
    }

    init(stringInterpolation parts: StringInterpolation) {
        pattern = parts.pattern
        values = parts.values
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pattern = ""
        fileprivate var values: [String] = []

        init(literalCapacity: Int, interpolationCount: Int) { pattern.reserveCapacity(literalCapacity + 3 * interpolationCount) }

        mutating func appendLiteral(_ literal: String) { pattern += literal }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            pattern += "{\(values.count)}"
            values.append(value.description)
        }
    }

    /// A pattern with the values of this phrase. A translation may use them in another order, and more than once.
    /// - Parameter pattern: nil is the English one.
    func text(_ pattern: String? = nil) -> String {
        let pattern = pattern ?? self.pattern
        guard !values.isEmpty else { return pattern }
        var text = "", rest = pattern.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            let inside = rest[open...].dropFirst()
            let digit = inside.first.map { Int($0) - Int(UInt8(ascii: "0")) }
            if let digit, values.indices.contains(digit), inside.dropFirst().first == UInt8(ascii: "}") {
                text += Substring(rest[..<open])
                text += values[digit]
                rest = inside.dropFirst(2)
            } else {
                text += Substring(rest[...open])
                rest = inside
            }
        }
        return text + Substring(rest)
    }
}

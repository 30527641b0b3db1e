// SPDX-License-Identifier: Apache-2.0
/// A version of an app or an operating system, ordered as Semantic Versioning orders them, and forgiving where stores are:
/// one to four numbers, and missing ones count as 0, so `1.10` is above `1.9` and equal to `1.10.0`.
struct SemanticVersion: Hashable, Sendable {
    private static let longest = 64

    private let numbers: SIMD4<UInt32>
    /// `beta`, `2` of `1.0-beta.2`; empty for a release. What follows a `+` does not count.
    private let preRelease: [Identifier]

    /// Nil for anything but a version: such a value counts as missing.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let withoutBuild = text.utf8.prefix { $0 != UInt8(ascii: "+") }
        let core = withoutBuild.prefix { $0 != UInt8(ascii: "-") }
        guard let numbers = Self.numbers(core) else { return nil }
        self.numbers = numbers

        guard core.endIndex < withoutBuild.endIndex else {
            preRelease = []
            return
        }
        let parts = withoutBuild[core.endIndex...].dropFirst().split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let identifiers = parts.compactMap { Identifier($0) }
        guard identifiers.count == parts.count else { return nil }
        preRelease = identifiers
    }

    private static func numbers(_ core: Substring.UTF8View) -> SIMD4<UInt32>? {
        var numbers = SIMD4<UInt32>(repeating: 0)
        var index = 0
        var hasDigit = false
        for byte in core {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (tens, isTooLarge) = numbers[index].multipliedReportingOverflow(by: 10)
                let (sum, overflows) = tens.addingReportingOverflow(UInt32(byte - UInt8(ascii: "0")))
                guard !isTooLarge, !overflows else { return nil }
                numbers[index] = sum
                hasDigit = true
            case UInt8(ascii: "."):
                guard hasDigit, index < 3 else { return nil }
                index += 1
                hasDigit = false
            default: return nil
            }
        }
        return hasDigit ? numbers : nil
    }

    private enum Identifier: Hashable, Sendable, Comparable {
        // In this order: a number is below a word.
        case number(UInt64)
        case word(String)

        init?(_ bytes: Substring.UTF8View) {
            let text = String(Substring(bytes))
            let isAllowed = bytes.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            guard isAllowed, !text.isEmpty else { return nil }
            self = UInt64(text).map { .number($0) } ?? .word(text)
        }
    }
}

extension SemanticVersion: Comparable {
    static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        for index in 0..<4 where left.numbers[index] != right.numbers[index] {
            return left.numbers[index] < right.numbers[index]
        }
        // A release is above its own pre-releases.
        if left.preRelease.isEmpty || right.preRelease.isEmpty { return !left.preRelease.isEmpty && right.preRelease.isEmpty }
        return left.preRelease.lexicographicallyPrecedes(right.preRelease)
    }
}

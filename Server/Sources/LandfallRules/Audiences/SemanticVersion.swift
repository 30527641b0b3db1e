// SPDX-License-Identifier: Apache-2.0
/// A version of an app or an operating system, in the order of Semantic Versioning. Like stores, it accepts
/// one to four numbers; missing ones count as 0, so `1.10` is above `1.9` and equal to `1.10.0`.
package struct SemanticVersion: Sendable {
    private static let longest = 64

    private let numbers: SIMD4<UInt32>
    /// `beta.2` of `1.0-beta.2`; empty for a release. What follows a `+` does not count.
    private let preRelease: String

    /// Nil for a text that is not a version: such a value counts as missing.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let withoutBuild = text.utf8.prefix { $0 != UInt8(ascii: "+") }
        let core = withoutBuild.prefix { $0 != UInt8(ascii: "-") }
        guard let numbers = Self.numbers(core) else { return nil }
        self.numbers = numbers

        guard core.endIndex < withoutBuild.endIndex else {
            preRelease = ""
            return
        }
        let named = withoutBuild[core.endIndex...].dropFirst()
        let parts = named.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isOfPreRelease) }) else { return nil }
        preRelease = String(Substring(named))
    }

    private static func isOfPreRelease(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "-"):
            true
        default: false
        }
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
}

extension SemanticVersion: Comparable {
    package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool { left.order(to: right) < 0 }

    package static func == (left: SemanticVersion, right: SemanticVersion) -> Bool { left.order(to: right) == 0 }

    private func order(to other: SemanticVersion) -> Int {
        for index in 0..<4 where numbers[index] != other.numbers[index] { return numbers[index] < other.numbers[index] ? -1 : 1 }
        // A release is above its own pre-releases.
        if preRelease.isEmpty || other.preRelease.isEmpty { return (preRelease.isEmpty ? 1 : 0) - (other.preRelease.isEmpty ? 1 : 0) }
        var (left, right) = (preRelease, other.preRelease)
        return left.withUTF8 { left in
            right.withUTF8 { Self.orderOfPreReleases(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
        }
    }
}

extension SemanticVersion {
    /// The four numbers in two integers. Comparing first one, then the other gives the order of the version without its pre-release.
    var numbersInOrder: (UInt64, UInt64) {
        (UInt64(numbers[0]) << 32 | UInt64(numbers[1]), UInt64(numbers[2]) << 32 | UInt64(numbers[3]))
    }

    /// Orders what stands between `-` and `+` of two versions, part by part, and allocates nothing. Below 0 if the left one comes
    /// first. Neither is empty.
    static func orderOfPreReleases(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        var leftStart = 0, rightStart = 0
        while leftStart <= left.count, rightStart <= right.count {
            let leftEnd = end(of: left, from: leftStart), rightEnd = end(of: right, from: rightStart)
            let order = order(
                UnsafeRawBufferPointer(rebasing: left[leftStart..<leftEnd]), UnsafeRawBufferPointer(rebasing: right[rightStart..<rightEnd]))
            if order != 0 { return order }
            (leftStart, rightStart) = (leftEnd + 1, rightEnd + 1)
        }
        return (leftStart <= left.count ? 1 : 0) - (rightStart <= right.count ? 1 : 0)
    }

    private static func end(of text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place < text.count, text[place] != UInt8(ascii: ".") { place += 1 }
        return place
    }

    /// A number is below a word.
    private static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        switch (number(left), number(right)) {
        case (let left?, let right?): return left < right ? -1 : left > right ? 1 : 0
        case (_?, nil): return -1
        case (nil, _?): return 1
        case (nil, nil):
            for place in 0..<min(left.count, right.count) where left[place] != right[place] { return left[place] < right[place] ? -1 : 1 }
            return left.count - right.count
        }
    }

    private static func number(_ text: UnsafeRawBufferPointer) -> UInt64? {
        var number: UInt64 = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
        }
        return number
    }
}

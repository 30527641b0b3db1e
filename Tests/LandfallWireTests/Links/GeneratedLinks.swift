// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Makes the same links from the same seed, on every machine.
struct GeneratedLinks {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }

    mutating func oneOf<Element>(_ choices: [Element]) -> Element { choices[number(0...choices.count - 1)] }

    /// Letters, every mark that means something in a link, and characters of more than one byte.
    mutating func text(_ length: ClosedRange<Int> = 0...8) -> String {
        let alphabet = [
            "a", "Z", "7", "-", "_", ".", "~", "%", "/", "?", "#", "&", "=", "+", ":", "@", ";", "'", "\"", "<", " ", "ä", "✓",
            "👩‍👩‍👧", "\u{301}", "\u{212A}", "adj_", "lf_t", "adjust_x=", "example.com", "..", "%2e", "%41",
        ]
        return (0..<number(length)).map { _ in oneOf(alphabet) }.joined()
    }

    mutating func destination() -> Destination {
        let path = (0..<number(0...4)).map { _ in text() }
        let query = (0..<number(0...4)).map { _ in LinkQueryItem(text(), number(0...3) == 0 ? nil : text()) }
        return Destination(path: path, query: query, fragment: number(0...2) == 0 ? text(0...12) : nil)
    }

    /// Bytes that are mostly no link.
    mutating func noise() -> String {
        let beginnings = [
            "", "https://", "example://", "https://example.com/", "https://example.com?", "https://example.com/#", "a:",
        ]
        return oneOf(beginnings) + text(0...40)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The colours of the console", .timeLimit(.minutes(1)))
struct PaletteTests {
    /// What is read on what, and the contrast that WCAG 2.2 AA asks for: 4.5 for text, 3 for the edges of fields and for bars.
    static let pairs: [(String, String, Double)] = [
        ("text", "ground", 4.5), ("text", "surface", 4.5), ("text", "raised", 4.5), ("quiet", "ground", 4.5), ("quiet", "surface", 4.5),
        ("quiet", "raised", 4.5), ("accent", "surface", 4.5), ("accent", "ground", 4.5), ("accent", "tint", 4.5), ("on-accent", "accent", 4.5),
        ("good", "good-tint", 4.5), ("bad", "bad-tint", 4.5), ("bad", "surface", 4.5), ("edge", "surface", 3), ("bar", "surface", 3),
        ("before", "surface", 3), ("text", "tint", 4.5), ("quiet", "tint", 4.5),
    ]

    @Test("Every pair has its contrast, in light and in dark", arguments: pairs, [false, true])
    func contrast(pair: (String, String, Double), isDark: Bool) throws {
        let colours = try Self.colours(isDark: isDark)
        let values = [pair.0, pair.1].map { Self.luminance(colours[$0] ?? 0) }.sorted()

        #expect((values[1] + 0.05) / (values[0] + 0.05) >= pair.2)
    }

    @Test("Every shade of the grid of retention has the contrast of its text, and another colour than the one before", arguments: [false, true])
    func heat(isDark: Bool) throws {
        let colours = try Self.colours(isDark: isDark)
        let surface = try #require(colours["surface"]), bar = try #require(colours["bar"]), text = try #require(colours["text"])
        let style = String(decoding: EmbeddedFile.style, as: UTF8.self)
        let shares = style.matches(of: /\.heat(\d) \{ background: color-mix\(in srgb, var\(--bar\) (\d+)%, transparent\)/).compactMap { Double($0.output.2) }

        #expect(shares.count == 6 && shares == Array(Set(shares)).sorted())
        for share in shares {
            let values = [text, Self.mixed(bar, share / 100, surface)].map(Self.luminance).sorted()
            #expect((values[1] + 0.05) / (values[0] + 0.05) >= 4.5)
        }
    }

    private static func mixed(_ colour: UInt32, _ share: Double, _ ground: UInt32) -> UInt32 {
        [16, 8, 0].reduce(0) { mixed, shift in
            let (one, other) = (Double(colour >> UInt32(shift) & 0xFF), Double(ground >> UInt32(shift) & 0xFF))
            return mixed | UInt32(one * share + other * (1 - share)) << UInt32(shift)
        }
    }

    /// The first list of variables in the style is the light one, the second the dark one.
    private static func colours(isDark: Bool) throws -> [String: UInt32] {
        let style = String(decoding: EmbeddedFile.style, as: UTF8.self)
        let lists = style.components(":root {")
        let list = try #require(lists.dropFirst(isDark ? 2 : 1).first)
        return list.prefix { $0 != "}" }.split(separator: ";").reduce(into: [:]) { colours, line in
            let parts = line.split(separator: ":")
            guard parts.count == 2, let name = parts[0].firstRange(of: "--"), let hash = parts[1].firstIndex(of: "#") else { return }
            colours[String(parts[0][name.upperBound...])] = UInt32(parts[1][parts[1].index(after: hash)...].prefix(6), radix: 16)
        }
    }

    private static func luminance(_ colour: UInt32) -> Double {
        func linear(_ shift: UInt32) -> Double {
            let value = Double(colour >> shift & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : Self.power((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }

    /// For exponents of 0.4 steps: x^2.4 is x² times the fifth root of x².
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        var root = 1.0
        for _ in 0..<60 { root -= (root * root * root * root * root - base * base) / (5 * root * root * root * root) }
        return base * base * root
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [Substring] {
        var parts: [Substring] = [], rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

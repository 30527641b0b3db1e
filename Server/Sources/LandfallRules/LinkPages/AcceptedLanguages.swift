// SPDX-License-Identifier: Apache-2.0

/// The languages that a visitor accepts, from the field `Accept-Language`.
///
/// Reads at most ``longest`` bytes and ``most`` languages. A part that is not a language with an optional `q` is left out.
package struct AcceptedLanguages: Hashable, Sendable {
    /// Bytes; of a longer field only the complete parts before this length are read.
    static let longest = 1_024
    static let most = 32

    /// The best first. Nil is `*`, which is any language.
    let locales: [LocaleCode?]

    package init(_ field: String?) {
        let bytes = (field ?? "").utf8
        var parts = bytes.prefix(Self.longest).split(separator: UInt8(ascii: ","), maxSplits: Self.most)[...]
        if bytes.count > Self.longest || parts.count > Self.most { parts = parts.dropLast() }
        let ranges = parts.compactMap { Self.range($0) }.enumerated().filter { $0.element.weight > 0 }
        // Equal weights keep their order.
        locales = ranges.sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element.locale)
    }

    private static func range(_ part: Substring.UTF8View) -> (locale: LocaleCode?, weight: Int)? {
        let fields = part.split(separator: UInt8(ascii: ";"), maxSplits: 2).map(trimmed)
        guard let tag = fields.first, fields.count <= 2 else { return nil }
        var weight = 1_000
        if fields.count == 2 {
            guard let stated = Self.weight(fields[1]) else { return nil }
            weight = stated
        }
        if tag.elementsEqual("*".utf8) { return (nil, weight) }
        return LocaleCode(rawValue: String(Substring(tag))).map { ($0, weight) }
    }

    /// `q=0.85` in thousandths; nil if it is not a weight from 0 to 1 with at most three decimals.
    private static func weight(_ field: Substring.UTF8View) -> Int? {
        var rest = field[...]
        guard let name = rest.popFirst(), name | 0x20 == UInt8(ascii: "q"), rest.popFirst() == UInt8(ascii: "="),
            let whole = rest.popFirst(), whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1")
        else { return nil }
        var weight = Int(whole - 48) * 1_000
        if let point = rest.popFirst() {
            guard point == UInt8(ascii: "."), rest.count <= 3 else { return nil }
            for (digit, unit) in zip(rest, [100, 10, 1]) {
                guard (48...57).contains(digit) else { return nil }
                weight += Int(digit - 48) * unit
            }
        }
        return weight <= 1_000 ? weight : nil
    }

    private static func trimmed(_ part: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var rest = part.drop(while: isSpace)
        while rest.last.map(isSpace) == true { rest.removeLast() }
        return rest
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// A JSON value of a signed text.
enum PayloadValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent, or one too large for an integer.
    case real(Double)
    case text(String)
    case list([PayloadValue])
    case object([String: PayloadValue])
}

/// The members of an object, read as what they should be. A member of another type is as if it were missing, so that a change of
/// Apple's takes away one field and not the purchase.
struct PayloadFields {
    let members: [String: PayloadValue]

    init(_ members: [String: PayloadValue]) { self.members = members }

    /// Nil for bytes that are no JSON object, or one deeper than Apple's.
    init?(json: [UInt8]) {
        guard case .object(let members)? = PayloadParser.value(json) else { return nil }
        self.init(members)
    }

    /// A number is taken as the id that it would be as text. No text contains U+0000: stores cannot keep it.
    func text(_ name: String) -> String? {
        switch members[name] {
        case .text(let text): text.isEmpty || text.utf8.contains(0) ? nil : text
        case .integer(let number): String(number)
        default: nil
        }
    }

    func texts(_ name: String) -> [String] {
        guard case .list(let values)? = members[name] else { return [] }
        return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    func word<Word: PayloadWord>(_ name: String) -> Word? { text(name).map(Word.init(rawValue:)) }

    /// Whole numbers only, also written `7.0`: an amount is never rounded.
    func integer(_ name: String) -> Int64? {
        switch members[name] {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// Unix milliseconds. Xcode sends fractions, which are left out. Nil beyond the year 9999, so that times can be added.
    func time(_ name: String) -> Int64? {
        let ms: Int64? =
            switch members[name] {
            case .integer(let number): number
            case .real(let number): Int64(exactly: number.rounded(.down))
            default: nil
            }
        return ms.flatMap { (-Instant.latestMs...Instant.latestMs).contains($0) ? $0 : nil }
    }

    /// True, or the number 1.
    func flag(_ name: String) -> Bool? {
        switch members[name] {
        case .bool(let flag): flag
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }

    func object(_ name: String) -> PayloadFields? {
        if case .object(let members)? = members[name] { PayloadFields(members) } else { nil }
    }

    func objects(_ name: String) -> [PayloadFields] {
        guard case .list(let values)? = members[name] else { return [] }
        return values.compactMap { if case .object(let members) = $0 { PayloadFields(members) } else { nil } }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Language, script and region of a locale, as numbers. A language that is written in several scripts always has one:
/// if the locale names none, the script of its region (``LocaleFallback``).
struct LocaleParts: Hashable, Sendable {
    /// Small letters, as bytes of one number.
    let language: UInt64
    /// `Hant`, as bytes of one number; 0 if there is none.
    let script: UInt32
    /// `TW`, as bytes of one number; 0 if there is none.
    let region: UInt32

    /// - Parameter isAsked: of a condition, which names what has to be equal: `zh` alone asks for no script.
    init(_ locale: LocaleCode, isAsked: Bool) {
        let parts = LocaleSubtags(locale.rawValue)
        language = Self.number(parts.language.utf8)
        region = parts.region.map { UInt32(Self.number($0.utf8)) } ?? 0
        let hasScript = !isAsked || parts.script != nil || parts.region != nil
        script = hasScript ? locale.script.map { UInt32(Self.number($0.utf8)) } ?? 0 : 0
    }

    /// At most eight bytes.
    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

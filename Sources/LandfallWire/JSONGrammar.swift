// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Whether all of a text is JSON in UTF-8 (RFC 8259).
///
/// `JSONDecoder` reads only the values that it is asked for: in a skipped field it overlooks `01`, `"\x"` or a raw tab, and
/// what it overlooks differs between systems. This check reads each byte once, and keeps nothing.
struct JSONGrammar {
    /// As deep as `JSONDecoder` goes.
    static let deepest = 512

    private let bytes: UnsafePointer<UInt8>
    private let end: Int
    private var at = 0
    private var isASCII = true

    /// - Parameter data: may begin with a byte order mark, as `JSONDecoder` allows.
    static func permits(_ data: Data) -> Bool {
        let isASCII = data.withUnsafeBytes { raw -> Bool? in
            guard let bytes = raw.bindMemory(to: UInt8.self).baseAddress else { return nil }
            var reader = JSONGrammar(bytes: bytes, end: raw.count)
            if raw.starts(with: [0xEF, 0xBB, 0xBF]) { reader.at = 3 }
            return reader.value() && reader.next() == nil ? reader.isASCII : nil
        }
        return isASCII == true || isASCII == false && String(data: data, encoding: .utf8) != nil
    }

    private init(bytes: UnsafePointer<UInt8>, end: Int) {
        self.bytes = bytes
        self.end = end
    }

    private var byte: UInt8? { at < end ? bytes[at] : nil }

    /// The first byte of the next token; nil at the end.
    private mutating func next() -> UInt8? {
        while at < end {
            switch bytes[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            case let byte: return byte
            }
        }
        return nil
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard at < end, bytes[at] == wanted else { return false }
        at += 1
        return true
    }

    /// One value with everything in it. Not recursive: a thread's stack may be small.
    private mutating func value() -> Bool {
        /// The closing byte of each open list and object, the innermost last.
        var open: [UInt8] = []
        beginning: while true {
            switch next() {
            case UInt8(ascii: "{"):
                at += 1
                if next() == UInt8(ascii: "}") { at += 1; break }
                open.append(UInt8(ascii: "}"))
                guard open.count <= Self.deepest, key() else { return false }
                continue
            case UInt8(ascii: "["):
                at += 1
                if next() == UInt8(ascii: "]") { at += 1; break }
                open.append(UInt8(ascii: "]"))
                guard open.count <= Self.deepest else { return false }
                continue
            case UInt8(ascii: "\""): guard string() else { return false }
            case UInt8(ascii: "t"): guard word("true") else { return false }
            case UInt8(ascii: "f"): guard word("false") else { return false }
            case UInt8(ascii: "n"): guard word("null") else { return false }
            default: guard number() else { return false }
            }
            // A value has ended, and so may have those around it.
            while let close = open.last {
                switch next() {
                case close:
                    at += 1
                    open.removeLast()
                case UInt8(ascii: ","):
                    at += 1
                    guard close == UInt8(ascii: "]") || key() else { return false }
                    continue beginning
                default: return false
                }
            }
            return true
        }
    }

    private mutating func key() -> Bool {
        next() != nil && string() && next() != nil && take(UInt8(ascii: ":"))
    }

    private mutating func string() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while at < end {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard escape() else { return false }
            case ..<0x20: return false
            case 0x80...: isASCII = false
            default: break
            }
        }
        return false
    }

    /// What follows a backslash. Half of a surrogate pair is refused: it is not a character.
    private mutating func escape() -> Bool {
        guard let byte else { return false }
        at += 1
        switch byte {
        case UInt8(ascii: "u"):
            guard let unit = unit() else { return false }
            if UTF16.isTrailSurrogate(unit) { return false }
            guard UTF16.isLeadSurrogate(unit) else { return true }
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let trail = self.unit() else { return false }
            return UTF16.isTrailSurrogate(trail)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        default: return false
        }
    }

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        guard end - at >= 4 else { return nil }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = bytes[at]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    private mutating func word(_ word: StaticString) -> Bool {
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else { return false }
        }
        return true
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        guard take(UInt8(ascii: "0")) || digits() else { return false }
        if take(UInt8(ascii: ".")) { guard digits() else { return false } }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard digits() else { return false }
        }
        return true
    }

    /// One or more.
    private mutating func digits() -> Bool {
        let start = at
        while at < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) { at += 1 }
        return at > start
    }
}

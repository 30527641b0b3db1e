// SPDX-License-Identifier: Apache-2.0

/// Reads JSON in the SDK's form without copying it: ASCII, known keys that occur once, whole numbers, no `null`.
///
/// It reads only what has a single meaning. Everything else, valid or not, goes to `JSONDecoder`: so the rules of what is
/// accepted are in one place, and this reader is only faster.
package struct PlainJSON {
    /// The text is not plain. It may still be valid.
    package struct NotPlain: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var at = 0

    /// - Throws: ``NotPlain`` if `body` does, or if it leaves anything but white space.
    static func read<Value>(
        _ bytes: UnsafeRawBufferPointer, _ body: (inout PlainJSON) throws(NotPlain) -> Value
    ) throws(NotPlain) -> Value {
        var json = PlainJSON(bytes: bytes)
        let value = try body(&json)
        guard json.next == nil else { throw NotPlain() }
        return value
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The first byte of the next token; nil at the end.
    var next: UInt8? {
        mutating get {
            while at < bytes.count {
                switch bytes[at] {
                case 0x20, 0x0A, 0x0D, 0x09: at += 1
                case let byte: return byte
                }
            }
            return nil
        }
    }

    private mutating func expect(_ byte: UInt8) throws(NotPlain) {
        guard next == byte else { throw NotPlain() }
        at += 1
    }

    /// - Parameter field: reads the value of the key.
    mutating func object(_ field: (inout PlainJSON, String) throws(NotPlain) -> Void) throws(NotPlain) {
        try expect(UInt8(ascii: "{"))
        if next == UInt8(ascii: "}") { return at += 1 }
        while true {
            let key = try string()
            try expect(UInt8(ascii: ":"))
            try field(&self, key)
            if next == UInt8(ascii: "}") { return at += 1 }
            try expect(UInt8(ascii: ","))
        }
    }

    mutating func list(_ element: (inout PlainJSON) throws(NotPlain) -> Void) throws(NotPlain) {
        try expect(UInt8(ascii: "["))
        if next == UInt8(ascii: "]") { return at += 1 }
        while true {
            try element(&self)
            if next == UInt8(ascii: "]") { return at += 1 }
            try expect(UInt8(ascii: ","))
        }
    }

    /// A string of printable ASCII, without escapes.
    mutating func string() throws(NotPlain) -> String {
        try expect(UInt8(ascii: "\""))
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            guard (0x20...0x7E).contains(bytes[at]), bytes[at] != UInt8(ascii: "\\") else { throw NotPlain() }
            at += 1
        }
        guard at < bytes.count else { throw NotPlain() }
        defer { at += 1 }
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<at]), as: UTF8.self)
    }

    /// A whole number of at most 15 digits: exact as a floating-point number too.
    mutating func integer() throws(NotPlain) -> Int64 {
        let (isNegative, value) = try digits(most: 15)
        guard !isNegative || value > 0 else { throw NotPlain() }
        try endNumber()
        return isNegative ? -value : value
    }

    /// A number with at most 12 digits and three decimals.
    mutating func thousandths() throws(NotPlain) -> Int64 {
        let (isNegative, whole) = try digits(most: 12)
        var value = whole * 1000
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            at += 1
            var worth: Int64 = 100
            let start = at
            while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]), worth > 0 {
                value += Int64(bytes[at] - UInt8(ascii: "0")) * worth
                worth /= 10
                at += 1
            }
            guard at > start else { throw NotPlain() }
        }
        guard !isNegative || value > 0 else { throw NotPlain() }
        try endNumber()
        return isNegative ? -value : value
    }

    private mutating func digits(most: Int) throws(NotPlain) -> (isNegative: Bool, value: Int64) {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let start = at
        var value: Int64 = 0
        while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]), at - start <= most {
            value = value * 10 + Int64(bytes[at] - UInt8(ascii: "0"))
            at += 1
        }
        let count = at - start
        guard (1...most).contains(count), count == 1 || bytes[start] != UInt8(ascii: "0") else { throw NotPlain() }
        return (isNegative, value)
    }

    /// - Throws: if a fraction, an exponent or anything else follows that cannot end a number.
    private func endNumber() throws(NotPlain) {
        guard at < bytes.count else { return }
        switch bytes[at] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: return
        default: throw NotPlain()
        }
    }

    mutating func flag() throws(NotPlain) -> Bool {
        let isTrue = next == UInt8(ascii: "t")
        let word: StaticString = isTrue ? "true" : "false"
        for offset in 0..<word.utf8CodeUnitCount {
            guard at < bytes.count, bytes[at] == word.utf8Start[offset] else { throw NotPlain() }
            at += 1
        }
        return isTrue
    }
}

extension Optional {
    /// Sets a value that may occur once.
    mutating func set(_ value: Wrapped) throws(PlainJSON.NotPlain) {
        guard case .none = self else { throw PlainJSON.NotPlain() }
        self = value
    }
}

/// A body that can be read without `Codable` if it is plain, with the same result.
package protocol PlainlyReadable: Decodable {
    init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain)
}

extension PlainlyReadable {
    /// - Returns: nil if the bytes are not plain: then `Codable` reads them.
    static func plain(_ bytes: UnsafeRawBufferPointer) -> Self? {
        try? PlainJSON.read(bytes) { json throws(PlainJSON.NotPlain) in try Self(plain: &json) }
    }
}

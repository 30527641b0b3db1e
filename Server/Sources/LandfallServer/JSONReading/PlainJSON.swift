// SPDX-License-Identifier: Apache-2.0

/// Reads JSON as the SDK writes it, where it lies: ASCII, keys that are known and there once, whole numbers, no `null`.
///
/// It knows only what can be read in one way. Everything else, right or wrong, it leaves to `JSONDecoder`: so what is taken and
/// what is refused, and why, is decided in one place, and this one is only faster.
struct PlainJSON {
    /// It is not plain. Says nothing about whether it is right.
    struct NotPlain: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var at = 0

    /// - Throws: ``NotPlain`` where `body` does, and where it leaves something but white space.
    static func read<Value>(
        _ bytes: UnsafeRawBufferPointer, _ body: (inout PlainJSON) throws(NotPlain) -> Value
    ) throws(NotPlain) -> Value {
        var json = PlainJSON(bytes: bytes)
        let value = try body(&json)
        guard json.next == nil else { throw NotPlain() }
        return value
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The first byte of what comes next; nil at the end.
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

    /// Of printable ASCII, without escapes.
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

    /// Of at most 15 digits: exact as a floating-point number too.
    mutating func integer() throws(NotPlain) -> Int64 {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let start = at
        var value: Int64 = 0
        while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]), at - start < 16 {
            value = value * 10 + Int64(bytes[at] - UInt8(ascii: "0"))
            at += 1
        }
        let digits = at - start
        guard (1...15).contains(digits), digits == 1 || bytes[start] != UInt8(ascii: "0"), !isNegative || value > 0 else { throw NotPlain() }
        // A fraction, an exponent, or no number at all.
        if at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: break
            default: throw NotPlain()
            }
        }
        return isNegative ? -value : value
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
    /// Sets what is read once.
    mutating func set(_ value: Wrapped) throws(PlainJSON.NotPlain) {
        guard case .none = self else { throw PlainJSON.NotPlain() }
        self = value
    }
}

/// A body that can be read without `Codable` where it is plain, with the same value.
protocol PlainlyReadable: Decodable {
    init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain)
}

extension PlainlyReadable {
    /// - Returns: nil where the bytes are not plain: then `Codable` says what they are.
    static func plain(_ bytes: UnsafeRawBufferPointer) -> Self? {
        try? PlainJSON.read(bytes) { json throws(PlainJSON.NotPlain) in try Self(plain: &json) }
    }
}

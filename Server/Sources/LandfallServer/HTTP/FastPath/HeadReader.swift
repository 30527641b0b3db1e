// SPDX-License-Identifier: Apache-2.0

extension PlainHead {
    package enum Reading: Hashable {
        case whole(PlainHead)
        /// The head is not complete yet.
        case part
        /// The head cannot be read here, and neither can the position of the next request.
        case strange
    }

    /// Reads the head at the start of the bytes, in one pass.
    /// - Parameter countryName: the field in which a trusted proxy writes the country, in lower case; empty for none.
    package static func read(_ bytes: UnsafeRawBufferPointer, countryName: [UInt8] = []) -> Reading {
        var reader = HeadReader(bytes: bytes, countryName: countryName)
        do {
            try reader.readRequestLine()
            while try reader.readField() {}
        } catch .part {
            return bytes.count < longest ? .part : .strange
        } catch {
            return .strange
        }
        reader.head.length = reader.at
        return reader.at <= longest ? .whole(reader.head) : .strange
    }
}

private struct HeadReader {
    enum Stop: Error { case part, strange }

    let bytes: UnsafeRawBufferPointer
    let countryName: [UInt8]
    var head = PlainHead()
    var at = 0
    private var fields = 0
    private var hasBodyLength = false
    private var hasConnection = false

    init(bytes: UnsafeRawBufferPointer, countryName: [UInt8]) {
        self.bytes = bytes
        self.countryName = countryName
    }

    mutating func readRequestLine() throws(Stop) {
        let method = try take(atMost: 8) { (65...90).contains($0) }
        head.method = isText(method, "get") ? .get : isText(method, "head") ? .head : .other
        let isKnown = head.method != .other || ["post", "put", "patch", "delete", "options"].contains { isText(method, $0) }
        guard isKnown else { throw .strange }
        try expect(" ")
        head.target = try take(atMost: PlainHead.longest) { (0x21...0x7E).contains($0) }
        // A target in absolute form contains the host.
        guard bytes[head.target.lowerBound] == UInt8(ascii: "/") else { throw .strange }
        try expect(" HTTP/1.1\r\n")
    }

    /// - Returns: false at the end of the head.
    mutating func readField() throws(Stop) -> Bool {
        guard at < bytes.count else { throw .part }
        if bytes[at] == UInt8(ascii: "\r") {
            try expect("\r\n")
            return false
        }
        fields += 1
        guard fields <= PlainHead.mostFields else { throw .strange }
        let name = try take(atMost: 256, Self.isOfName)
        try expect(":")
        while at < bytes.count, bytes[at] == UInt8(ascii: " ") { at += 1 }
        let value = try readValue()
        try expect("\r\n")
        try keep(value, of: name)
        return true
    }

    private mutating func readValue() throws(Stop) -> Range<Int> {
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "\r") {
            let byte = bytes[at]
            if !(0x20...0x7E).contains(byte) {
                guard byte == 0x09 || byte >= 0x80 else { throw .strange }
                head.isPlain = false
            }
            at += 1
        }
        guard at < bytes.count else { throw .part }
        if at > start, bytes[at - 1] == UInt8(ascii: " ") { head.isPlain = false }
        return start..<at
    }

    /// The length of the name alone rules out most fields.
    private mutating func keep(_ value: Range<Int>, of name: Range<Int>) throws(Stop) {
        switch name.count {
        case 4 where isText(name, "host"):
            guard head.host == nil else { throw .strange }
            Self.keep(value, at: &head.host, &head.isPlain)
        // The application decides what a fetch of an image gets.
        case 6 where isText(name, "accept"): if bytes[value].starts(with: "image/".utf8) { head.isPlain = false }
        case 6 where isText(name, "expect"), 7 where isText(name, "upgrade"): throw .strange
        case 16 where isText(name, "proxy-connection"), 17 where isText(name, "transfer-encoding"): throw .strange
        case 10 where isText(name, "connection"):
            guard !hasConnection else { throw .strange }
            hasConnection = true
            head.isLast = isText(value, "close")
            guard head.isLast || isText(value, "keep-alive") else { throw .strange }
        case 14 where isText(name, "content-length"):
            guard !hasBodyLength, (1...9).contains(value.count) else { throw .strange }
            hasBodyLength = true
            head.isPlain = false
            for byte in bytes[value] {
                guard (48...57).contains(byte) else { throw .strange }
                head.bodyLength = head.bodyLength * 10 + Int(byte - 48)
            }
        case 7 where isText(name, "purpose"): Self.keep(value, at: &head.purpose, &head.isPlain)
        case 7 where isText(name, "referer"): Self.keep(value, at: &head.referer, &head.isPlain)
        case 9 where isText(name, "x-purpose"): Self.keep(value, at: &head.xPurpose, &head.isPlain)
        case 10 where isText(name, "user-agent"): Self.keep(value, at: &head.userAgent, &head.isPlain)
        case 11 where isText(name, "sec-purpose"): Self.keep(value, at: &head.secPurpose, &head.isPlain)
        case 13 where isText(name, "authorization"): Self.keep(value, at: &head.authorization, &head.isPlain)
        case 15 where isText(name, "x-forwarded-for"): Self.keep(value, at: &head.forwardedFor, &head.isPlain)
        case 15 where isText(name, "landfall-device"): Self.keep(value, at: &head.device, &head.isPlain)
        case 15 where isText(name, "accept-language"): Self.keep(value, at: &head.acceptLanguage, &head.isPlain)
        case 16 where isText(name, "landfall-profile"): Self.keep(value, at: &head.profile, &head.isPlain)
        case 19 where isText(name, "landfall-link-rules"): Self.keep(value, at: &head.linkRules, &head.isPlain)
        case countryName.count where countryName.withUnsafeBufferPointer({ isText(name, $0) }): Self.keep(value, at: &head.country, &head.isPlain)
        default: break
        }
    }

    private static func keep(_ value: Range<Int>, at place: inout Range<Int>?, _ isPlain: inout Bool) {
        if place != nil || value.isEmpty { isPlain = false }
        place = value
    }

    /// Takes at least one byte.
    private mutating func take(atMost most: Int, _ isTaken: (UInt8) -> Bool) throws(Stop) -> Range<Int> {
        let start = at
        while at < bytes.count, isTaken(bytes[at]) { at += 1 }
        guard at - start <= most else { throw .strange }
        guard at < bytes.count else { throw .part }
        guard at > start else { throw .strange }
        return start..<at
    }

    private mutating func expect(_ text: StaticString) throws(Stop) {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        for byte in text {
            guard at < bytes.count else { throw .part }
            guard bytes[at] == byte else { throw .strange }
            at += 1
        }
    }

    private func isText(_ range: Range<Int>, _ text: StaticString) -> Bool {
        isText(range, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// - Parameter text: in lower case; letters, digits and `-`.
    private func isText(_ range: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == text.count else { return false }
        for index in 0..<text.count where bytes[range.lowerBound + index] | 0x20 != text[index] { return false }
        return true
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

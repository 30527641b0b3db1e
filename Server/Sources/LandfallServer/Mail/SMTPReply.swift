// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a mail server answers: a code, and a text of one line or more.
struct SMTPReply: Hashable, Sendable {
    let code: Int
    let lines: [String]

    /// For people: one line, printable.
    var text: String {
        let text = "\(code) " + lines.joined(separator: " ")
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 })).cut(toBytes: 200)
    }
}

/// Collects bytes until they are whole answers. Linear in the bytes.
struct SMTPReplyReader {
    static let longestLine = 2_048
    static let mostLines = 100
    /// Of a whole conversation.
    static let mostBytes = 65_536

    private var line: [UInt8] = []
    private var lines: [String] = []
    private var code: Int?
    private var count = 0

    /// - Parameter bytes: as they came.
    /// - Returns: the answers that are whole by now.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(MailFailure) -> [SMTPReply] {
        var replies: [SMTPReply] = []
        for byte in bytes {
            count += 1
            guard count <= Self.mostBytes else { throw .tooLong }
            guard byte == UInt8(ascii: "\n") else {
                guard line.count < Self.longestLine else { throw .tooLong }
                line.append(byte)
                continue
            }
            if let reply = try end() { replies.append(reply) }
        }
        return replies
    }

    /// Whether an answer has begun that is not whole.
    var isWithin: Bool { !line.isEmpty || !lines.isEmpty }

    private mutating func end() throws(MailFailure) -> SMTPReply? {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        defer { line = [] }
        let digits = line.prefix(3).map { Int($0) - 48 }
        guard digits.count == 3, digits.allSatisfy({ (0...9).contains($0) }), (2...5).contains(digits[0]) else { throw .unreadable }
        let code = digits[0] * 100 + digits[1] * 10 + digits[2], sign = line.dropFirst(3).first
        guard self.code ?? code == code, sign == nil || sign == UInt8(ascii: " ") || sign == UInt8(ascii: "-") else { throw .unreadable }
        self.code = code
        lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
        guard lines.count <= Self.mostLines else { throw .tooLong }
        guard sign != UInt8(ascii: "-") else { return nil }
        defer { (self.code, lines) = (nil, []) }
        return SMTPReply(code: code, lines: lines)
    }
}

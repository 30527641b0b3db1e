// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// A text on its way to people, as lines of a mail.
package struct Letter: Hashable, Sendable {
    /// Of the text, in bytes.
    static let longestText = 65_536
    static let longestSubject = 200
    /// Of a line without its end, as the text is encoded.
    private static let longestLine = 76

    /// Before the `@` of `Message-ID`: letters, digits and dashes. A letter that comes twice has one id.
    package let id: String
    package let subject: String
    package let text: String
    package let atMs: Int64

    package init(id: String, subject: String, text: String, atMs: Int64) {
        (self.id, self.subject, self.text, self.atMs) = (id, subject, text, atMs)
    }

    /// Header and text. Every line ends with CR LF, is ASCII and shorter than 998 bytes; no value of a header can begin another line.
    func lines(from: MailAddress, to: [MailAddress]) -> [UInt8] {
        let header = [
            "From: \(from.text)",
            "To: " + to.map(\.text).joined(separator: ",\r\n "),
            "Subject: " + Self.header(subject),
            "Date: " + Self.date(atMs),
            "Message-ID: <\(id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })@\(from.host)>",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            // Nobody's absence note answers it.
            "Auto-Submitted: auto-generated",
        ]
        return Array((header.joined(separator: "\r\n") + "\r\n\r\n").utf8) + Self.quoted(text.cut(toBytes: Self.longestText))
    }

    /// Printable ASCII as it is; everything else in encoded words of RFC 2047, each on a line of its own.
    static func header(_ text: String) -> String {
        let scalars = text.cut(toBytes: longestSubject).unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        if scalars.allSatisfy(\.isASCII), !scalars.starts(with: "=?".unicodeScalars) {
            return String(String.UnicodeScalarView(scalars))
        }
        var words: [String] = [], rest = ""
        for scalar in scalars {
            // 45 bytes are 60 of base64; a scalar is not cut in two.
            if rest.utf8.count + String(scalar).utf8.count > 45 {
                words.append(rest)
                rest = ""
            }
            rest.unicodeScalars.append(scalar)
        }
        return (words + [rest]).map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// RFC 5322: `Fri, 04 Dec 2026 09:30:00 +0000`.
    static func date(_ ms: Int64) -> String {
        let text = Instant(milliseconds: ms - ms % 1_000).description  // 2026-12-04T09:30:00Z
        let names = (days: ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"], months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])
        let parts = text.split(whereSeparator: { $0 == "-" || $0 == "T" || $0 == "Z" })
        guard ms >= 0, parts.count == 4, let month = Int(parts[1]), names.months.indices.contains(month - 1) else { return "Thu, 01 Jan 1970 00:00:00 +0000" }
        let weekday = names.days[Int(ms / 86_400_000 % 7)]
        return "\(weekday), \(parts[2]) \(names.months[month - 1]) \(parts[0]) \(parts[3]) +0000"
    }

    /// Quoted-printable: any bytes survive servers that take seven bits only.
    static func quoted(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let utf8 = Array(line.utf8)
            var width = 0
            for (index, byte) in utf8.enumerated() {
                let isLast = index == utf8.count - 1
                let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
                let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || isBlank && !isLast
                let part = isPlain ? [byte] : Self.escape(byte)
                // One place stays for the sign that the line goes on.
                if width + part.count > longestLine - 1 {
                    bytes += [UInt8(ascii: "="), 13, 10]
                    width = 0
                }
                bytes += part
                width += part.count
            }
            bytes += [13, 10]
        }
        return bytes
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("A letter", .timeLimit(.minutes(1)))
struct LetterTests {
    private static let from = MailAddress("landfall@example.com")!
    private static let to = [MailAddress("ops@example.com")!, MailAddress("b@example.com")!]

    private static func lines(_ subject: String, _ text: String, id: String = "alert-1") -> [String] {
        String(decoding: Letter(id: id, subject: subject, text: text, atMs: 1_795_359_845_123).lines(from: from, to: to), as: UTF8.self)
            .components(separatedBy: "\r\n")
    }

    @Test("has a header of plain lines, an empty line, and the text")
    func plain() {
        #expect(
            Self.lines("Landfall, app: disk", "5 % is free.\n\nDo something.") == [
                "From: landfall@example.com", "To: ops@example.com,", " b@example.com", "Subject: Landfall, app: disk",
                "Date: Sun, 22 Nov 2026 15:04:05 +0000", "Message-ID: <alert-1@example.com>", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "Auto-Submitted: auto-generated", "",
                "5 % is free.", "", "Do something.", "",
            ])
    }

    @Test("No text begins a line of the header", arguments: ["a\r\nBcc: x@example.com", "a\nBcc: x@example.com", "a\rBcc: x@example.com", "ü\r\nBcc: x@example.com", "=?utf-8?Q?a?="])
    func injection(text: String) throws {
        let lines = Self.lines(text, text, id: "a\r\nBcc: <x@y>")
        let header = try #require(lines.firstIndex(of: ""))

        #expect(!lines[..<header].contains { $0.hasPrefix("Bcc") } && lines[..<header].count { $0.hasPrefix("Subject: ") } == 1)
        #expect(lines.contains("Message-ID: <aBccxy@example.com>"))
    }

    @Test("Any text is ASCII with short lines, and nothing of it is lost", arguments: [
        "ü 日本語 🔴", String(repeating: "a", count: 300), String(repeating: "日", count: 200), "ends with a space ", ".\n..\n.", "a=b\ttab", "",
    ])
    func anything(text: String) throws {
        let bytes = Letter(id: "a", subject: text, text: text, atMs: 0).lines(from: Self.from, to: Self.to)
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let header = try #require(lines.firstIndex(of: ""))

        #expect(bytes.allSatisfy { $0 < 0x80 } && lines[(header + 1)...].allSatisfy { $0.utf8.count <= 76 } && lines.allSatisfy { $0.utf8.count <= 250 })
        #expect(Self.decoded(lines[(header + 1)...]) == text)
    }

    /// Quoted-printable, read back.
    private static func decoded(_ lines: ArraySlice<String>) -> String {
        var bytes: [UInt8] = []
        for line in lines.dropLast() {
            var rest = Array(line.utf8)[...], isSoft = false
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "=") else {
                    bytes.append(byte)
                    continue
                }
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                rest = rest.dropFirst(2)
                if let value = UInt8(digits, radix: 16) { bytes.append(value) } else { isSoft = true }
            }
            if !isSoft { bytes.append(10) }
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import Testing

@testable import LandfallServer

@Suite("The bytes of a table", .timeLimit(.minutes(1)))
struct TableTextTests {
    private static let text = "to,campaign\nhttps://example.com/,Frühling\n"

    private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    @Test("UTF-8 and UTF-16 are told apart, with and without a byte order mark")
    func unicode() throws {
        let files: [[UInt8]] = [
            Array(Self.text.utf8), [0xEF, 0xBB, 0xBF] + Self.text.utf8, [0xFF, 0xFE] + Self.utf16(Self.text, isBigEndian: false),
            [0xFE, 0xFF] + Self.utf16(Self.text, isBigEndian: true), Self.utf16(Self.text, isBigEndian: false), Self.utf16(Self.text, isBigEndian: true),
        ]

        for file in files {
            let rows = try LinkImport(try TableText.read(file), .csv).rows
            #expect(try rows.map { try $0.newLink.get().campaign } == ["Frühling"])
        }
    }

    @Test("Bytes of another encoding are refused until it is named")
    func latin1() throws {
        let file = Array(Self.text.utf8.prefix(35)) + [0xFC] + Array("hling\n".utf8)

        #expect(performing: { try TableText.read(file) }, throws: { "\($0)".contains("latin-1") })
        #expect(try TableText.read(file, as: .latin1).hasSuffix("ühling\n"))
        #expect(try TableText.read([UInt8(0x80)], as: .latin1) == "€")
    }

    @Test(
        "A file that is not in the named encoding is refused",
        arguments: [([0xFC], .utf8), ([0x61], .utf16), ([0xFF, 0xFE, 0x00, 0xD8, 0x61, 0x00], .utf16)] as [([UInt8], TableText.Encoding)])
    func wrong(file: [UInt8], encoding: TableText.Encoding) {
        #expect(throws: LinkRefusal.self) { try TableText.read(file, as: encoding) }
    }

    @Test("An empty file is an empty text")
    func empty() throws { #expect(try TableText.read([UInt8]()) == "") }
}

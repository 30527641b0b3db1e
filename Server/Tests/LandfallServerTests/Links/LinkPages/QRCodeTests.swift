// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallServer

@Suite("QR codes", .timeLimit(.minutes(1)))
struct QRCodeTests {
    /// Debian: zbar-tools.
    private static let reader = "/usr/bin/zbarimg"

    static let texts =
        ["https://brandname.go.link/beach", "A", "https://go.example.com/%C3%A9t?x=1&y=<>\"'"]
        + [14, 15, 84, 106, 107, 180, 300, 500, 997].map {
            String("https://go.example.com/" + String(repeating: "aB3-", count: 250)).prefix($0)
        }
        .map(String.init)

    @Test(
        "A camera reads the encoded text",
        .enabled(if: FileManager.default.isExecutableFile(atPath: reader), "zbarimg is not installed (Debian: zbar-tools)"),
        arguments: texts)
    func read(text: String) throws {
        let code = try #require(QRCode(text))
        let file = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString).pgm")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.picture(of: code).write(to: file)

        // Not by Foundation's Process: beside suites that open and close many files it reads past a list of theirs.
        let scan = try #require(popen("\(Self.reader) --quiet --raw -Sdisable -Sqrcode.enable '\(file.path)' 2>/dev/null", "r"))
        var read = Data()
        while case let byte = fgetc(scan), byte != EOF { read.append(UInt8(truncatingIfNeeded: byte)) }
        pclose(scan)

        #expect(String(decoding: read, as: UTF8.self) == text + "\n")
    }

    @Test("Their size depends on the text, up to what a camera can read")
    func size() {
        #expect(QRCode(String(repeating: "a", count: 14))?.size == 21)
        #expect(QRCode(String(repeating: "a", count: 15))?.size == 25)
        #expect(QRCode(String(repeating: "a", count: 997))?.size == 117)
        #expect(QRCode(String(repeating: "a", count: 998)) == nil)
    }

    @Test("The check codewords are those of the standard's example")
    func checks() {
        // ISO/IEC 18004, annex I: "01234567" in version 1-M.
        let data: [UInt8] = [16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17]

        #expect(ReedSolomon.checks(of: data, count: 10) == [165, 36, 212, 193, 237, 54, 199, 135, 44, 85])
    }

    @Test("The picture has a quiet zone of four modules")
    func svg() throws {
        let code = try #require(QRCode("A"))

        #expect(code.svg.contains("viewBox=\"0 0 29 29\""))
        #expect(code.svg.contains("M4 4h7v1h-7z"))
    }

    @Test("On a terminal it has every module, two in a character, and four modules of quiet zone", arguments: ["A", "a link of version 2"])
    func halfBlocks(text: String) throws {
        let code = try #require(QRCode(text))

        let lines = code.halfBlocks
        #expect(lines.count == (code.size + 8 + 1) / 2)
        #expect(lines.allSatisfy { $0.count == code.size + 8 })

        let rows = lines.flatMap { line in
            [line.map { $0 == " " || $0 == "▄" }, line.map { $0 == " " || $0 == "▀" }]
        }
        let read = (0..<code.size).flatMap { y in (0..<code.size).map { x in rows[y + 4][x + 4] } }
        #expect(read == code.modules)
        #expect(rows.prefix(4).allSatisfy { !$0.contains(true) })
        #expect(rows[4..<code.size + 4].allSatisfy { !$0.prefix(4).contains(true) && !$0.suffix(4).contains(true) })
    }

    /// Four pixels a module, in grey.
    private static func picture(of code: QRCode) -> Data {
        let side = (code.size + 8) * 4
        var data = Data("P5 \(side) \(side) 255\n".utf8)
        for y in 0..<side {
            for x in 0..<side {
                let (column, row) = (x / 4 - 4, y / 4 - 4)
                let isInside = (0..<code.size).contains(column) && (0..<code.size).contains(row)
                data.append(isInside && code.modules[row * code.size + column] ? 0 : 255)
            }
        }
        return data
    }
}

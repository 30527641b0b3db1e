// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallCommand

@Suite("Lines of messages", .timeLimit(.minutes(1)))
struct MessageLinesTests {
    private static func lines(_ text: String, pieces: Int, longest: Int = 8) -> [MessageLines.Line] {
        var lines = MessageLines(longest: longest), found: [MessageLines.Line] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            found += lines.take(Array(bytes[start..<min(start + pieces, bytes.count)]))
        }
        return found + [lines.end()].compactMap { $0 }
    }

    @Test("are the same in pieces of any size", arguments: 1...12)
    func pieces(size: Int) {
        let found = Self.lines("{}\n\n \t\r\n12345678\n123456789\r\nä\r\n[]", pieces: size)

        #expect(found == [.text(Array("{}".utf8)), .text(Array("12345678".utf8)), .tooLong, .text(Array("ä\r".utf8)), .text(Array("[]".utf8))])
    }

    @Test("that are too long are one each, also at the end, and are not kept")
    func tooLong() {
        let found = Self.lines(String(repeating: "x", count: 1_000) + "\n1\n" + String(repeating: "y", count: 9), pieces: 7)

        #expect(found == [.tooLong, .text(Array("1".utf8)), .tooLong])
    }

    @Test("of nothing are none", arguments: ["", "\n", "\r\n\n "])
    func empty(text: String) {
        #expect(Self.lines(text, pieces: 1) == [])
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

@Suite("Lines of the first-open stream", .timeLimit(.minutes(1)))
struct LineSplitterTests {
    private static let text = Data(
        "\n{\"type\":\"end\",\"reason\":\"final\",\"padding\":\"xxxx\"}\n\nnonsense\n{\"type\":\"novelty\"}\n".utf8)

    @Test("Wherever the bytes are cut, the lines are the same", arguments: 1...text.count)
    func cuts(size: Int) throws {
        var splitter = LineSplitter(), lines: [FirstOpenLine] = []

        for start in stride(from: 0, to: Self.text.count, by: size) {
            lines += try splitter.lines(completedBy: Self.text[start..<min(start + size, Self.text.count)])
        }

        #expect(lines == [.end(.final), .unknown(type: "novelty")])
    }

    @Test("A line without end is not a stream")
    func endless() {
        var splitter = LineSplitter()

        #expect(throws: TransportError.self) { _ = try splitter.lines(completedBy: Data(count: LineSplitter.longestLine + 1)) }
    }
}

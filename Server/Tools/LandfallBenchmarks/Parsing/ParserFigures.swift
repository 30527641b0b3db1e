// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode

/// The time of each parser for one byte, at three sizes of its hardest text. A parser is linear if the three are about equal.
struct ParserFigures {
    /// Nil means all.
    let word: String?

    private struct Figure: Encodable {
        let parser: String
        let bytes: [Int]
        let nanosecondsPerByte: [Double]
        /// The time for the whole text of the largest size.
        let milliseconds: Double
    }

    func run(json: Bool) throws {
        let figures = Parsers.all.filter { word.map($0.name.localizedCaseInsensitiveContains) ?? true }.map { parser in
            let bytes = [16, 4, 1].map { max(1, parser.longest / $0) }
            let seconds = bytes.map { parser.seconds(bytes: $0) }
            return Figure(
                parser: parser.name, bytes: bytes,
                nanosecondsPerByte: zip(seconds, bytes).map { rounded($0 / Double($1) * 1e9) },
                milliseconds: rounded(seconds[2] * 1e3)
            )
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(figures), as: UTF8.self))
            return
        }
        let width = figures.map(\.parser.count).max() ?? 0
        print("CPU nanoseconds a byte at a sixteenth, a quarter and all of the largest text; then that text's milliseconds")
        for figure in figures {
            let name = figure.parser.padding(toLength: width, withPad: " ", startingAt: 0)
            let costs = figure.nanosecondsPerByte.map { column("\($0)", 10) }.joined()
            print("\(name)\(costs)\(column("\(figure.bytes[2]) B", 12))\(column("\(figure.milliseconds) ms", 14))")
        }
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private func column(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(1, width - text.count)) + text }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallSimulator

/// Looks for texts that are harder for a parser than those of its list: parts of known texts, repeated, with other signs between them. The
/// same seed makes the same texts. A parser that crashes ends the search, and the last line says at which text.
struct HardTextSearch {
    /// What may be repeated, besides parts of the parser's own text.
    private static let signs = [
        "\u{316}\u{300}", #"\u0316\u0300"#, "%CC%96%CC%80", "\"", "\\", "'", "[", "{", "(", "}", "]", ",", ";", ":", ".", "=", "&", "?", "/", "#", "*", "-", "+", " ", "\t", "\n",
        "\r\n", "\u{0}", "%", "%00", "e", "0", "9", "1e9", "&a", "*a", "- ", "? ", "<<: ", "| ", "!!a", "\u{1F1E9}", "\u{FEFF}", "a", "b: ", "é", "\u{2028}", "A.", "\u{AC00}", "\u{1100}\u{1161}",
    ]
    /// As in the tests: four times the text takes four times the work, or sixteen times if it is compared with itself.
    private static let mostGrowth = 7.0

    let word: String?
    let seed: UInt64
    let seconds: Double
    private let parsers: [ParserCost]

    init(word: String?, seed: UInt64, seconds: Double) {
        (self.word, self.seed, self.seconds) = (word, seed, seconds)
        parsers = Parsers.all.filter { word.map($0.name.localizedCaseInsensitiveContains) ?? true }
    }

    /// - Returns: false if a text was found.
    func run(from first: UInt64, isLoud: Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        var number = first, found = 0
        while ContinuousClock.now < end, !parsers.isEmpty {
            let parser = parsers[Int(number % UInt64(parsers.count))]
            if isLoud || number % 256 == 0 { say("\(number): \(parser.name)") }
            if let growth = growth(parser, number) {
                found += 1
                print("✘ \(number): \(parser.name): \(growth.rounded()) times the work for 4 times the text, which repeats \(text(parser, number, 0).unit.debugDescription)")
            }
            number += 1
        }
        print("\(number - first) texts of seed \(seed) for \(parsers.count) parsers, \(found) of them with more than linear work.")
        return found == 0
    }

    private func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// Nil if the work is linear.
    private func growth(_ parser: ParserCost, _ number: UInt64) -> Double? {
        let long = min(parser.longest, 32_768), short = text(parser, number, long / 4).text, whole = text(parser, number, long).text
        var growth = Double.infinity
        // Other work on the machine can only make a run look longer: the least of several counts.
        for _ in 0..<6 where growth >= Self.mostGrowth {
            growth = min(growth, parser.seconds(parsing: whole) / parser.seconds(parsing: short))
        }
        return growth < Self.mostGrowth ? nil : growth
    }

    /// The beginning of the parser's own text, then one or two parts again and again, then its end.
    private func text(_ parser: ParserCost, _ number: UInt64, _ bytes: Int) -> (text: String, unit: String) {
        var dice = SeededNumbers(seed ^ number &* 0xD134_2543_DE82_EF95)
        let known = Array(parser.text(512).unicodeScalars)
        func part(_ most: Int) -> String {
            let start = Int.random(in: 0..<max(1, known.count), using: &dice)
            return String(String.UnicodeScalarView(known[start..<min(known.count, start + Int.random(in: 1...most, using: &dice))]))
        }
        var unit = ""
        for _ in 0..<Int.random(in: 1...3, using: &dice) {
            unit += Bool.random(using: &dice) ? part(12) : Self.signs.randomElement(using: &dice) ?? ""
        }
        let head = String(String.UnicodeScalarView(known.prefix(Int.random(in: 0...min(64, known.count), using: &dice))))
        let tail = String(String.UnicodeScalarView(known.suffix(Int.random(in: 0...min(16, known.count), using: &dice))))
        // Of 12 and of 48 quotes all are closed, or none: else one text may be refused where the other one is read.
        let count = max(1, (bytes - head.utf8.count - tail.utf8.count) / max(1, unit.utf8.count) / 12 * 12)
        return (head + String(repeating: unit, count: count) + tail, unit)
    }
}

struct HardTextsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hard-texts", abstract: "Is there a text that is harder for a parser than its list says? Ends with 1 if there is."
    )

    @Argument(help: "Only parsers whose name contains this.") var word: String?
    @Option(help: "How long it looks.") var seconds = 60.0
    @Option(help: "The same seed makes the same texts.") var seed: UInt64 = 20_261_130
    @Option(help: "The number of the first text.") var from: UInt64 = 0
    @Flag(help: "Say the number of every text: after a crash the last one is its text.") var loud = false

    func run() throws {
        guard HardTextSearch(word: word, seed: seed, seconds: seconds).run(from: from, isLoud: loud) else { throw ExitCode.failure }
    }
}

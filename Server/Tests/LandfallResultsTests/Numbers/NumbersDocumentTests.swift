// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Numbers as JSON", .timeLimit(.minutes(1)))
struct NumbersDocumentTests {
    private func read(_ text: String) throws(NumbersError) -> NumbersDocument { try NumbersDocument(Array(text.utf8)) }

    private static let plain =
        #"{"strata":[{"weights":{"A":1,"B":1},"variations":{"A":{"units":10,"conversions":1},"B":{"units":10,"conversions":2}}}]}"#

    @Test("The contract's example is read")
    func example() throws {
        let document = try read(
            #"{"alpha":0.05,"plannedUnits":5000,"looks":[[500,600]],"strata":[{"weights":{"A":1,"B":1},"variations":{"A":{"units":500,"conversions":40},"B":{"units":600,"sum":30.5,"sumOfSquares":99}}}]}"#
        )

        #expect(document.numbers.variations == ["A", "B"])
        #expect(document.numbers.ratio == [.init(weights: [1, 1], looks: [[500, 600]])])
        #expect(document.remarks.isEmpty)
    }

    @Test("The first variation of the document is the control, whatever the alphabet says")
    func order() throws {
        let document = try read(
            #"{"strata":[{"weights":{"old":1,"new":1},"variations":{"new":{"units":10,"conversions":1},"old":{"units":11,"conversions":2}}}]}"#
        )

        #expect(document.numbers.variations == ["old", "new"])
        #expect(document.numbers.primary.strata[0].samples.map { $0?.units } == [11, 10])
    }

    /// Members beside the strata.
    private static let wrongMembers: [(String, String)] = [
        (#""alpha":2"#, "alpha"),
        (#""alpha":"x""#, "alpha"),
        (#""alpha":NaN"#, "alpha"),
        (#""plannedUnits":1e999"#, "plannedUnits"),
        (#""plannedUnits":0"#, "plannedUnits"),
        (#""basis":"seen""#, "basis"),
        (#""looks":[[5,5],[5]]"#, "looks[1]"),
        (#""looks":[[5,-5]]"#, "looks[0][1]"),
        (#""looks":[[5,Infinity]]"#, "looks[0][1]"),
        (#""decided":{"A":5}"#, "decided.A"),
        (#""decided":{"Z":5}"#, "decided.Z"),
        (#""guardrails":[{"metric":"m","harm":0,"strata":[]}]"#, "guardrails[0].harm"),
        (#""guardrails":[{"metric":"m","harm":1,"worse":"up","strata":[]}]"#, "guardrails[0].worse"),
        (#""segments":[{"strata":[]}]"#, "segments[0].segment"),
        (#""segments":[{"segment":"s","strata":[{"variations":{"Z":{"units":1,"conversions":1}}}]}]"#, "segments[0].strata[0]"),
        (#""history":[{"strata":[]}]"#, "history[0].day"),
    ]

    private static let wrongDocuments: [(String, String)] = [
        ("", ""),
        ("[]", ""),
        ("{}", "strata"),
        (#"{"strata":[]}"#, "strata"),
        (#"{"strata":[{}]}"#, "strata[0].variations"),
        (#"{"strata":[{"variations":{}}]}"#, "strata"),
        (#"{"strata":[],"strata":[]}"#, "strata"),
        (#"{"strata":[{"variations":{"A":{"units":10,"conversions":11}}}]}"#, "strata[0].variations.A.conversions"),
        (#"{"strata":[{"variations":{"A":{"units":10.5,"conversions":1}}}]}"#, "strata[0].variations.A.units"),
        (#"{"strata":[{"variations":{"A":{"units":1e15,"conversions":1}}}]}"#, "strata[0].variations.A.units"),
        (#"{"strata":[{"variations":{"A":{"conversions":1}}}]}"#, "strata[0].variations.A.units"),
        (#"{"strata":[{"variations":{"A":{"units":10}}}]}"#, "strata[0].variations.A.conversions"),
        (#"{"strata":[{"variations":{"A":{"units":10,"sum":5}}}]}"#, "strata[0].variations.A.sumOfSquares"),
        (#"{"strata":[{"variations":{"A":{"units":2,"sum":10,"sumOfSquares":1}}}]}"#, "strata[0].variations.A.sumOfSquares"),
        (#"{"strata":[{"variations":{"A":{"units":1,"values":[[1,2]]}}}]}"#, "strata[0].variations.A.units"),
        (#"{"strata":[{"variations":{"A":{"units":9,"values":[[1]]}}}]}"#, "strata[0].variations.A.values[0]"),
        (#"{"strata":[{"weights":{"A":-1},"variations":{"A":{"units":1,"conversions":1}}}]}"#, "strata[0].weights.A"),
        (#"{"strata":[{"weights":{"A":0},"variations":{"A":{"units":1,"conversions":1}}}]}"#, "strata[0].weights"),
        (
            #"{"strata":[{"weights":{"A":1},"variations":{"A":{"units":1,"conversions":1},"B":{"units":1,"conversions":1}}}]}"#,
            "strata[0].weights.B"
        ),
        (#"{"strata":[{"weights":{"A":1,"B":1},"variations":{"A":{"units":1,"conversions":1}}}]}"#, "strata[0].variations.B"),
        (plain + "x", ""),
        (String(plain.dropLast()), ""),
        (#"{"strata":[{"variations":{"A":{"units":01,"conversions":1}}}]}"#, "strata[0].variations.A.units"),
        (#"{"a":1.}"#, "a"), (#"{"a":-}"#, "a"), (#"{"a":1e}"#, "a"), (#"{"a":.5}"#, "a"), (#"{"a":1 2}"#, ""),
        (#"{"a":"\ud800"}"#, "a"),
        (#"{"a":"\x"}"#, "a"),
        (String(repeating: "[", count: 100), String(repeating: "[0]", count: 32)),
    ]

    @Test("A wrong document is refused with the path of the value", arguments: wrongDocuments)
    func refused(text: String, path: String) {
        let error = #expect(throws: NumbersError.self) { try read(text) }
        #expect(error?.path == path)
        #expect(error?.problem.isEmpty == false)
    }

    @Test("A wrong member is refused with its path too", arguments: wrongMembers)
    func refusedMember(text: String, path: String) { refused(text: "{" + text + "," + Self.plain.dropFirst(), path: path) }

    @Test("Strata with different weights have their own looks")
    func looks() throws {
        func text(_ top: String, _ inner: String) -> String {
            #"{\#(top)"strata":[{"weights":{"A":1,"B":1},\#(inner)"variations":{"A":{"units":10,"conversions":1},"B":{"units":10,"conversions":2}}},{"weights":{"A":3,"B":1},"variations":{"A":{"units":30,"conversions":1},"B":{"units":10,"conversions":2}}}]}"#
        }
        #expect(
            throws: NumbersError(
                path: "looks", problem: "The strata have different weights. Give each stratum looks of its own.")
        ) {
            try read(text(#""looks":[[5,5]],"#, ""))
        }
        #expect(
            try read(text("", #""looks":[[5,6],[5,4]],"#)).numbers.ratio == [
                .init(weights: [1, 1], looks: [[5, 6], [5, 4]]), .init(weights: [3, 1], looks: [[30, 10]]),
            ])
    }

    @Test("An unknown key, and looks that do not add up, become remarks")
    func remarks() throws {
        #expect(try read(#"{"strta":1,"# + Self.plain.dropFirst()).remarks == ["strta is not a known key; it was not read."])
        #expect(try read(#"{"looks":[[1,2]],"# + Self.plain.dropFirst()).remarks.count == 1)
        #expect(try read(Self.plain).remarks.isEmpty)
    }

    @Test("Names may have any characters, escaped or not; a byte order mark is skipped")
    func names() throws {
        let document = try read(
            "\u{FEFF}"
                + #"{"strata":[{"variations":{"Größe\n\ud83d\ude00":{"units":10,"conversions":1},"ключ":{"units":10,"conversions":2}}}]}"#
        )

        #expect(document.numbers.variations == ["Größe\n😀", "ключ"])
    }

    @Test("A document eight times as long takes about eight times as long, not sixty-four")
    func linear() throws {
        func time(_ count: Int) throws -> Duration {
            let days = (0..<count).map {
                #"{"day":\#($0),"strata":[{"variations":{"A":{"units":10,"conversions":1},"B":{"units":10,"conversions":2}}}]}"#
            }
            let text = Array((#"{"history":[\#(days.joined(separator: ","))],"# + Self.plain.dropFirst()).utf8)
            return try ContinuousClock().measure { _ = try NumbersDocument(text) }
        }
        // In turn, and the shortest of each: other work on the machine only ever adds to a time.
        let times = try (0..<9).map { _ in (short: try time(100), long: try time(800)) }
        let short = times.map(\.short).min()!, long = times.map(\.long).min()!

        #expect(long < short * 32, "\(short) and \(long)")
    }
}

@Suite("Names in a document of numbers", .timeLimit(.minutes(1)))
struct NumbersNameTests {
    @Test("are compared by their bytes: two spellings of the same letter are two variations")
    func bytes() throws {
        let text = "{\"strata\":[{\"variations\":{\"\u{E9}\":{\"units\":10,\"conversions\":1},\"e\u{301}\":{\"units\":20,\"conversions\":2}}}]}"

        let numbers = try NumbersDocument(Array(text.utf8)).numbers

        #expect(numbers.variations.count == 2 && numbers.primary.strata[0].samples.map { $0?.units } == [10, 20])
    }
}

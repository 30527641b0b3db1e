// SPDX-License-Identifier: Apache-2.0
import CoreFoundation
import Foundation
import LandfallWire
import Testing

@testable import Landfall

/// What only a phone reads. The server's tests have the same for all that both read (`Parsing/LinearTimeTests.swift` there).
@Suite("Parsers of the phone", .serialized, .timeLimit(.minutes(2)))
struct LinearTimeTests {
    struct Parser: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: @Sendable (_ bytes: Int) -> String
        let parse: @Sendable (Data) throws -> Void
    }

    private static let parsers = [
        Parser(testDescription: "lines of the first-open stream") { repeated("{\"type\":\"end\"}\n", $0) } parse: { data in
            var lines = LineSplitter()
            _ = try lines.lines(completedBy: data)
        },
        Parser(testDescription: "blank lines") { repeated("\n", $0) } parse: { data in
            var lines = LineSplitter()
            _ = try lines.lines(completedBy: data)
        },
        Parser(testDescription: "one long line, byte by byte") { repeated("a", $0) } parse: { data in
            var lines = LineSplitter()
            for byte in data { _ = try lines.lines(completedBy: Data([byte])) }
        },
        Parser(testDescription: "lines of the outbox that are done one by one") { bytes in
            (0...(bytes / 20)).map { "{\"done\":[\"\($0)\"]}\n" }.joined()
        } parse: { _ = OutboxJournal.read($0) },
        Parser(testDescription: "lines of the outbox that cannot be read") { repeated("{\n", $0) } parse: {
            _ = OutboxJournal.read($0)
        },
        Parser(testDescription: "the fallback file") { bytes in
            let entries = (0...(bytes / 40)).map { "\"p\($0)\":{\"paywall\":{\"id\":\"a\"}}" }
            return "{\"revision\":1,\"paywalls\":{\(entries.joined(separator: ","))}}"
        } parse: { _ = try FallbackFile($0) },
        Parser(testDescription: "a paywall's remote config") { bytes in
            "{\"a\":[" + repeated("{\"b\":[1,\"c\",null]},", bytes) + "1]}"
        } parse: { _ = try WireCoding.decode(JSONValue.self, from: $0) },
        Parser(testDescription: "a link out of a header") { bytes in
            "https://go.example.com/?z" + repeated("?a!=1", min(bytes / 5, 4_000))
        } parse: { _ = LinkAddress(resolvedBy: String(decoding: $0, as: UTF8.self)) },
    ]

    private static func repeated(_ unit: String, _ bytes: Int) -> String {
        String(repeating: unit, count: bytes / unit.utf8.count)
    }

    @Test("Four times the text takes at most about four times the work", arguments: parsers)
    func isLinear(parser: Parser) {
        let short = Data(parser.text(4_096).utf8), long = Data(parser.text(16_384).utf8)
        var growth = Double.infinity
        for _ in 0..<4 where growth >= 7 { growth = min(growth, least(parser, long) / least(parser, short)) }

        #expect(growth < 7, "\(growth) times the work for 4 times the text")
    }

    /// CPU seconds of this thread, whatever else the machine does.
    private func least(_ parser: Parser, _ data: Data) -> Double {
        (0..<5).map { _ in
            let begun = now()
            for _ in 0..<4 { try? parser.parse(data) }
            return now() - begun
        }.min() ?? 0
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

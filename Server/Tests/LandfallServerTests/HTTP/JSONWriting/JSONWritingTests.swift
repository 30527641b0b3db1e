// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import NIOCore
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Values that write themselves", .timeLimit(.minutes(1)))
struct JSONWritingTests {
    @Test("have the same bytes as with their Codable", arguments: 0..<40 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var wire = RandomWire(seed: seed)
        for _ in 0..<25 {
            try same(wire.line())
            try same(ProfileAnswer(profile: wire.profile(), attribution: wire.attribution()))
            try same(wire.paywallAnswer())
            try same(wire.json(depth: 4))
            try same(wire.deferred())
            try same(ErrorBody(error: .init(code: .busy, message: wire.text(), requestId: wire.maybe { $0.text() })))
            try same(EventBatchAnswer(results: [.init(id: wire.text(), status: .rejected, code: wire.maybe { _ in .busy })]))
        }
    }

    @Test("escape the characters that JSON escapes, and no others")
    func everyCharacter() throws {
        for start in stride(from: 0 as UInt32, to: 0x3000, by: 0x100) {
            var text = ""
            for value in start..<start + 0x100 { Unicode.Scalar(value).map { text.unicodeScalars.append($0) } }
            try same(JSONValue.string(text))
        }
        try same(JSONValue.string("\u{2028}\u{2029}\u{FEFF}\u{FFFF}\u{10FFFF}👩‍👩‍👧e\u{301}"))
    }

    @Test(
        "write numbers as Foundation does",
        arguments: [
            0, -0.0, 1, -1, 1.5, 1e15, 1e16, -1e16, 1e17, 1e20, 1e22, 1e-4, 1e-5, 1e-7, 123_456_789_012_345_680, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, 0.1, 100_000, 9_007_199_254_740_992, 12_345_678.9, .pi,
        ])
    func numbers(value: Double) throws {
        try same(JSONValue.number(value))
        try same(["a": AttributeValue.number(value)].wrapped)
    }

    @Test("write whole numbers", arguments: [.min, .max, 0, 1, -1, 9, 10, 99, 100, -100, 1_790_000_000_000] as [Int64])
    func integers(value: Int64) throws {
        try same(JSONValue.integer(value))
    }

    @Test("sort keys as Foundation does")
    func keys() throws {
        let names = ["b", "a", "B", "A10", "A9", "é", "e\u{301}x", "z", "ä", "\u{1F600}", "\u{FFFD}", "", "a b", "\"", "\\", "/"]
        try same(JSONValue.object(Dictionary(uniqueKeysWithValues: names.map { ($0, .string($0)) })))
    }

    @Test("A rendered paywall is used in the answer unchanged")
    func rendered() throws {
        var wire = RandomWire(seed: 1)
        for _ in 0..<50 {
            let answer = wire.paywallAnswer()
            let paywall = try #require(answer.paywall)
            var nothing = answer
            nothing.paywall = nil
            try same(nothing)
            let shown = ShownPaywall(answer: answer, paywall: LocalizedPaywall(paywall))

            #expect(String(buffer: shown.jsonBytes()) == String(decoding: try WireCoding.encode(answer), as: UTF8.self))
        }
    }

    private func same(_ value: some JSONWritable & Encodable, _ place: SourceLocation = #_sourceLocation) throws {
        let written = String(buffer: value.jsonBytes())
        #expect(written == String(decoding: try WireCoding.encode(value), as: UTF8.self), sourceLocation: place)
    }
}

extension [String: AttributeValue] {
    fileprivate var wrapped: WireProfile {
        var profile = WireProfile(id: ProfileID("i_1"), installId: InstallID("1"), epoch: 1, version: 2, attributionVersion: 3)
        profile.customAttributes = self
        return profile
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// Makes broken bodies out of good ones; the same seed makes the same.
struct BodyMutations {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func body(from template: String) throws -> Data {
        let value = try WireCoding.decode(JSONValue.self, from: Data(template.utf8))
        let marked = replacingOneNode(of: value, with: .string(Self.mark))
        let text = try WireCoding.encode(marked)
        let whole = text.replacing(Data("\"\(Self.mark)\"".utf8), with: hostileNode())
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return whole.prefix(Int.random(in: 0...whole.count, using: &random))
        case 1: return whole + Data("}".utf8)
        case 2: return Data([0xEF, 0xBB, 0xBF]) + whole
        case 3: return String(decoding: whole, as: UTF8.self).data(using: .utf16) ?? Data()
        case 4:
            var flipped = whole
            if let index = flipped.indices.randomElement(using: &random) {
                flipped[index] = UInt8.random(in: 0...255, using: &random)
            }
            return flipped
        default: return whole
        }
    }

    private static let mark = "here"

    private mutating func hostileNode() -> Data {
        let texts: [String] = [
            "null", "true", "[]", "{}", "\"\"", "-1", "0.5", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "01", "+1", "0x10",
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1" + String(repeating: "0", count: 400),
            #""\ud800""#, #""\udc00\ud800""#, #""\u0000""#, #""a\\u0000""#, #""\u00""#, #""\x41""#, "\"\u{0}\"", "\"a\nb\"",
            #"{"value":1,"value":"two"}"#, #"{"type":"paywall_shown","type":null}"#, #"{"":""}"#, "[null,null]", "\"e\u{301}\"",
            "\"" + String(repeating: "x", count: 5_000) + "\"", "\"" + String(repeating: "\u{301}", count: 5_000) + "\"",
            String(repeating: "[", count: 3_000) + String(repeating: "]", count: 3_000),
            String(repeating: "{\"a\":", count: 3_000) + "1" + String(repeating: "}", count: 3_000),
            "[" + String(repeating: "1,", count: 20_000) + "1]",
            "{" + (0..<2_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}",
        ]
        let raw: [[UInt8]] = [
            [0x22, 0xC3, 0x28, 0x22], [0x22, 0xFF, 0xFE, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x00], [0x1B, 0x5B],
        ]
        let index = Int.random(in: 0..<(texts.count + raw.count), using: &random)
        return index < texts.count ? Data(texts[index].utf8) : Data(raw[index - texts.count])
    }

    private mutating func replacingOneNode(of value: JSONValue, with replacement: JSONValue) -> JSONValue {
        switch value {
        case .object(var members) where !members.isEmpty && Int.random(in: 0..<5, using: &random) > 0:
            let key = members.keys.sorted().randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<6, using: &random) {
            case 0: members[key] = nil
            case 1: members[key + "\u{301}"] = replacement
            default: members[key] = members[key].map { replacingOneNode(of: $0, with: replacement) }
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<5, using: &random) > 0:
            let index = Int.random(in: elements.indices, using: &random)
            elements[index] = replacingOneNode(of: elements[index], with: replacement)
            return .array(elements)
        default: return replacement
        }
    }
}

extension Data {
    fileprivate func replacing(_ part: Data, with other: Data) -> Data {
        guard let found = range(of: part) else { return self }
        return self[..<found.lowerBound] + other + self[found.upperBound...]
    }
}

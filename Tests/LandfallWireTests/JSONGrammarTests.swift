// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("Only JSON is read", .timeLimit(.minutes(1)))
struct JSONGrammarTests {
    /// Each is JSON by itself, and in any place where a value may be.
    static let right: [String] = [
        "null", "true", "false", "0", "-0", "7", "-7", "10", "0.0", "0.50", "-1.25", "1e3", "1E3", "1e+3", "1e-3", "0e0", "1.5e10",
        "123456789012345678901234567890", "1e400", "-1e-400",
        #""""#, #"" ""#, #""a""#, #""é""#, #""日本""#, #""👩‍👩‍👧""#, "\"\u{7F}\"", "\"\u{2028}\"", #""\"""#, #""\\""#, #""\/""#, #""\b\f\n\r\t""#,
        #""\u0041""#, #""\u00e9""#, #""\uFFFF""#, #""\u0000""#, #""\ud83d\ude00""#, #""\\u12""#, #""//""#,
        "[]", "[ ]", "[1]", "[1,2]", " [ 1 , 2 ] ", "[[]]", "[[],[]]", "[null,true,\"a\",{}]", "\n[\r1\t]\n",
        "{}", "{ }", #"{"a":1}"#, #"{"a":{"b":[{"c":null}]}}"#, #"{"":0}"#, #"{"a":1,"a":2}"#, #" { "a" : 1 , "b" : [ ] } "#, #"{"\u0061":1}"#,
    ]

    /// None is JSON, neither by itself nor where a value may be.
    static let wrong: [String] = [
        "01", "-01", "00", "-", "+1", ".5", "-.5", "1.", "1.e3", "1e", "1e+", "1e1.5", "0x1F", "1_000", "--1", "1-1", "Infinity", "NaN", "-NaN", "１",
        "nul", "nulls", "True", "FALSE", "tru", "truefalse", "undefined", "a",
        "\"", #""a"#, #"a""#, #""\"#, #""\""#, #""\x""#, #""\'""#, #""\0""#, #""\ ""#, #""\U0041""#, #""\u""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\uD800""#,
        #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\udc00""#, "\"\t\"", "\"\n\"", "\"\r\"", "\"\u{0}\"", "\"\u{1F}\"", "'a'", "`a`",
        "[", "]", "[1", "[1,", "[,]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1:2]", "[1}", "[]]", "[[]", "[1]2", "[\u{B}]", "[\u{A0}1]", "[\"a]",
        "{", "}", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a" 1}"#, #"{"a"::1}"#, #"{"a",1}"#, #"{a:1}"#, #"{'a':1}"#, #"{1:1}"#, #"{null:1}"#,
        #"{"a":1 "b":2}"#, #"{"a":1}}"#, #"{"a":1]"#, #"{"a":1"#, #"{"a\x":1}"#, "{\"a\tb\":1}", #"{:1}"#,
        "/* */1", "1//", "1 /* one */", "#", "1;", "\u{FEFF}", "1\u{FEFF}", "[\u{FEFF}]",
    ]

    /// No text in UTF-8: a byte alone, too long a form, half a pair, beyond Unicode, cut off, and other encodings.
    static let wrongBytes: [[UInt8]] = [
        [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0xC3], [0xE6, 0x97], [0xF0, 0x9F, 0x98],
    ]

    private static func places(_ value: [UInt8]) -> [Data] {
        [(#"{"later":"#, "}"), (#"{"a":1,"later":"#, #","b":2}"#), (#"{"later":[0,{"x":["#, "]}]}"), ("[", "]")].map {
            Data($0.0.utf8) + Data(value) + Data($0.1.utf8)
        }
    }

    /// Looks at none of the values.
    private struct Skipping: Decodable { init(from decoder: any Decoder) {} }

    private static func reads(_ data: Data) -> Bool { (try? WireCoding.decode(Skipping.self, from: data)) != nil }

    @Test("JSON is read, also where nobody asks for its value", arguments: right)
    func taken(value: String) {
        for place in [Data(value.utf8)] + Self.places(Array(value.utf8)) {
            #expect(Self.reads(place), "\(String(decoding: place, as: UTF8.self))")
        }
    }

    @Test("What is not JSON is refused, also where nobody asks for its value", arguments: wrong)
    func refused(value: String) {
        for place in [Data(value.utf8)] + Self.places(Array(value.utf8)) {
            #expect(throws: DecodingError.self, "\(String(decoding: place, as: UTF8.self))") {
                try WireCoding.decode(Skipping.self, from: place)
            }
        }
    }

    @Test("Bytes that are not UTF-8 are refused in texts, in names and between them", arguments: wrongBytes)
    func bytes(_ bytes: [UInt8]) {
        let quote = [UInt8(ascii: "\"")]
        for place in Self.places(bytes) + Self.places(quote + bytes + quote) {
            #expect(!Self.reads(place))
        }
        #expect(!Self.reads(Data(#"{""#.utf8) + Data(bytes) + Data(#"":1}"#.utf8)))
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32] {
            #expect(!Self.reads("[1]".data(using: encoding)!))
        }
    }

    @Test("A text without a value is refused", arguments: ["", " ", "\n\t", "\u{FEFF}"])
    func empty(text: String) {
        #expect(!Self.reads(Data(text.utf8)))
    }

    @Test("A byte order mark may stand before the value, once")
    func mark() {
        #expect(Self.reads(Data("\u{FEFF}{}".utf8)))
        #expect(!Self.reads(Data("\u{FEFF}\u{FEFF}{}".utf8)))
    }

    @Test("Values may be 512 deep", arguments: [("[", "]"), (#"{"a":"#, "}")])
    func depth(open: String, close: String) {
        let value = { (depth: Int) in
            Data((String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)).utf8)
        }
        #expect(Self.reads(value(512)))
        #expect(!Self.reads(value(513)))
        #expect(!Self.reads(Data(String(repeating: open, count: 1_000_000).utf8)))
    }

    @Test("A fault is found in a slice of a larger text")
    func slice() {
        let data = Data(#"01{"a":1}02"#.utf8)

        #expect(Self.reads(data[2..<9]))
        #expect(!Self.reads(data[2..<10]))
    }
}

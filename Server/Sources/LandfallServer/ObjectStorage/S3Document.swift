// SPDX-License-Identifier: Apache-2.0

/// An XML answer of an S3-compatible store, as far as it is read: the texts of elements that have neither attributes nor elements inside.
struct S3Document: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func first(_ name: String) -> String? { texts(name, most: 1).first }

    func all(_ name: String) -> [String] { texts(name, most: .max) }

    private func texts(_ name: String, most: Int) -> [String] {
        let opening = Array("<\(name)>".utf8), closing = Array("</\(name)>".utf8)
        var texts: [String] = [], place = 0
        while texts.count < most, let start = find(opening, from: place), let end = find(closing, from: start + opening.count) {
            texts.append(Self.read(bytes[(start + opening.count)..<end]))
            place = end + closing.count
        }
        return texts
    }

    private func find(_ text: [UInt8], from start: Int) -> Int? {
        guard let first = text.first, bytes.count >= text.count else { return nil }
        var place = start
        while place <= bytes.count - text.count {
            if bytes[place] == first, bytes[place..<place + text.count].elementsEqual(text) { return place }
            place += 1
        }
        return nil
    }

    private static let entities: [(text: String, meaning: String)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
    ]

    private static func read(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        return entities.reduce(text) { $0.replacing($1.text, with: $1.meaning) }
    }

    /// As the text of an element.
    static func written(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}

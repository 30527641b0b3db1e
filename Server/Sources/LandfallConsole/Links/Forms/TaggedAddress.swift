// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// An address whose query says to web analytics where a visit came from. What is not changed stays byte by byte.
struct TaggedAddress {
    /// In the order in which people write them. They count in upper and lower case.
    static let names: [StaticString] = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]

    private let head: Substring
    private var pairs: [Substring]
    /// From `#` on.
    private let end: Substring

    init(_ text: String) {
        let bytes = text.utf8, end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let query = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
        head = text[..<(query ?? end)]
        self.end = text[end...]
        guard let query else {
            pairs = []
            return
        }
        pairs = bytes[bytes.index(after: query)..<end].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    var text: String { "\(head)\(pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))\(end)" }

    /// The first value of this name, decoded; empty where there is none. Setting it leaves one, or none for an empty text.
    subscript(name: String) -> String {
        get { pairs.lazy.map(Self.parts).first { $0.name.hasSameBytes(as: name) }?.value ?? "" }
        set {
            pairs.removeAll { $0.isEmpty || Self.parts($0).name.hasSameBytes(as: name) }
            if !newValue.isEmpty { pairs.append("\(name)=\(newValue.percentEncoded)") }
        }
    }

    private static func parts(_ pair: Substring) -> (name: String, value: String) {
        let parts = pair.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map { decoded(Substring($0)) }
        return (parts[0].lowercased(), parts.count > 1 ? parts[1] : "")
    }

    /// As it is written where a form could not bring it back.
    private static func decoded(_ text: Substring) -> String {
        guard let decoded = text.replacing("+", with: " ").removingPercentEncoding, !decoded.utf8.contains(0), CombiningMarks.areFew(in: decoded)
        else { return String(text) }
        return decoded
    }
}

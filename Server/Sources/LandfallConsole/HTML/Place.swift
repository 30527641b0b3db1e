// SPDX-License-Identifier: Apache-2.0

/// Where a link of the console leads: a path of this server, a part of the page, or a web address. Never `javascript:`.
struct Place: Hashable, Sendable {
    let text: String

    /// A path of this server.
    /// - Parameters:
    ///   - segments: follow the path, each percent-encoded.
    ///   - query: without the pairs whose value is nil.
    init(_ path: StaticString, _ segments: [String] = [], query: [(String, String?)] = []) {
        let pairs = query.compactMap { name, value in value.map { Self.encoded(name) + "=" + Self.encoded($0) } }
        let path = segments.reduce("\(path)") { $0 + "/" + Self.encoded($1) }
        text = path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// A part of the same page.
    init(part: StaticString) { text = "#\(part)" }

    /// A page elsewhere; nil unless it is https.
    init?(web address: String) {
        guard address.hasPrefix("https://"), address.utf8.count > 8 else { return nil }
        text = address
    }

    /// Where a signed-in visitor wanted to go: a path of the console.
    /// - Returns: nil for every other address, also by way of `..`, so that nobody is led elsewhere.
    init?(next text: String) {
        guard text == "/console" || text.hasPrefix("/console/") || text.hasPrefix("/console?"), text.utf8.count <= 2_000,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }), !text.contains("//"), !text.contains("/."),
            !text.lowercased().contains("%2e")
        else { return nil }
        self.text = text
    }

    /// Percent-encodes everything but letters, digits and `-._~`.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }
}

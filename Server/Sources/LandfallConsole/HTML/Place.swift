// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// Where a link of the console leads: a path of this server, a part of the page, or a web address. Never `javascript:`.
struct Place: Hashable, Sendable {
    let text: String

    /// A path of this server.
    /// - Parameters:
    ///   - segments: follow the path, each percent-encoded.
    ///   - query: without the pairs whose value is nil.
    init(_ path: StaticString, _ segments: [String] = [], query: [(String, String?)] = []) {
        let path = segments.reduce("\(path)") { $0 + "/" + $1.percentEncoded }
        text = path + (query.contains { $0.1 != nil } ? Self.text(query) : "")
    }

    /// The same page, asked for something else: short, where a page has many of them.
    init(query: [(String, String?)]) { text = Self.text(query) }

    private static func text(_ query: [(String, String?)]) -> String {
        "?" + query.compactMap { name, value in value.map { name.percentEncoded + "=" + $0.percentEncoded } }.joined(separator: "&")
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
}

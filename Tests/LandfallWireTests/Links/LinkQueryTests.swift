// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("The query of a link")
struct LinkQueryTests {
    @Test("Parts are split as by a plain version of the rule, on many small queries")
    func plainRule() throws {
        var links = GeneratedLinks(seed: 20_261_122)
        let pieces = ["?", "?", "&", "=", "a", "b!", "://", ":", "/", "lf_t", "adj_x", "%6Cf_", "ä", "%"]
        for _ in 0..<20_000 {
            let query = (0...links.number(0...12)).map { _ in links.oneOf(pieces) }.joined()
            let items = try? LinkAddress("https://h/?\(query)").queryItems()

            #expect(items?.map(Self.text) == (try? Self.plainItems(query)), "\(query)")
        }
    }

    @Test("A query of 4 KB with hundreds of '?' is read as one value")
    func manyMarks() throws {
        let query = "z" + String(repeating: "?a!=1", count: 780)

        let items = try LinkAddress("https://go.example.com/summer-clothes?" + query).queryItems()

        #expect(items == [LinkQueryItem("z?a!", String(query.dropFirst("z?a!=".count)))])
    }

    private static func text(_ item: LinkQueryItem) -> [String?] { [item.name, item.value] }

    /// Looks at all that came before, each time.
    private static func plainItems(_ query: String) throws -> [[String?]] {
        try query.split(separator: "&").flatMap { part -> [[String?]] in
            var parts: [String] = []
            for piece in part.split(separator: "?", omittingEmptySubsequences: false).map(String.init) {
                if let last = parts.last, !begins(piece) {
                    parts[parts.count - 1] = last + "?" + piece
                } else {
                    parts.append(piece)
                }
            }
            return try parts.compactMap { part in
                let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let name = try decoded(sides[0])
                return name.isEmpty ? nil : [name, try sides.count > 1 ? decoded(sides[1]) : nil]
            }
        }
    }

    private static func begins(_ piece: String) -> Bool {
        guard let equals = piece.firstIndex(of: "=") else { return false }
        return LinkQueryItem((try? decoded(String(piece[..<equals]))) ?? "").isTracking
    }

    /// By the reader of paths, which knows nothing of queries.
    private static func decoded(_ text: String) throws -> String {
        let marked = text.replacing("/", with: "%2F").replacing("?", with: "%3F").replacing("#", with: "%23")
        return text == "." || text.isEmpty ? text : try LinkAddress("https://h/x\(marked)").segments()[0].dropFirst().description
    }
}

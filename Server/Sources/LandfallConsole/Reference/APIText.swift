// SPDX-License-Identifier: Apache-2.0

/// The texts of the description: paragraphs, lists, tables and code of Markdown, and nothing else of it.
enum APIText {
    static func html(_ text: String) -> HTML {
        let blocks = text.split(separator: "\n", omittingEmptySubsequences: false).split { line in line.allSatisfy { $0 == " " } }
        return HTMLBuilder.buildArray(blocks.map { block(Array($0)) })
    }

    private static func block(_ lines: [Substring]) -> HTML {
        if lines.allSatisfy({ $0.hasPrefix("|") }) { return table(lines) }
        guard let first = lines.firstIndex(where: { $0.hasPrefix("- ") }) else { return p { inline(lines.joined(separator: " ")) } }
        // A line that begins otherwise continues the entry above it.
        var entries: [String] = []
        for line in lines[first...] {
            if line.hasPrefix("- ") {
                entries.append(String(line.dropFirst(2)))
            } else {
                entries[entries.count - 1] += " " + String(line.drop { $0 == " " })
            }
        }
        return HTMLBuilder.buildArray([
            first == 0 ? .empty : p { inline(lines[..<first].joined(separator: " ")) }, ul { for entry in entries { li { inline(entry) } } },
        ])
    }

    private static func table(_ lines: [Substring]) -> HTML {
        let rows = lines.map { line in
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast().map { trimmed($0) }
        }.filter { row in !row.allSatisfy { cell in cell.allSatisfy { $0 == "-" || $0 == ":" } } }
        let titles = rows.first ?? []
        return scrollingTable(titles.joined(separator: ", "), titles: titles, hasCards: false) {
            for row in rows.dropFirst() { tr { for cell in row { td { inline(cell) } } } }
        }
    }

    private static func trimmed(_ cell: Substring) -> String {
        var cell = cell
        while cell.first == " " { cell.removeFirst() }
        while cell.last == " " { cell.removeLast() }
        return String(cell)
    }

    /// What is between two backticks is code.
    private static func inline(_ text: String) -> HTML {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return HTMLBuilder.buildArray(
            parts.enumerated().map { index, part in
                let isCode = !index.isMultiple(of: 2) && index < parts.count - 1
                return isCode ? code { String(part) } : HTML(String(part))
            })
    }

    /// The words for a type; the names in it are links.
    /// - Parameter place: the page with the types.
    static func type(_ type: APIReference.TypeText, at place: Place) -> HTML {
        var rest = type.text[...], parts: [HTML] = []
        for name in type.names {
            guard let range = rest.firstRange(of: name) else { continue }
            parts += [HTML(String(rest[..<range.lowerBound])), a(Attribute("href", place.text + "#" + name)) { name }]
            rest = rest[range.upperBound...]
        }
        return HTMLBuilder.buildArray(parts + [HTML(String(rest))])
    }
}

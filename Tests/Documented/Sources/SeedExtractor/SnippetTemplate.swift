// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Puts a document's snippets, whose beginnings and ends it leaves out, into a source that supplies these.
///
/// A template line `//seed section N` goes to the N-th of the document's app structures, `//seed 3` stands for its next three
/// lines, letter for letter, and `//seed end` for there being none left. So no line is used twice and none is missed.
struct SnippetTemplate {
    let text: String

    func filled(from seed: String) throws(SnippetsDiffer) -> String { try filled(with: Self.sections(of: seed)) }

    func filled(with sections: [[String]]) throws(SnippetsDiffer) -> String {
        var section = sections.first ?? []
        var lines: [String] = []
        for line in text.components(separatedBy: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.first == "//seed" else {
                lines.append(line)
                continue
            }
            switch (words.dropFirst().first, words.last.flatMap(Int.init)) {
            case ("section", let number?):
                guard sections.indices.contains(number - 1) else { throw SnippetsDiffer(line, "there is no such section") }
                section = sections[number - 1]
            case ("end", _):
                guard section.isEmpty else { throw SnippetsDiffer(line, "\(section.count) lines are left") }
            case (_, let count?):
                guard count <= section.count else { throw SnippetsDiffer(line, "\(section.count) lines are left") }
                let indentation = String(line.prefix { $0 == " " })
                lines += section.prefix(count).map { indentation + $0 }
                section.removeFirst(count)
            default: throw SnippetsDiffer(line, "it is no number")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The Swift snippets of each app structure. A section's heading names its life cycle; its second snippet, which begins
    /// with the same line, is Objective-C.
    static func sections(of seed: String) -> [[String]] {
        var sections: [[String]] = []
        var isInside = false
        for line in seed.components(separatedBy: "\n") {
            if line.contains("ライフサイクルを使用する"), !line.contains("。") {
                sections.append([])
                isInside = true
            } else if isInside, let first = sections.last?.first {
                if line == first { isInside = false } else { sections[sections.count - 1].append(line) }
            } else if isInside, line.hasPrefix("//") || line.hasPrefix("@") {
                sections[sections.count - 1].append(line)
            }
        }
        return sections.filter { !$0.isEmpty }
    }
}

struct SnippetsDiffer: Error, CustomStringConvertible {
    let description: String
    init(_ line: String, _ reason: String) {
        description = "The document's snippets are others than the template expects: '\(line)', but \(reason)."
    }
}

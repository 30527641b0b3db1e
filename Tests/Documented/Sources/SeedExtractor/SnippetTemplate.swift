// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Puts a document's snippets, whose beginnings and ends it leaves out, into a source that supplies these.
///
/// A template line `//seed section N` goes to the N-th of the document's app structures, `//seed objc N` to its Objective-C, `//seed 3` stands for its next three
/// lines, letter for letter, and `//seed end` for there being none left. So no line is used twice and none is missed.
struct SnippetTemplate {
    let text: String

    func filled(from seed: String) throws(SnippetsDiffer) -> String {
        let sections = Self.sections(of: seed)
        return try filled(with: sections.map(\.swift), objectiveC: sections.map(\.objectiveC))
    }

    func filled(with sections: [[String]], objectiveC: [[String]] = []) throws(SnippetsDiffer) -> String {
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
            case ("objc", let number?):
                guard objectiveC.indices.contains(number - 1) else { throw SnippetsDiffer(line, "there is no such section") }
                section = objectiveC[number - 1]
            case ("end", _):
                guard section.isEmpty else { throw SnippetsDiffer(line, "\(section.count) lines are left") }
            case (_, let count?):
                guard count <= section.count else { throw SnippetsDiffer(line, "\(section.count) lines are left") }
                let indentation = String(line.prefix { $0 == " " })
                lines += section.prefix(count).map { indentation + $0 }
                section.removeFirst(count)
            default: throw SnippetsDiffer(line, "it is not a number")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The snippets of one app structure.
    struct Section {
        var swift: [String] = []
        var objectiveC: [String] = []
    }

    /// A section's heading names its life cycle; its second snippet, which begins with the same line, is Objective-C.
    static func sections(of seed: String) -> [Section] {
        var sections: [Section] = []
        var isObjectiveC = false
        for line in seed.components(separatedBy: "\n") {
            if line.contains("ライフサイクルを使用する"), !line.contains("。") {
                sections.append(Section())
                isObjectiveC = false
            } else if let last = sections.indices.last {
                if isObjectiveC {
                    sections[last].objectiveC.append(line)
                } else if let first = sections[last].swift.first {
                    isObjectiveC = line == first
                    if isObjectiveC { sections[last].objectiveC = [line] } else { sections[last].swift.append(line) }
                } else if line.hasPrefix("//") || line.hasPrefix("@") {
                    sections[last].swift = [line]
                }
            }
        }
        return sections.filter { !$0.swift.isEmpty }
    }
}

struct SnippetsDiffer: Error, CustomStringConvertible {
    let description: String
    init(_ line: String, _ reason: String) {
        description = "The document's snippets are others than the template expects: '\(line)', but \(reason)."
    }
}

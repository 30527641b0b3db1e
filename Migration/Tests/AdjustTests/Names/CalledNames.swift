// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What Swift source calls, by whole words; comments do not count.
struct CalledNames {
    private let words: Set<String>
    /// Words after a dot, and methods that are declared.
    private let members: Set<String>
    private let code: String

    init(_ source: String) {
        code = source.components(separatedBy: "\n").map { line in
            line.firstRange(of: "// ").map { String(line[..<$0.lowerBound]) } ?? line
        }
        .joined(separator: "\n")
        words = Set(code.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.0) })
        members = Set(code.matches(of: /(?:\.|func )([A-Za-z_][A-Za-z0-9_]*)/).map { String($0.1) })
    }

    /// - Parameter name: `Type`, `constant`, `Type.member`, or `Type.init` with its labels.
    func contain(_ name: String) -> Bool {
        let bare = AdjustNames.bare(name)
        guard let dot = bare.firstIndex(of: ".") else { return words.contains(bare) }
        let member = String(bare[bare.index(after: dot)...])
        guard member == "init" else { return members.contains(member) }
        return calls(of: String(bare[..<dot])).contains(name.dropFirst(bare.count).filter { $0 != "(" && $0 != ")" })
    }

    /// The labels of each call of a type's initialiser, as `a:b:`.
    private func calls(of type: String) -> Set<String> {
        var all: Set<String> = []
        for start in code.ranges(of: type + "(") {
            if let before = code[..<start.lowerBound].last, before.isLetter || before.isNumber { continue }
            var depth = 1
            var inside = ""
            for character in code[start.upperBound...] {
                if "([{".contains(character) { depth += 1 }
                if ")]}".contains(character) { depth -= 1 }
                if depth == 0 { break }
                if depth == 1 { inside.append(character) }
            }
            all.insert(inside.matches(of: /(?:^|,)\s*([a-zA-Z]+):/).map { "\($0.1):" }.joined())
        }
        return all
    }
}

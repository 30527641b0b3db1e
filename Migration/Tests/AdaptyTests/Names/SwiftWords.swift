// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The words and signs of Swift source, without comments and without what is inside of texts.
struct SwiftWords {
    private let words: [Substring]

    init(_ source: String) {
        words = source.split(separator: "\n").flatMap { line in Self.words(in: Self.code(of: line)) }
    }

    /// - Parameter text: one name, or several words and signs that follow each other.
    func contain(_ text: String) -> Bool {
        let wanted = Self.words(in: text[...])
        guard !wanted.isEmpty, words.count >= wanted.count else { return false }
        return (0...words.count - wanted.count).contains { words[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }

    /// A line up to its comment; of a text what it interpolates. The sources have no text of several lines with a name in it.
    private static func code(of line: Substring) -> Substring {
        var code = ""
        // One for each text that is open: how many parentheses are open in the code that it interpolates; 0 in the text itself.
        var texts: [Int] = []
        var last: Character?
        for character in line {
            let isInText = texts.last == 0
            switch character {
            case "\"" where isInText && last != "\\": texts.removeLast()
            case "\"" where !isInText: texts.append(0)
            case "(" where isInText && last == "\\", "(" where !isInText && !texts.isEmpty: texts[texts.count - 1] += 1
            case ")" where !isInText && !texts.isEmpty: texts[texts.count - 1] -= 1
            case "/" where !isInText && last == "/": return code.dropLast()
            default: break
            }
            code.append(isInText ? " " : character)
            last = character
        }
        return code[...]
    }

    /// A run of letters, digits and `_` is a word, any other sign but white space is one too.
    private static func words(in text: Substring) -> [Substring] {
        var words: [Substring] = []
        var rest = text
        while let first = rest.first {
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if !word.isEmpty {
                words.append(word)
                rest = rest.dropFirst(word.count)
            } else {
                if !first.isWhitespace { words.append(rest.prefix(1)) }
                rest = rest.dropFirst()
            }
        }
        return words
    }
}

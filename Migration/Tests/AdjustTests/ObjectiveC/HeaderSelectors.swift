// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The selectors of an Objective-C header. Written as `Class selector:`.
struct HeaderSelectors {
    private(set) var all: Set<String> = []

    init(_ header: String) throws {
        var type = ""
        let text = header.components(separatedBy: "\n").filter { !$0.hasPrefix("//") }.joined(separator: " ")
        for match in text.matches(of: /@(interface|protocol) ([A-Za-z]+)[^;]*?|([-+] \([^;]*);|@property ([^;]*);/) {
            if let name = match.2 {
                type = String(name)
            } else if let method = match.3 {
                all.insert("\(type) \(Self.selector(String(method.dropFirst(2))))")
            } else if let property = match.4, let name = property.split(whereSeparator: { " *".contains($0) }).last {
                all.insert("\(type) \(name)")
            }
        }
    }

    /// What is outside of the parentheses of types, without the arguments' names.
    private static func selector(_ method: String) -> String {
        var depth = 0
        var words = ""
        for character in method {
            if character == "(" { depth += 1 }
            if depth == 0 { words.append(character) }
            if character == ")" { depth -= 1 }
        }
        guard words.contains(":") else { return words.trimmingCharacters(in: .whitespaces) }
        return words.matches(of: /([A-Za-z]+):/).map { "\($0.1):" }.joined()
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The selectors that Swift sources export, by Swift's rules: what `@objc(…)` says, else the name and the labels. Written as
/// `Class selector:`.
struct ExportedSelectors {
    private(set) var all: Set<String> = []
    /// Two members of one class with one selector: an error on Apple's systems that no other compiler sees.
    private(set) var twice: Set<String> = []

    static func adjust() throws -> ExportedSelectors {
        var selectors = ExportedSelectors()
        for file in try DeclaredNames.files(in: AdjustNames.package.appending(path: "Sources/Adjust")) {
            selectors.read(try String(contentsOf: file, encoding: .utf8))
        }
        return selectors
    }

    mutating func read(_ source: String) {
        var type: String?
        var isSkipping = false
        var attributes = ""
        let lines = source.components(separatedBy: "\n")
        for (number, line) in lines.enumerated() {
            if line.hasPrefix("}") { type = nil }
            // The other branch is for systems without Objective-C.
            if line.hasPrefix("#else") || line.hasPrefix("#if !canImport(ObjectiveC)") { isSkipping = true }
            if line.hasPrefix("#endif") { isSkipping = false }
            if isSkipping { continue }
            if let match = line.firstMatch(of: /^(?:@\S+ )*(?:public )?(?:final )?(?:class|protocol|extension) (ADJ[A-Za-z]*|Adjust[A-Za-z]*)/) {
                type = String(match.1)
                attributes = ""
                continue
            }
            let text = line.trimmingCharacters(in: .whitespaces)
            guard let type, !text.hasPrefix("//"), line.hasPrefix("    "), !line.hasPrefix("     ") else { continue }
            if text.hasPrefix("#") { continue }
            attributes += " " + text
            guard text.contains(/\b(func|init\?|init|var|let)\b/) else { continue }
            defer { attributes = "" }
            let isExported =
                (attributes.contains("@objc(") || attributes.contains("public ")) && !attributes.contains("@nonobjc")
            guard isExported, let selector = Self.selector(attributes, lines[number...].joined(separator: " ")) else { continue }
            for name in selector { if !all.insert("\(type) \(name)").inserted { twice.insert("\(type) \(name)") } }
        }
    }

    /// - Parameters:
    ///   - attributes: up to the end of the declaration's first line.
    ///   - rest: from that line on.
    private static func selector(_ attributes: String, _ rest: String) -> [String]? {
        if let match = attributes.firstMatch(of: /@objc\(([^)]*)\)/) { return [String(match.1)] }
        if let match = rest.firstMatch(of: /^ *[a-z()@ ]*\b(?:var|let) ([A-Za-z]+)/) {
            let name = String(match.1)
            let isSettable = attributes.contains(" var ") && !attributes.contains("{ _") && !attributes.contains(#/\{ [a-z]+|get/#)
            return [name] + (isSettable ? ["set\(name.prefix(1).uppercased())\(name.dropFirst()):"] : [])
        }
        guard let start = rest.firstMatch(of: /\b(?:func ([A-Za-z_]+)|init\??)\(/) else { return nil }
        let labels = labels(in: rest[start.range.upperBound...])
        guard let name = start.1.map(String.init) else {
            guard let first = labels.first else { return ["init"] }
            return ["initWith\(first.prefix(1).uppercased())\(first.dropFirst()):" + labels.dropFirst().map { "\($0):" }.joined()]
        }
        guard let first = labels.first else { return [name] }
        // With a first label the rule knows prepositions: such a method has its name written out.
        return first == "_" ? ["\(name):" + labels.dropFirst().map { "\($0):" }.joined()] : nil
    }

    /// The labels of the arguments that begin here.
    private static func labels(in text: Substring) -> [String] {
        var depth = 0
        var argument = ""
        var arguments: [String] = []
        for character in text {
            if "([{<".contains(character) { depth += 1 }
            if ")]}".contains(character) || character == ">" && !argument.hasSuffix("-") { depth -= 1 }
            if depth < 0 || depth == 0 && character == "," {
                arguments.append(argument)
                argument = ""
                if depth < 0 { break }
            } else {
                argument.append(character)
            }
        }
        return arguments.compactMap { $0.split(separator: " ").first.map { String($0.prefix { $0 != ":" }) } }
    }
}

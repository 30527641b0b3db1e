// SPDX-License-Identifier: Apache-2.0
import LandfallConsole
import LandfallRules
import LandfallWire

/// The forms of the console that edit a configuration: what a member sends, with the page that answers.
extension Parsers {
    static let forms: [ParserCost] = [
        ParserCost("edits: every entry in lines is replaced", longest: 1 << 18, text: lines) { text in
            try edited(text) { $0.map { .set($0, to: .text("new")) } }
        },
        ParserCost("edits: every second entry in one line is removed", longest: 1 << 18, text: oneLine) { text in
            try edited(text) { $0.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { .remove($0.element) } }
        },
        ParserCost("edits: as many entries are added as there are", longest: 1 << 18, text: lines) { text in
            try edited(text) { $0.indices.compactMap { ConfigurationEditPath([.key("m\($0)")]) }.map { .set($0, to: .integer(1)) } }
        },
        ParserCost("edits: all but the first entry behind a dash are removed", longest: 1 << 18, text: { bytes in
            "a:\n  - b: 1\n" + (0...(bytes / 12)).map { "    k\($0): 1\n" }.joined()
        }) { text in
            let tree = try ConfigurationEdit.tree(text), keys = tree["a"]?.items.first?.entries.dropFirst() ?? []
            let paths = keys.compactMap { ConfigurationEditPath([.key("a"), .index(0), .key($0.key)]) }
            return try ConfigurationEdits(paths.map { .remove($0) }).applied(to: text, read: tree)
        },
        ParserCost("form: locales beside the values of the default one", longest: 1 << 18, text: { bytes in
            let values = (0...(bytes / 36)).map { "        v\($0): 1\n" }.joined(), locales = (0...(bytes / 48)).map { "      l\($0): { v: 1 }\n" }.joined()
            return "paywalls:\n  p:\n    defaultLocale: en\n    remoteConfig:\n      en:\n" + values + locales
        }) { text in
            let document = ConfigurationDocument(number: 1, text: text)
            return document.flatMap { document in
                document.entry("paywalls", "p").map { PaywallPage(frame, document, "p", $0, locale: nil).html.markup.utf8.count }
            }
        },
        ParserCost("form: values of an audience, of which one goes", longest: 1 << 18, text: { bytes in
            "audiences:\n  a:\n    country:\n      in: [" + (0...(bytes / 8)).map { "v\($0)" }.joined(separator: ", ") + "]\n    language: { is: en }\n"
        }) { text in
            let values = text.split(separator: "[").last?.split(separator: "]").first?.split(separator: ", ").dropLast().joined(separator: ", ")
            let form = ["attribute.0": "country", "operation.0": "in", "value.0": values ?? ""]
            return try changing("audiences", "a", form, text)?.changedAudience()
        },
        ParserCost("form: a rule that no form shows", longest: 1 << 18, text: { bytes in
            "audiences:\n  a:\n" + (0...(bytes / 28)).map { "    attributes.a\($0): { is: 1 }\n" }.joined()
        }) { text in
            try changing("audiences", "a", ["attribute.0": "country", "operation.0": "is", "value.0": "DE"], text)?.changedAudience()
        },
        ParserCost("form: products of a paywall, of which every second stays", longest: 1 << 18, text: { bytes in
            "paywalls:\n  p:\n    products:\n" + (0...(bytes / 16)).map { "      - p\($0)\n" }.joined()
        }) { text in
            let names = text.split(separator: "\n").dropFirst(3).enumerated().filter { $0.offset.isMultiple(of: 2) }.map { $0.element.dropFirst(8) }
            return try changing("paywalls", "p", ["products": names.joined(separator: "\n")], text)?.changedPaywall()
        },
        ParserCost("form: fields", longest: 1 << 18, "a=1", repeating: "&a%20=%31+") { FormText.fields($0, most: .max) },
    ]

    private static let frame = Frame(
        words: Words(.english), app: "Example", memberName: "Maya", role: .owner, formToken: "", address: "/console/paywalls/p")

    private static func lines(_ bytes: Int) -> String { (0...(bytes / 12)).map { "k\($0): 1\n" }.joined() }

    private static func oneLine(_ bytes: Int) -> String { "{ " + (0...(bytes / 12)).map { "k\($0): 1" }.joined(separator: ", ") + " }" }

    /// - Parameter edits: by the paths of all entries.
    private static func edited(_ text: String, _ edits: ([ConfigurationEditPath]) -> [ConfigurationEdit]) throws -> String {
        let tree = try ConfigurationEdit.tree(text)
        return try ConfigurationEdits(edits(tree.entries.compactMap { ConfigurationEditPath([.key($0.key)]) })).applied(to: text, read: tree)
    }

    private static func changing(_ section: String, _ name: String, _ form: [String: String], _ text: String) throws -> ConfigurationFormChange? {
        guard let document = ConfigurationDocument(number: 1, text: text), let node = document.entry(section, name) else { return nil }
        return ConfigurationFormChange(words: Words(.english), form: form, document: document, section: section, name: name, node: node)
    }
}

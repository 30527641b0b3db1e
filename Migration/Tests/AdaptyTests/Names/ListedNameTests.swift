// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The page's table is held against what is compiled. In the package that stands alone the page is not there.
@Suite("Names that the page lists", .timeLimit(.minutes(1)), .enabled(if: ListedName.page != nil))
struct ListedNameTests {
    @Test("A name that works or says so is in a compiled call; an absent one has its message", arguments: ListedName.all)
    func isThere(_ listed: ListedName) throws {
        switch listed.way {
        case "works", "says so":
            #expect(try Sources.words.get().contain(listed.word), "\(listed.name) is in no call of AdaptyCallSites.")
        case "absent":
            #expect(try Sources.isUnavailable(listed.word), "\(listed.name) has no @available(*, unavailable, message:).")
        default: Issue.record("'\(listed.way)' is not a way.")
        }
    }

    @Test("The sums below the table are the table's, and the calls are as many as the page says")
    func sums() throws {
        let page = try #require(ListedName.page)
        func count(_ way: String) -> Int { ListedName.all.filter { $0.way == way }.count }
        let calls = try Sources.calls.components(separatedBy: "// Call site:").count - 1

        let sum = "\(count("works")) work, \(count("says so")) say so and \(count("absent")) are absent."
        #expect(page.contains("Of these \(ListedName.all.count) names \(sum)"))
        #expect(page.contains("\(calls) calls as apps make them"))
        #expect(calls >= 40)
    }

    @Test(
        "A name is found as a word, not inside of another word, a comment or a text",
        arguments: [
            ("let level: AccessLevel", true), ("let level: AccessLevels", false), ("let level: MyAccessLevel", false),
            ("// AccessLevel", false), ("call() // AccessLevel", false), ("print(\"AccessLevel\")", false),
            ("print(\"a\"); AccessLevel()", true),
            ("print(\"\\(f(a) + \"(\") \\(AccessLevel.a) b\")", true), ("print(\"\\(a) AccessLevel\")", false), ("/// AccessLevel\nlet a: [AccessLevel]", true),
        ])
    func words(_ source: String, isThere: Bool) {
        #expect(SwiftWords(source).contain("AccessLevel") == isThere)
    }

    @Test("A call is found with its labels alone", arguments: [(".with(links: a)", true), (".with(linksOf: a)", false), ("start(links: a)", false)])
    func labels(_ source: String, isThere: Bool) {
        #expect(SwiftWords(source).contain(".with(links:") == isThere)
    }

    @Test("No name is listed twice")
    func once() {
        #expect(Set(ListedName.all.map(\.name)).count == ListedName.all.count)
    }
}

struct ListedName: CustomTestStringConvertible, Sendable {
    let name: String
    let way: String
    var testDescription: String { name }

    /// What a call of it contains.
    var word: String {
        switch name {
        case let name where name.hasPrefix("with("): "." + name.prefix { $0 != ":" } + ":"
        case let name where name.hasPrefix(".paywall"): ".paywall("
        case let name where name.hasPrefix(".openURL"): ".openURL(url:"
        default: name
        }
    }

    static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
    static let page = try? String(contentsOf: root.appending(path: "docs/migrating/adapty-names.md"), encoding: .utf8)

    static let all: [ListedName] = (page ?? "").components(separatedBy: "\n").compactMap { line in
        let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard line.hasPrefix("| `"), cells.count >= 4 else { return nil }
        return ListedName(name: cells[1].trimmingCharacters(in: ["`"]), way: cells[2])
    }
}

private enum Sources {
    static var calls: String {
        get throws { try text(in: "Migration/Tests/AdaptyCallSites/Calls") }
    }

    static let words = Result { SwiftWords(try calls) }

    static func isUnavailable(_ name: String) throws -> Bool {
        // A name with a label is written with it.
        let declared = name.hasPrefix(".") ? "func " + name.dropFirst().dropLast() : "func \(name)("
        let texts = try ["Adapty", "AdaptyUI"].map { try text(in: "Migration/Sources/\($0)") }
        let lines = texts.joined(separator: "\n").components(separatedBy: "\n")
        // The attribute may take several lines.
        return lines.indices.contains { index in
            let before = lines[max(0, index - 4)..<index].joined()
            return SwiftWords(lines[index]).contain(declared) && before.contains("@available(") && before.contains("unavailable,")
                && before.contains("message: \"")
        }
    }

    private static func text(in folder: String) throws -> String {
        let folder = ListedName.root.appending(path: folder)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return try files.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
            .joined(separator: "\n")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallConsole

@Suite("The reference of the API", .timeLimit(.minutes(1)))
struct APIReferenceTests {
    /// With its style sheet, script and icon, as a browser counts.
    private static let mostBytes = 100_000 - Asset.all.reduce(0) { $0 + $1.bytes.count }

    /// Every page, by its address.
    private static func pages(_ reference: APIReference, _ language: Language = .english) -> [(address: String, markup: String)] {
        let frame = Frame.sample(.viewer, language)
        let groups = reference.groups.flatMap { group in
            [
                ("/console/api/\(group.slug)", APIGroupPage(frame: frame, group: group).html.markup),
                ("/console/api/\(group.slug)/types", APITypesPage(frame: frame, group: group, types: reference.types(of: group)).html.markup),
            ]
        }
        return [("/console/api", APIContentsPage(frame: frame, reference: reference).html.markup)] + groups
    }

    /// `GET /v1/links`, by the indentation of the file.
    private static func operations(in yaml: String) -> [String] {
        var path = "", isInPaths = false, found: [String] = []
        for line in yaml.split(separator: "\n") {
            if !line.hasPrefix(" ") { isInPaths = line == "paths:" }
            if isInPaths, line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
            if isInPaths, let method = line.wholeMatch(of: /\ \ \ \ (get|post|put|patch|delete):/) { found.append(method.1.uppercased() + " " + path) }
        }
        return found
    }

    @Test("is the description of this release, with each call on a page of its group, and each within the bytes of a page")
    func whole() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../../../docs/openapi.yaml").standardizedFileURL
        let yaml = try String(contentsOf: path, encoding: .utf8)
        #expect(Array(yaml.utf8) == EmbeddedFile.apiDescription, "the binary has another description than docs/openapi.yaml: build it again")
        let reference = try #require(APIReference.own)
        let expected = Self.operations(in: yaml)

        #expect(expected.count > 40)
        #expect(reference.groups.flatMap(\.operations).map { "\($0.method) \($0.path)" }.sorted() == expected.sorted())
        let pages = Self.pages(reference)
        for group in reference.groups {
            let page = try #require(pages.first { $0.address == "/console/api/\(group.slug)" }).markup
            for operation in group.operations {
                #expect(page.contains("id=\"\(operation.id)\"") && page.contains("<code>\(operation.method) \(operation.path)</code>"), "\(operation.id)")
                #expect(pages[0].markup.contains("/console/api/\(group.slug)#\(operation.id)\""), "\(operation.id)")
            }
        }
        for page in pages { #expect(page.markup.utf8.count <= Self.mostBytes, "\(page.address)") }
    }

    @Test("has no link into nothing: every type and every shared answer that a page leads to is on its page")
    func links() throws {
        let reference = try #require(APIReference.own)
        let pages = Self.pages(reference), byAddress = Dictionary(pages.map { ($0.address, $0.markup) }) { first, _ in first }

        for page in pages {
            for link in page.markup.matches(of: /href="(\/console\/api[^"#]*)#([^"]+)"/) {
                #expect(byAddress[String(link.1)]?.contains("id=\"\(link.2)\"") == true, "\(page.address): \(link.0)")
            }
            let ids = page.markup.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
            #expect(Set(ids).count == ids.count, "\(page.address)")
        }
    }

    @Test("marks what is English on a page in another language", arguments: [Language.japanese, .english])
    func language(language: Language) throws {
        let reference = try #require(APIReference.own)
        let page = try #require(Self.pages(reference, language).first { $0.address == "/console/api/reports" }).markup

        #expect(page.hasPrefix("<!doctype html><html lang=\"\(language.tag)\">"))
        #expect(page.contains("<h2 lang=\"en\">") && page.contains(Words(language).apiAnswers))
        #expect(page.contains("aria-current=\"page\""))
    }

    @Test("writes texts as texts, wherever they stand, and reads tables, lists and code")
    func escaping() throws {
        let evil = "<script>'\\\"&"
        let yaml = """
            info: { version: "1", description: "\(evil)" }
            tags: [{ name: "a \(evil)", description: "\(evil)" }]
            paths:
              "/v1/\(evil)/{id}":
                post:
                  tags: ["a \(evil)"]
                  operationId: one
                  summary: "\(evil)"
                  description: "Text `co<de` and\\n\\n- one `a`\\n- two\\n  more\\n\\n| k | v |\\n|---|---|\\n| `x` | <b> |"
                  security: [{ serverKey: [] }]
                  parameters: [{ name: id, in: path, required: true, schema: { type: string }, description: "\(evil)" }]
                  requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/T" }, example: { a: "\(evil)", b: [1, "2", true] } } } }
                  responses: { "200": { description: "\(evil)" }, "400": { $ref: "#/components/responses/Bad" } }
            components:
              responses: { Bad: { description: "`invalid_value`: \(evil)" } }
              schemas: { T: { type: object, required: [a], description: "\(evil)", properties: { a: { type: string, description: "\(evil)" } } } }
            """
        let reference = try #require(APIReference(yaml: yaml))
        let pages = Self.pages(reference).map(\.markup)

        #expect(pages.count == 3 && pages.allSatisfy { !$0.contains("<script>") && !$0.contains("<b>") && !$0.contains("co<de") })
        let page = pages[1]
        #expect(page.contains("<li>two more</li>") && page.contains("<code>co&lt;de</code>") && page.contains("<td><code>x</code></td>"))
        #expect(page.contains("#answer-Bad\">Bad</a> <code>invalid_value</code>"))
        #expect(page.contains("\\\n  -X POST \\\n") && page.contains("/{id}") && page.contains("/ID&quot;"))
        #expect(reference.groups[0].operations[0].body?.example == "{\"a\":\"<script>'\\\"&\",\"b\":[1,\"2\",true]}")
    }
}

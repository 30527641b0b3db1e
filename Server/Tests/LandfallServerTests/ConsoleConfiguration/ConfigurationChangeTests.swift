// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The forms of placements, audiences and paywalls", .timeLimit(.minutes(1)))
struct ConfigurationChangeTests {
    private static let yaml = ConfigurationConsole.yaml

    static func draft(_ page: String) throws -> String { try ConfigurationConsole.draft(page) }

    /// As a browser sends the text: with a carriage return before every line feed.
    static func sent(_ text: String) -> String { text.replacing("\n", with: "\r\n") }

    @Test("An entry is written as YAML, with its comments; another name and problems are refused there")
    func written() async throws {
        try await ConfigurationConsole.run { _, browser in
            let text = "unused: # everybody\r\n  country: { exists: true }\r\n"
            let answer = try await browser.post("/console/audiences/unused", ["base": "1", "change": "yaml", "yaml": text])

            #expect(
                try Self.draft(answer.page)
                    == Self.yaml.replacing(
                        "  unused: { share: { of: half, to: 50% } }\n", with: "  unused: # everybody\n    country: { exists: true }\n"))
            for wrong in ["other: { country: { is: DE } }", "unused: [", "unused: { nothing: { is: 1 } }", "", "unused: {}\nplus: {}"] {
                let answer = try await browser.post("/console/audiences/unused", ["base": "1", "change": "yaml", "yaml": wrong])
                #expect(answer.status == .unprocessableContent, "\(wrong)")
                #expect(answer.page.contains("id=\"yaml-problem\""), "\(wrong)")
            }
        }
    }

    @Test("A problem of a written entry has its line in it, and the sentence is marked as English")
    func lines() async throws {
        try await ConfigurationConsole.run { _, browser in
            let wrong = "unused:\r\n  # a note\r\n  country: { is: Germany }\r\n"
            let entry = try await browser.post("/console/audiences/unused", ["base": "1", "change": "yaml", "yaml": wrong])
            let products = try await browser.post(
                "/console/paywalls/spare", ["base": "1", "change": "values", "products": "weekly\r\nweekly"])

            #expect(entry.page.contains("Line 3: <span lang=\"en\">"))
            #expect(products.status == .unprocessableContent && products.page.contains("id=\"products-problem\""))
        }
    }

    @Test("What is used is not deleted, and its users are named; what is not used is deleted")
    func delete() async throws {
        try await ConfigurationConsole.run { _, browser in
            let plus = try await browser.post("/console/audiences/plus", ["base": "1", "change": "delete"])
            let special = try await browser.post("/console/paywalls/special", ["base": "1", "change": "delete"])
            let unused = try await browser.post("/console/audiences/unused", ["base": "1", "change": "delete"])
            let spare = try await browser.post("/console/paywalls/spare", ["base": "1", "change": "delete"])

            #expect(plus.status == .conflict && special.status == .conflict)
            #expect(plus.page.contains("plus is used by: Placement home, Placement settings, Test device mayas-phone."))
            #expect(special.page.contains("special is used by: Placement home, Placement settings, Test device mayas-phone."))
            #expect(try Self.draft(unused.page) == Self.yaml.replacing("  unused: { share: { of: half, to: 50% } }\n", with: ""))
            #expect(try Self.draft(spare.page) == Self.yaml.replacing("  spare: { products: [weekly] }\n", with: ""))
        }
    }

    @Test("A viewer sees no forms and may send none")
    func viewer() async throws {
        try await ConfigurationConsole.run(as: .viewer) { _, browser in
            for path in ["placements/home", "audiences/plus", "paywalls/default"] {
                let page = try await browser.get("/console/" + path).page
                let answer = try await browser.post("/console/" + path, ["base": "1", "change": "delete"])

                #expect(!page.contains("name=\"base\"") && !page.contains("name=\"change\""))
                #expect(answer.status == .forbidden)
            }
        }
    }

    @Test("Where a file has the last word, the page shows what to copy into it")
    func ownedByFile() async throws {
        try await ConfigurationConsole.run(owner: .file) { _, browser in
            let answer = try await browser.post("/console/placements/home", ["base": "1", "change": "remove.0"])

            #expect(answer.page.contains("--config-owner file") && !answer.page.contains("/console/versions/draft/check"))
            #expect(answer.page.contains("<pre tabindex=\"0\"><code>home:\n  # for spring\n  - audience: plus"))
        }
    }

    @Test("A draft goes to the review of the versions, which says the same change in words")
    func review() async throws {
        try await ConfigurationConsole.run { _, browser in
            let changed = try await browser.post("/console/placements/home", ["base": "1", "change": "up.1"])
            let text = Self.sent(try Self.draft(changed.page))

            let review = try await browser.post(
                "/console/versions/draft/check", ["base": "1", "text": text, "message": "Plus first"])

            #expect(review.status == .ok)
            #expect(review.page.contains("audiences are now asked in the order plus, spring, everyone"))
        }
    }

    @Test("A file that no form can carry is not sent: the page shows what to copy")
    func tooLarge() throws {
        func draft(from old: String, to new: String) throws -> ConfigurationDraft {
            ConfigurationDraft(from: old, to: try #require(ConfigurationDocument(number: 1, text: new)), owner: .store, entry: "a: 1")
        }
        let large = String(repeating: "# a line\n", count: FormExcess.longestDraft / 9 + 1)
        let many = "b: [" + String(repeating: "1,", count: FormExcess.mostValues) + "]\n"

        let long = try draft(from: large, to: large + "a: 1\n"), full = try draft(from: many, to: many + "a: 1\n")
        let short = try draft(from: "a: 1\n", to: "a: 2\n")

        for draft in [long, full] { #expect(draft.way == .tooLarge && draft.text.isEmpty && draft.changes.added == 1) }
        #expect(short.way == .review && short.text == "a: 2\n" && short.changes.removed == 1)
    }

    @Test("An unknown version, a name that is not there and a draft that is not YAML change nothing")
    func unknown() async throws {
        try await ConfigurationConsole.run { _, browser in
            for section in ["placements", "audiences", "paywalls"] {
                let statuses = [
                    try await browser.post("/console/\(section)/nobody", ["base": "1", "change": "delete"]).status,
                    try await browser.post("/console/\(section)/home", ["base": "99", "change": "delete"]).status,
                    try await browser.post("/console/\(section)/home", ["base": "1", "text": "a: 1", "change": "delete"]).status,
                ]
                let broken = try await browser.post("/console/\(section)/home", ["base": "1", "text": "[", "change": "delete"])

                #expect(statuses == [.notFound, .notFound, .notFound])
                #expect(broken.status == .badRequest)
            }
        }
    }
}

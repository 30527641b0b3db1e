// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The page of changing links", .timeLimit(.minutes(1)))
struct LinkChangePageTests {
    private static func entry(_ labels: [LinkEntry.Label] = [], expiresAtMs: Int64? = nil) -> LinkEntry {
        LinkEntry(
            address: "https://go.example.com/<b>", destination: "https://example.com/", labels: labels,
            expiresAtMs: expiresAtMs,
            isExpired: false, isInFile: false)
    }

    private static func page(_ kind: LinkChangeKind, _ language: Language) -> LinkChangePage {
        LinkChangePage(
            frame: .sample(.editor, language), kind: kind, addresses: ["https://go.example.com/<b>"], draft: LabelChanges(),
            back: Place("/console/links"))
    }

    @Test(
        "Every control has a name, every form its proof, and every text is text", arguments: LinkChangeKind.allCases,
        Language.allCases)
    func names(kind: LinkChangeKind, language: Language) {
        var page = Self.page(kind, language)
        page.campaigns = ["<i>"]
        page.rows = [
            .init(
                address: "https://go.example.com/<b>",
                outcome: .changed(from: Self.entry(), to: Self.entry([.init(.channel, "<i>")], expiresAtMs: 1))),
            .init(address: "<u>", outcome: .refused("<s>")),
        ]
        let markup = page.html.markup

        for tag in ["<b>", "<i>", "<u>", "<s>"] { #expect(!markup.contains(tag)) }
        #expect(markup.contains("– → &lt;i&gt;") && markup.contains("1970"))
        #expect(markup.contains("value=\"apply\"") && markup.contains(Words(language).linkChange(kind, 1)))
        #expect(markup.contains("value=\"check\"") == (kind == .relabel))
        for match in markup.matches(of: /<input id="([a-zA-Z]+)"/) {
            #expect(markup.contains("<label for=\"\(match.output.1)\">"))
        }
        #expect(markup.ranges(of: "method=\"post\"").count == markup.ranges(of: "name=\"csrf\" value=\"proof\"").count)
    }

    @Test("A page without a change, or with all changes done, has no button")
    func nothing() {
        var page = Self.page(.archive, .english)
        page.rows = [.init(address: "https://go.example.com/a", outcome: .unchanged)]
        #expect(!page.html.markup.contains("value=\"apply\""))

        page.rows = [
            .init(address: "https://go.example.com/a", outcome: .changed(from: Self.entry(), to: Self.entry(expiresAtMs: 1)))
        ]
        #expect(page.html.markup.contains("value=\"apply\""))
        page.isDone = true
        #expect(!page.html.markup.contains("value=\"apply\"") && !page.html.markup.contains("/console/links/change"))
    }
}

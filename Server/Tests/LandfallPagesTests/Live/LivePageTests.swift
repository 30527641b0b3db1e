// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPages

@Suite("The live page", .timeLimit(.minutes(1)))
struct LivePageTests {
    private let row = LiveRow(id: 7, kind: .tap, atMs: 1_795_300_005_000, subject: "<b>", details: [.init(.link, "https://x/<i>")])

    @Test("A row opens in place without script, and escapes what strangers wrote")
    func page() {
        let markup = LivePage(frame: .sample(), kind: .tap, rows: [row]).html.markup

        #expect(markup.contains("<details><summary><time datetime=\"2026-11-21T22:26:45Z\">22:26:45</time>"))
        #expect(markup.contains("&lt;b&gt;") && !markup.contains("<i>"))
        #expect(markup.contains("data-after=\"7\"") && markup.contains("/console/live/stream?kind=tap"))
        #expect(markup.contains("http-equiv=\"refresh\""))
    }

    @Test("The stream carries the same texts as the page", arguments: Language.allCases)
    func message(language: Language) {
        let message = LiveMessage(row, Words(language))

        #expect(message.clock == "22:26:45" && message.subject == "<b>" && message.details.first?.last == "https://x/<i>")
        #expect(LivePage(frame: .sample(.owner, language), kind: nil, rows: [row]).html.markup.contains(">\(message.name)</span>"))
    }
}

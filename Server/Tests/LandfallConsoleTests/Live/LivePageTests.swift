// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallServer

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

    @Test("Page and stream name a row by its key where several nodes send it, and only there")
    func key() throws {
        let shared = LiveRow(id: 7, kind: .tap, atMs: 0, subject: "b", details: [], key: -9)

        #expect(LivePage(frame: .sample(), kind: nil, rows: [shared]).html.markup.contains("data-fact=\"-9\""))
        #expect(LiveMessage(shared, Words(.english)).key == "-9")
        #expect(!LivePage(frame: .sample(), kind: nil, rows: [row]).html.markup.contains("data-fact="))
        #expect(LiveMessage(row, Words(.english)).key == nil)
    }

    @Test("An empty page says since when it looked, and that other rows may be there where something is chosen")
    func empty() {
        var page = LivePage(frame: .sample(), kind: nil, rows: [])
        page.startedAtMs = 1_795_300_005_000
        let markup = page.html.markup
        #expect(markup.contains("Nothing has happened since this node started, ") && markup.contains("22:26"))
        #expect(markup.contains("data-over=\"Not connected. Reload the page.\""))

        #expect(LivePage(frame: .sample(), kind: .tap, rows: []).html.markup.contains("Nothing of this choice has happened"))
        page.isWithoutTests = true
        #expect(page.html.markup.contains("Nothing of this choice has happened"))
    }

    @Test("A test device has a badge, on the page and in the stream; the choice without them stays with the kind", arguments: Language.allCases)
    func testDevices(language: Language) {
        var row = row
        row.isTest = true
        var page = LivePage(frame: .sample(.owner, language), kind: .tap, rows: [row])
        let badge = "<span class=\"badge\">\(Words(language).testDeviceBadge)</span>"
        #expect(page.html.markup.contains(badge) && !page.html.markup.contains("test=without"))
        #expect(LiveMessage(row, Words(language)).badge == Words(language).testDeviceBadge)
        #expect(LiveMessage(self.row, Words(language)).badge == nil)

        (page.hasTestDevices, page.isWithoutTests) = (true, true)
        let markup = page.html.markup
        #expect(markup.contains("/console/live/stream?kind=tap&amp;test=without"))
        #expect(markup.contains("href=\"/console/live?kind=tap\"") && markup.contains("href=\"/console/live?kind=firstOpen&amp;test=without\""))
    }

    @Test("An install leads to its person, on the page and in the stream, for members who may see people", arguments: Role.allCases)
    func install(role: Role) {
        let row = LiveRow(id: 8, kind: .firstOpen, atMs: 0, subject: "1", details: [.init(.install, "1/\"2"), .init(.platform, "ios")])

        let markup = LivePage(frame: .sample(role), kind: nil, rows: [row]).html.markup
        let message = LiveMessage(row, Words(.english))

        #expect(markup.contains("<a href=\"/console/profiles/1%2F%222\">1/&quot;2</a>") == role.rights.contains(.people))
        #expect(message.details == [["Install", "1/\"2", "/console/profiles/1%2F%222"], ["Platform", "ios"]])
    }
}

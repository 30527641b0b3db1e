// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import Testing

@testable import LandfallConsole

@Suite("Pages of links", .timeLimit(.minutes(1)))
struct LinkPageTests {
    private static let entry = LinkEntry(
        address: "https://go.example.com/<b>", destination: "javascript:alert(1)", labels: [.init(.channel, "\"mail\"")], expiresAtMs: 0,
        isExpired: true, isInFile: false, startsAtMs: 0, tags: ["<b>", "poster"], folder: "<i>")

    private static func facts(_ role: Role, _ language: Language = .english, days: Int) -> LinkFactsPage {
        var page = LinkFactsPage(
            frame: .sample(role, language), entry: entry,
            numbers: .init(
                days: (0..<days).map { DayChart.Day(date: "2026-11-0\($0 + 1)", value: 1, before: nil, isWhole: true) }, clicks: Int64(days),
                unique: 1, shares: [.country: [.init(value: nil, clicks: 1)], .referrer: [.init(value: "<b>.example", clicks: 1)]], taps: days > 0 ? [.web: 4, .app: 1_200, .store: 30] : [:], isWhole: false),
            happenings: LinkTapOutcome.Device.allCases.map {
                LinkTapOutcome(device: $0, isInApp: false, installed: .app, missing: .page(LinkTapOutcome.Way.allCases))
            },
            preview: .init(title: "<i>", text: nil, image: "https://example.com/i.png"), picture: nil,
            ways: [(.ios, "app, store")], handover: [.pasteboard, .code])
        (page.storePage, page.routes) = (StorePage(ppid: "1-2", ct: "<b>"), ["DE https://example.com/<b>", "ios example://i"])
        return page
    }

    @Test("A destination is a way there only if it is https, and every text is text", arguments: Language.allCases)
    func texts(language: Language) {
        let markup = Self.facts(.owner, language, days: 3).html.markup

        #expect(!markup.contains("href=\"javascript") && !markup.contains("<b>") && !markup.contains("<i>"))
        #expect(markup.contains("javascript:alert(1)") && markup.contains("&quot;mail&quot;"))
        #expect(!markup.contains("<img"))
    }

    @Test("The page shows what decides beside the destination, each in words")
    func facts() {
        let markup = Self.facts(.viewer, days: 0).html.markup

        for (name, value) in [
            ("Tags", "&lt;b&gt;, poster"), ("Folder", "&lt;i&gt;"), ("Starts", "1970-01-01 00:00 UTC"), ("Product page (ppid)", "1-2"),
            ("Campaign token (ct)", "&lt;b&gt;"), ("By country and platform", "<span class=\"line link-address\">DE https://"),
        ] {
            #expect(markup.contains("<dt>\(name)</dt><dd>\(value)"), "\(name)")
        }
        #expect(markup.contains(">ios example://i</span>") && !markup.contains("Provider token"))
    }

    @Test("Days that could not be read are no zeros")
    func unread() {
        let markup = Self.facts(.viewer, days: 0).html.markup

        #expect(markup.contains("<dd class=\"value\">–</dd>") && !markup.contains("<dd class=\"value\">0</dd>"))
        #expect(markup.contains(Words(.english).linkFewerDays))
    }

    @Test("Taps on the buttons of its pages are told together and by where they lead")
    func taps() {
        let markup = Self.facts(.viewer, days: 3).html.markup

        #expect(markup.contains("Taps on buttons of its pages") && markup.contains("<dd class=\"value\">1,234</dd>"))
        #expect(markup.contains("app 1,200 · store 30 · web 4"))
    }

    @Test("A problem leads to a field only if the form has it")
    func problems() {
        func markup(_ hosts: [String]) -> String {
            NewLinkPage(
                frame: .sample(.editor), draft: LinkDraft(), hosts: hosts, names: LinkList.Names(), problems: [FieldProblem("domain", "wrong")]
            ).html.markup
        }
        #expect(markup(["a.example", "b.example"]).contains("#domain"))
        #expect(!markup(["a.example"]).contains("#domain") && markup(["a.example"]).contains("wrong"))
    }

    @Test("The import reads a file into its field by script; without one only the field is there, and no file is sent")
    func file() throws {
        let markup = LinkImportPage(frame: .sample(.editor), hosts: []).html.markup

        let input = try #require(markup.firstMatch(of: /<div class="field" hidden>.*?(<input id="file"[^>]*>)/)?.output.1)
        #expect(input.contains("data-fills=\"text\"") && !input.contains(" name="))
        #expect(markup.contains("<label for=\"file\">") && markup.contains("<textarea id=\"text\""))
    }

    @Test("A form has a label for every field, and its proof")
    func labels() {
        var draft = LinkDraft()
        draft.when = "DE </textarea>"
        var names = LinkList.Names()
        (names.campaigns, names.tags, names.folders) = (["<x>"], ["<x>"], ["<x>"])
        let page = NewLinkPage(
            frame: .sample(.editor), draft: draft, hosts: ["a.example", "b.example"], names: names,
            problems: [FieldProblem("suffix", "taken")])
        let markup = page.html.markup

        for match in markup.matches(of: /<(?:input|select|textarea) id="([a-zA-Z]+)"/) {
            #expect(markup.contains("<label for=\"\(match.output.1)\">"), "\(match.output.1)")
        }
        #expect(markup.contains("aria-describedby=\"suffix-hint suffix-problem\"") && markup.contains("<details open>"))
        #expect(markup.ranges(of: "method=\"post\"").count == markup.ranges(of: "name=\"csrf\" value=\"proof\"").count)
        #expect(markup.ranges(of: "<option value=\"&lt;x&gt;\">").count == 3 && markup.contains("\nDE &lt;/textarea&gt;</textarea>"))
    }
}

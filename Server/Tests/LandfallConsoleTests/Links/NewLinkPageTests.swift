// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import Testing

@testable import LandfallConsole

@Suite("The form of a new link", .timeLimit(.minutes(1)))
struct NewLinkPageTests {
    private static func markup(
        _ draft: LinkDraft = LinkDraft(), _ drafted: DraftedLink = DraftedLink(), hosts: [String] = ["a.example"],
        names: LinkList.Names = LinkList.Names(), problems: [FieldProblem] = []
    ) -> String {
        NewLinkPage(frame: .sample(.editor), draft: draft, drafted: drafted, hosts: hosts, names: names, problems: problems).html.markup
    }

    private static var whole: DraftedLink {
        var drafted = DraftedLink()
        (drafted.place, drafted.suffix) = (LinkPlace(host: "a.example", path: LinkPath(stored: "/beach")), .free)
        drafted.card = LinkCard(title: "<i>", text: "Text", image: nil)
        drafted.happenings = [
            LinkTapOutcome(device: .ios, isInApp: false, installed: .app, missing: .store("https://apps.example/1")),
            LinkTapOutcome(device: .ios, isInApp: true, installed: .page([]), missing: .page([])),
            LinkTapOutcome(device: .android, isInApp: false, installed: .web("https://w.example"), missing: .web("https://w.example")),
            LinkTapOutcome(device: .ipadOrMac, isInApp: false, installed: .app, missing: .expired),
        ]
        return drafted
    }

    @Test("A problem leads to a field only if the form has it")
    func problems() {
        let problems = [FieldProblem("domain", "wrong")]

        #expect(Self.markup(hosts: ["a.example", "b.example"], problems: problems).contains("#domain"))
        let one = Self.markup(problems: problems)
        #expect(!one.contains("#domain") && one.contains("wrong"))
    }

    @Test("A form has a label for every field, and its proof")
    func labels() {
        var draft = LinkDraft()
        draft.when = "DE </textarea>"
        var names = LinkList.Names()
        (names.campaigns, names.tags, names.folders) = (["<x>"], ["<x>"], ["<x>"])
        let markup = Self.markup(
            draft, Self.whole, hosts: ["a.example", "b.example"], names: names, problems: [FieldProblem("suffix", "taken")])

        for match in markup.matches(of: /<(?:input|select|textarea) id="([a-zA-Z_]+)"/) {
            #expect(markup.contains("<label for=\"\(match.output.1)\">"), "\(match.output.1)")
        }
        #expect(markup.contains("aria-describedby=\"suffix-hint suffix-problem\""))
        #expect(markup.ranges(of: "method=\"post\"").count == markup.ranges(of: "name=\"csrf\" value=\"proof\"").count)
        #expect(markup.ranges(of: "<option value=\"&lt;x&gt;\">").count == 3 && markup.contains("\nDE &lt;/textarea&gt;</textarea>"))
    }

    @Test("A part is open where its fields say something or are wrong, and says it in a few words beside its name")
    func folds() {
        var draft = LinkDraft()
        draft.to = "https://example.com/?utm_source=news+letter"
        (draft.campaign, draft.channels, draft.code, draft.ios) = ("<spring>", "mail\r\npush", true, "store web")

        let markup = Self.markup(draft, problems: [FieldProblem("expires", "past")])

        for (isOpen, fold, said) in [
            (true, LinkFold.labels, "&lt;spring&gt; · mail · push"), (true, .analytics, "news letter"),
            (true, .ways, "iOS: store web · code to type"), (true, .times, ""), (false, .card, ""), (false, .targets, ""),
        ] {
            let name = fold.title(Words(.english)), mark = "<span class=\"quiet\" id=\"\(fold.place)\" translate=\"no\">\(said)</span>"
            #expect(markup.contains("<details\(isOpen ? " open" : "")><summary>\(name)\(mark)</summary>"), "\(fold)")
        }
    }

    @Test("Channels whose names have the same letters get addresses of their own")
    func endings() {
        var draft = LinkDraft(), problems: [FieldProblem] = []
        (draft.to, draft.suffix, draft.channels) = ("https://example.com/", "sale", "mail\nmail-3\nMail")

        let newLinks = draft.newLinks(Words(.english), nowMs: 0, &problems)

        #expect(newLinks.map(\.suffix) == ["sale", "sale-mail", "sale-mail-3", "sale-mail-3-3"] && problems.isEmpty)
    }

    @Test("What is said in a fold is cut")
    func long() {
        var draft = LinkDraft()
        draft.title = String(repeating: "x", count: 300)

        #expect(draft.said(in: .card, Words(.english)) == String(repeating: "x", count: 60) + "…")
    }

    @Test("Each part that a script gets has its place on the page, and no id is there twice")
    func parts() {
        var draft = LinkDraft()
        draft.to = "https://example.com/?utm_term=%22%3E"

        let page = Self.markup(draft, Self.whole), parts = Self.whole.parts(of: draft, Words(.english)).markup

        let ids = page.matches(of: /\sid="([^"]+)"/).map(\.output.1)
        let places = parts.matches(of: /<[a-z]+ id="([^"]+)"[^>]* data-part>/).map(\.output.1)
        #expect(Set(ids).count == ids.count)
        #expect(places.count == 9 + LinkFold.allCases.count && places.allSatisfy { ids.contains($0) }, "\(places)")
        #expect(parts.contains("<input id=\"utm_term\" value=\"&quot;&gt;\" data-part>"))
    }

    @Test("The link is told in a few lines: the address, the preview, and the browsers of phones and computers")
    func told() {
        let markup = Self.whole.html(Words(.english)).markup

        #expect(markup.contains("value=\"https://a.example/beach\"") && markup.contains("class=\"link-qr\""))
        #expect(markup.contains("<strong>&lt;i&gt;</strong><p>Text</p><p class=\"quiet\">a.example</p>"))
        let terms = markup.matches(of: /<dt>([^<]*)<\/dt>/).map(\.output.1)
        #expect(terms == ["iPhone · App installed", "iPhone · App not installed", "Android"])
    }

    @Test("A refused suffix is told once; the cursor is in the first field of a form where nothing is written")
    func once() {
        var drafted = DraftedLink()
        drafted.suffix = .refused("taken!")
        var draft = LinkDraft()

        #expect(Self.markup(draft, drafted).ranges(of: "taken!").count == 1)
        // At the field, and in the summary.
        #expect(Self.markup(draft, drafted, problems: [FieldProblem("suffix", "taken!")]).ranges(of: "taken!").count == 2)
        #expect(Self.markup(draft).contains(" autofocus"))
        draft.to = "https://example.com/"
        #expect(!Self.markup(draft).contains(" autofocus"))
    }

    @Test("Without a domain there is no link to show")
    func noDomain() {
        let markup = Self.markup(hosts: [])

        #expect(markup.contains(Words(.english).linkNoHost) && !markup.contains("data-parts") && !markup.contains("name=\"show\""))
    }
}

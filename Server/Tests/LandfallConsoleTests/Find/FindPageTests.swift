// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Finding anything", .timeLimit(.minutes(1)))
struct FindPageTests {
    @Test(
        "Every word of a query occurs, in any order and of any case; an empty query fits everything",
        arguments: [
            ("new pay", "New paywall", true), ("  PAYWALL new ", "New paywall", true), ("new link", "New paywall", false), ("", "Links", true),
            ("リンク", "リンクを作成", true), ("pay\u{3000}new", "New paywall", true),
        ])
    func words(query: String, text: String, isFound: Bool) { #expect(FindQuery(query).matches(text) == isFound) }

    @Test("A query ends after its limit of bytes, between two characters")
    func longest() {
        let query = FindQuery(String(repeating: "é", count: FindQuery.longest))

        #expect(query.text.utf8.count == FindQuery.longest && query.text.allSatisfy { $0 == "é" })
    }

    @Test("Of many names eight are found, those that begin with the query first, each in its order")
    func best() {
        let names = (0..<20).map { "old-summer-\($0)" } + ["Summer", "summer-2"]

        #expect(FindQuery("summer").best(of: names) == ["Summer", "summer-2"] + names.prefix(6))
        #expect(FindQuery("winter").best(of: names).isEmpty)
    }

    @Test("Who may do something finds the way to it; a file that owns the configuration is changed elsewhere", arguments: Role.allCases)
    func actions(role: Role) {
        var frame = Frame.sample(role)
        let all = FindAction.all(for: frame)
        frame.isFileOwned = true

        #expect(all.contains(.makeLink) == role.rights.contains(.links) && all.contains(.newPaywall) == role.rights.contains(.publishing))
        #expect(all.contains(.invite) == role.rights.contains(.members))
        #expect(FindAction.all(for: frame) == all.filter { [.makeLink, .importLinks, .invite].contains($0) })
    }

    @Test("The page has each thing with its way, escaped, and says where nothing was found", arguments: Language.allCases)
    func page(language: Language) {
        var found = FoundThings()
        found.add("Empty", [])
        found.add("Links", [FoundThings.Thing("go<3>", "to<3>", at: Place("/console/links/show", query: [("url", "a&b")]))])

        let page = FindPage(frame: .sample(.owner, language), query: "\"<3>", found: found).html.markup
        let nothing = FindPage(frame: .sample(.support, language), query: "x", found: FoundThings()).html.markup

        #expect(page.contains("<a href=\"/console/links/show?url=a%26b\"><span>go&lt;3&gt;</span><span class=\"quiet\">to&lt;3&gt;</span></a>"))
        #expect(page.contains("value=\"&quot;&lt;3&gt;\"") && !page.contains("<3>") && !page.contains("<h2>Empty"))
        #expect(page.contains(Words(language).findPeopleHint))
        #expect(nothing.contains("<p class=\"empty\">\(Words(language).foundNothing)</p>") && !nothing.contains("<h2>Links"))
    }

    @Test("Every page has the command bar and a link to it, with script or without, also where shortcuts are off", arguments: [true, false])
    func bar(hasShortcuts: Bool) {
        var frame = Frame.sample()
        frame.hasShortcuts = hasShortcuts
        let markup = AuditPage(frame: frame, entries: [], before: nil).html.markup

        #expect(markup.contains("<a class=\"finder\" href=\"/console/find\" data-find"))
        #expect(markup.contains("aria-keyshortcuts=\"/ Control+K Meta+K\"") == hasShortcuts)
        #expect(markup.contains("<dialog id=\"find\"") && markup.contains("<form action=\"/console/find\" role=\"search\">"))
        for part in ["role=\"combobox\"", "aria-controls=\"find-list\"", "id=\"find-list\" class=\"found\" role=\"listbox\"", "method=\"dialog\""] {
            #expect(markup.components(of: part) == 1, "\(part)")
        }
    }

    @Test(
        "A browser keeps pages about one thing, without what an address says besides, and never one about a person",
        arguments: [
            (.audiences, "/console/audiences/spring?count=now", "/console/audiences/spring"), (.audiences, "/console/audiences?q=x", nil),
            (.versions, "/console/versions/12", "/console/versions/12"), (.versions, "/console/versions/draft", nil),
            (.links, "/console/links/show?url=https%3A%2F%2Fa.b%2Fc&made=1", "/console/links/show?url=https%3A%2F%2Fa.b%2Fc"),
            (.links, "/console/links/edit?url=https%3A%2F%2Fa.b%2Fc", nil), (.links, "/console/links/show", nil),
            (.paywalls, "/console/new/paywall", nil), (.experiments, "/console/experiments/price/start", nil),
            (.profiles, "/console/profiles/i_0198f0c2", nil), (.members, "/console/settings/members", nil), (nil, "/console/find?q=x", nil),
        ] as [(Frame.Section?, String, String?)])
    func kept(section: Frame.Section?, address: String, place: String?) {
        var frame = Frame(words: Words(.english), app: "Clothes", memberName: "Maya", role: .owner, formToken: "proof", address: address)

        #expect(frame.thing(section)?.text == place)
        #expect(frame.commandBar(section).markup.contains("data-place=") == (place != nil))
        // Going back to a version answers with a draft, at the address of the version.
        frame.answersForm = true
        #expect(frame.thing(section) == nil)
    }
}

extension String {
    /// How often a part occurs.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallServer
import Testing

@testable import LandfallConsole

@Suite("The help of the console", .timeLimit(.minutes(1)))
struct HelpPagesTests {
    private static func frame(_ role: Role = .owner, _ language: Language = .english) -> Frame {
        Frame(words: Words(language), app: "Clothes", memberName: "Maya", role: role, formToken: "proof", address: "/console/help")
    }

    /// Every page, by its address.
    private static func pages(_ frame: Frame) -> [String: String] {
        [
            "/console/help": HelpContentsPage(frame: frame).html.markup, "/console/help/first-day": FirstDayPage(frame: frame).html.markup,
            "/console/help/numbers": HelpNumbersPage(frame: frame).html.markup, "/console/help/glossary": GlossaryPage(frame: frame).html.markup,
        ]
    }

    @Test("Each section of the console has its part, on the page to which its link leads", arguments: Language.allCases)
    func parts(language: Language) throws {
        let frame = Self.frame(.owner, language), pages = Self.pages(frame)

        for section in Frame.Section.allCases {
            let address = section.help.split(separator: "#").map(String.init)
            let page = try #require(pages[address[0]], "\(section)")
            #expect(page.ranges(of: "id=\"\(address[1])\"").count == 1, "\(section)")
            #expect(page.contains(frame.words.about(section).escapedForHTML), "\(section)")
        }
        for part in HelpPart.allCases {
            #expect(pages["/console/help"]?.contains("href=\"\(part.place.text)\"") == true && pages[part.place.text] != nil)
        }
    }

    @Test("A page has one link to its part, beside its title; pages of the help have none")
    func link() {
        let audit = AuditPage(frame: .sample(), entries: [], before: nil).html.markup

        #expect(audit.contains("</h1><a class=\"help\" href=\"/console/help#about-audit\" aria-label=\"Help: Audit log\">?</a>"))
        for (address, page) in Self.pages(Self.frame()) { #expect(!page.contains("class=\"help\""), "\(address)") }
    }

    @Test("The menu leads to the help from every page, and a key does; its own pages are marked there", arguments: Role.allCases)
    func menu(role: Role) {
        let account = AccountPage(frame: .sample(role), email: "m", sessions: []).html.markup

        #expect(account.ranges(of: "<a href=\"/console/help\" data-key=\"q\">Help</a>").count == 2)
        for (address, page) in Self.pages(Self.frame(role)) {
            #expect(page.ranges(of: "<a href=\"/console/help\" aria-current=\"page\" data-key=\"q\">Help</a>").count == 2, "\(address)")
        }
    }

    @Test("Every number of a report is there, in the words of the report", arguments: Language.allCases)
    func numbers(language: Language) throws {
        let words = Words(language), page = try #require(Self.pages(Self.frame(.viewer, language))["/console/help/numbers"])

        for column in ["firstOpens", "attributed", "late", "clicks", "buttonTaps", "exposures", "elapsed.p95", "rate.purchased"] {
            let meaning = try #require(words.definition(of: column), "\(column)")
            #expect(page.contains("<dt>\(words.column(column).escapedForHTML)</dt><dd>\(meaning.escapedForHTML)</dd>"), "\(column)")
        }
        for column in [RevenueColumn.netMilliunits, .mrrMilliunits, .roas] {
            #expect(page.contains(words.definition(of: column).escapedForHTML), "\(column)")
        }
        #expect(!page.contains("<dd></dd>"))
    }

    @Test("The glossary explains each word once", arguments: Language.allCases)
    func glossary(language: Language) {
        let terms = Words(language).glossary.flatMap(\.terms)

        #expect(terms.count > 40 && Set(terms.map(\.term)).count == terms.count && Set(terms.map(\.meaning)).count == terms.count)
    }

    @Test("Members are led only to pages that they may open")
    func roles() {
        for page in Self.pages(Self.frame(.support)).values {
            let main = page.split(separator: "<main").last ?? ""
            #expect(!main.contains("href=\"/console/reports") && !main.contains("href=\"/console/settings/members\""))
        }
        let contents = HelpContentsPage(frame: Self.frame(.support)).html.markup
        #expect(contents.contains("id=\"about-profiles\"") && !contents.contains("id=\"about-audit\""))
    }

    @Test("Pictures say what they are, and a page is within its bytes", arguments: Language.allCases)
    func pictures(language: Language) {
        let assets = Asset.all.reduce(0) { $0 + $1.bytes.count }
        for (address, page) in Self.pages(Self.frame(.owner, language)) {
            let named = page.matches(of: /<svg class="picture" viewBox="[^"]*" role="img" aria-label="[^"]+">/)
            #expect(page.utf8.count + assets <= 100_000, "\(address)")
            #expect(page.ranges(of: "class=\"picture\"").count == named.count, "\(address)")
        }
        #expect(FirstDayPage(frame: Self.frame(.owner, language)).html.markup.ranges(of: "class=\"picture\"").count == 5)
    }
}

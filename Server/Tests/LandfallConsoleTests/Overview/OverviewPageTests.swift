// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The overview", .timeLimit(.minutes(1)))
struct OverviewPageTests {
    private func page(_ figures: [OverviewPage.Figure], _ checklist: Checklist? = nil) -> String {
        var page = Self.page()
        (page.figures, page.checklist, page.campaigns) = (figures, checklist, [.init([.init("source", "<b>")], [7, nil])])
        return page.html.markup
    }

    private static func page(_ values: [String: String] = [:], _ language: Language = .english) -> OverviewPage {
        OverviewPage(
            frame: .sample(.owner, language), query: OverviewQuery(values), from: "2026-11-01", to: "2026-11-28", today: "2026-11-28",
            completeToMilliseconds: 0)
    }

    @Test("A figure shows its share and its change; what cannot be known is a dash, not zero")
    func figures() {
        let markup = page([
            .init(.attributed, 50, before: 40, of: 200, definition: ""), .init(.clicks, nil, before: 3, definition: ""),
        ])

        #expect(markup.contains(">25 %<") && markup.contains("+25 %") && markup.contains("against 40 before"))
        #expect(markup.contains("<dd class=\"value\">–</dd>"))
        #expect(markup.contains("&lt;b&gt;") && markup.contains(" class=\"number\">–</td>"))
    }

    @Test("A server without a time before says so once; otherwise each number without one says it")
    func nothingBefore() {
        let nothing = "Nothing before to compare"
        let new = page([.init(.attributed, 50, before: 0, of: 200, definition: ""), .init(.clicks, 3, before: nil, definition: "")])
        let older = page([.init(.attributed, 50, before: 40, of: 200, definition: ""), .init(.clicks, 3, before: 0, definition: "")])

        #expect(new.ranges(of: nothing).count == 1 && new.contains("<p class=\"note\">\(nothing)</p>"))
        #expect(older.ranges(of: nothing).count == 1 && older.contains("<dd class=\"before\">\(nothing)</dd>"))
    }

    @Test("The time to the paywall is in seconds, with the slowest below the comparison; a metric is called as the configuration calls it")
    func times() {
        var time = OverviewPage.Figure(.timeToPaywall, 564, before: 1_128, definition: "")
        time.further = 2_940
        let markup = page([time, .init(.converted("trial"), 3, before: nil, of: 12, definition: "")])

        #expect(markup.contains("against 1.13 s before</dd><dd class=\"before\">95 of 100 within 2.94 s</dd></div>"))
        #expect(markup.contains("0.56 s") && markup.contains("−50 %") && markup.contains("against 1.13 s before"))
        #expect(markup.contains("Converted: trial") && markup.contains(">25 %<") && markup.contains("sort=-converted.trial"))
    }

    @Test("Net revenue is money of its currency, with its change, and leads to the revenue of the same days; left out for few payers it is a dash")
    func revenue() {
        let markup = page([.init(.net(currency: "EUR"), 1_299_000, before: 1_000_000, definition: "")])

        #expect(markup.contains("<dt><a href=\"/console/reports/revenue\">Net revenue</a></dt><dd class=\"value\">€1,299.00</dd>"))
        #expect(markup.contains("+30 %") && markup.contains(" against €1,000.00 before") && markup.contains("What was paid on these days (in UTC)"))
        #expect(page([.init(.net(currency: "EUR"), nil, before: nil, definition: "")]).contains("<dd class=\"value\">–</dd>"))
    }

    @Test("What the numbers mean is said once for each number, in the language of the page", arguments: Language.allCases)
    func definitions(language: Language) {
        var page = Self.page([:], language)
        page.figures = [
            .init(.firstOpens, 5, before: nil, definition: "Installs that opened."), .init(.clicks, 5, before: nil, definition: "Taps."),
            .init(.timeToPaywall, 5, before: nil, definition: "Half of them."),
        ]

        let markup = page.html.markup

        #expect(markup.contains(Words(language).whatNumbersMean) && markup.ranges(of: "<dl class=\"terms\">").count == 1)
        #expect(markup.contains("Taps.") == (language == .english) && markup.contains("Half of them.") == (language == .english))
    }

    @Test("The page says how complete its numbers are, and loads itself again without script while steps are open")
    func notes() {
        #expect(page([]).contains("Complete to 1970-01-01 00:00 UTC") && !page([]).contains("http-equiv"))
        let open = page([], Checklist(done: [.firstOpen]))
        #expect(open.contains("http-equiv=\"refresh\"") && open.ranges(of: "class=\"done\"").count == 1)
        #expect(Checklist(done: Set(Checklist.Step.allCases)).isComplete)
    }

    @Test("A step says its state to readers, and has the word for the script that ticks it", arguments: Language.allCases)
    func states(language: Language) {
        let markup = Checklist(done: [.firstOpen]).html(.sample(.owner, language)).markup, words = Words(language)

        #expect(markup.ranges(of: "role=\"status\"").count == Checklist.Step.allCases.count)
        #expect(markup.ranges(of: "class=\"hidden state\" data-done=\"\(words.isDone)\">\(words.isOpen)<").count == 4)
        #expect(markup.ranges(of: "class=\"hidden state\" data-done=\"\(words.isDone)\">\(words.isDone)<").count == 1)
    }

    @Test("Figures and warnings lead to the reports of the same days, with the filters")
    func reports() {
        var page = Self.page(["days": "7", "source": "link"])
        page.figures = [.init(.shown, 5, before: nil, definition: "")]
        #expect(!page.html.markup.contains("To look at"))
        page.warnings = [.late(1_200), .expiredClicks(3), .behind(12)]

        let markup = page.html.markup
        page.query.isEverybody = true

        #expect(markup.contains("href=\"/console/reports/links?days=7&amp;source=link\">All links</a>"))
        #expect(markup.contains("days=7&amp;sort=-late&amp;source=link\">Installs that saw a paywall before their source was known: 1,200</a>"))
        #expect(markup.contains("sort=-expiredClicks") && markup.contains("minutes behind: 12<"))
        #expect(markup.contains("/console/reports/funnel?days=7&amp;source=link\">Paywall shown"))
        #expect(markup.contains("/console?days=7&amp;source=link&amp;who=everybody\">Everybody"))
        #expect(page.html.markup.contains("/console/reports/paywalls?days=7&amp;source=link\">Paywall shown"))
    }

    @Test("Each value of a line filters the page by itself and those before it; the smallest groups together filter nothing")
    func lines() {
        var page = Self.page(["days": "7", "country": "DE"])
        page.campaigns = [.init([.init("source", "link"), .init("campaign", "summer")], [7, 1]), .init([.init("source", "")], [3, 0]), .init([], [2, 2])]
        page.links = [.init([.init("link", "go.example.com/beach")], [2, 2])]
        page.origins = [.init([.init("origin", "cache")], [4])]

        let markup = page.html.markup

        #expect(
            markup.contains(
                "<a href=\"/console?days=7&amp;country=DE&amp;source=link\">link</a> › <a href=\"/console?days=7&amp;country=DE&amp;source=link&amp;campaign=summer\">summer</a>"))
        #expect(markup.contains("country=DE&amp;source=\">Not known</a>") && markup.contains(" scope=\"row\">Other</th>"))
        #expect(markup.contains("country=DE&amp;link=go.example.com%2Fbeach\">go.example.com/beach</a>"))
        #expect(markup.contains("/console/reports/paywalls?days=7&amp;origin=cache&amp;country=DE\">Kept on the phone</a>"))
    }

    @Test("Filters and chosen days are chips that a click removes; what is not counted by them is named, and no block of it is there")
    func filters() {
        var page = Self.page(["from": "2026-11-02", "to": "2026-11-02", "days": "90", "country": "DE", "toaster": "1"])
        (page.from, page.to, page.unmatched) = ("2026-11-02", "2026-11-02", ["country"])
        page.uncounted = [.links, .figure(.timeToPaywall), .origins]

        let markup = page.html.markup

        #expect(markup.contains("href=\"/console?days=90&amp;country=DE&amp;toaster=1\"><span class=\"hidden\">Remove the filter </span>Day: 2 Nov"))
        #expect(markup.contains("href=\"/console?from=2026-11-02&amp;to=2026-11-02&amp;days=90&amp;toaster=1\"") && markup.contains("No row has it"))
        #expect(markup.contains("Not counted by these filters, so not shown: Links, Time to paywall, Where shown paywalls came from"))
        #expect(!markup.contains("All links") && markup.contains("No rows have these filters"))
        page.isHidden = true
        #expect(page.html.markup.contains("Remove a filter.") && !page.html.markup.contains("All campaigns"))
    }

    @Test("A day of the chart narrows the whole page, and the days are a file")
    func days() {
        var page = Self.page(["source": "link", "by": "country", "who": "everybody"])
        page.days = ["2026-11-01", "2026-11-02"].map { DayChart.Day(date: $0, value: 1, before: nil, isWhole: true) }

        let markup = page.html.markup

        #expect(markup.contains("href=\"?from=2026-11-01&amp;to=2026-11-01&amp;by=country&amp;source=link&amp;who=everybody\""))
        #expect(markup.contains("href=\"/console/reports/overview.csv?source=link\">Download CSV</a>"))
    }
}

@Suite("What an address asks of the overview", .timeLimit(.minutes(1)))
struct OverviewQueryTests {
    @Test("Days, filters, the split of the list and whose paywalls are in the address again; other parameters are not")
    func address() {
        let query = OverviewQuery(["days": "7", "campaign": "a b", "by": "country", "who": "everybody", "sort": "late", "page": "3", "compare": "before"])

        #expect(query.place.text == "/console?days=7&by=country&campaign=a%20b&who=everybody")
        #expect(query.filters == [.init("campaign", "a b")] && query.fields == ["country"] && query.isEverybody)
        #expect(OverviewQuery([:]).place.text == "/console" && OverviewQuery(["by": "toaster,day"]).fields == ["source", "campaign"])
    }

    @Test("A second value of a field takes the place of the first one")
    func narrowed() {
        let query = OverviewQuery(["source": "link", "country": "DE"]).narrowed(to: [.init("source", "tenjin")])

        #expect(Set(query.filters) == [.init("source", "tenjin"), .init("country", "DE")])
        #expect(query.asked(of: .campaigns, by: ["source", "campaign"]).place.text == "/console/reports/campaigns?country=DE&source=tenjin")
        #expect(query.asked(of: .campaigns, by: ["country"]).fields == ["country"])
    }
}

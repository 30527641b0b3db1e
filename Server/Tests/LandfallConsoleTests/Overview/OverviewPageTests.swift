// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The overview", .timeLimit(.minutes(1)))
struct OverviewPageTests {
    private func page(_ figures: [OverviewPage.Figure], _ checklist: Checklist? = nil, days: [DayChart.Day] = []) -> String {
        OverviewPage(
            frame: .sample(), from: "2026-11-01", to: "2026-11-28", length: 28, completeToMilliseconds: 0, checklist: checklist,
            figures: figures, days: days, origins: [], campaigns: [.init("<b>", [7, nil])], links: []
        ).html.markup
    }

    @Test("A figure shows its share and its change; what cannot be known is a dash, not zero")
    func figures() {
        let markup = page([
            .init(.attributed, 50, before: 40, of: 200, definition: ""), .init(.clicks, nil, before: 3, definition: ""),
        ])

        #expect(markup.contains(">25 %<") && markup.contains("+25 %") && markup.contains("than 40 before"))
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

        #expect(markup.contains("than 1.13 s before</dd><dd class=\"before\">95 of 100 within 2.94 s</dd></div>"))
        #expect(markup.contains("0.56 s") && markup.contains("−50 %") && markup.contains("than 1.13 s before"))
        #expect(markup.contains("Converted: trial") && markup.contains(">25 %<") && markup.contains("sort=-converted.trial"))
    }

    @Test("Net revenue is money of its currency, with its change, and leads to the revenue of the same days; left out for few payers it is a dash")
    func revenue() {
        let markup = page([.init(.net(currency: "EUR"), 1_299_000, before: 1_000_000, definition: "")])

        #expect(markup.contains("<dt><a href=\"/console/reports/revenue\">Net revenue</a></dt><dd class=\"value\">€1,299.00</dd>"))
        #expect(markup.contains("+30 %") && markup.contains(" than €1,000.00 before") && markup.contains("What was paid on these days (in UTC)"))
        #expect(page([.init(.net(currency: "EUR"), nil, before: nil, definition: "")]).contains("<dd class=\"value\">–</dd>"))
    }

    @Test("What the numbers mean is said once for each number, in the language of the page", arguments: Language.allCases)
    func definitions(language: Language) {
        let page = OverviewPage(
            frame: .sample(.owner, language), from: "2026-11-01", to: "2026-11-28", length: 28, completeToMilliseconds: 0, checklist: nil,
            figures: [
                .init(.firstOpens, 5, before: nil, definition: "Installs that opened."), .init(.clicks, 5, before: nil, definition: "Taps."),
                .init(.timeToPaywall, 5, before: nil, definition: "Half of them."),
            ], days: [], origins: [], campaigns: [], links: [])

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

    @Test("Figures, lines and warnings lead to the reports of the same days")
    func reports() {
        var page = OverviewPage(
            frame: .sample(), from: "2026-11-22", to: "2026-11-28", length: 7, completeToMilliseconds: 0, checklist: nil,
            figures: [.init(.shown, 5, before: nil, definition: "")], days: [], origins: [],
            campaigns: [.init("link › summer", [7, 1], report: ReportQuery(.campaigns, ["source": "link", "campaign": "summer", "days": "7"]))],
            links: [.init("Other", [2, 2])])
        #expect(!page.html.markup.contains("To look at"))
        page.warnings = [.late(1_200), .expiredClicks(3), .behind(12)]

        let markup = page.html.markup
        page.isEverybody = true

        #expect(markup.contains("href=\"/console/reports/campaigns?days=7&amp;campaign=summer&amp;source=link\">link › summer</a>"))
        #expect(markup.contains(" scope=\"row\">Other</th>") && markup.contains("href=\"/console/reports/links?days=7\">All links</a>"))
        #expect(markup.contains("days=7&amp;sort=-late\">Installs that saw a paywall before their source was known: 1,200</a>") && markup.contains("sort=-expiredClicks") && markup.contains("minutes behind: 12<"))
        #expect(markup.contains("/console/reports/funnel?days=7\">Paywall shown") && markup.contains("/console?days=7&amp;who=everybody\">Everybody"))
        #expect(page.html.markup.contains("/console/reports/paywalls?days=7\">Paywall shown"))
    }
}

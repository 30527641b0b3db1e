// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallReports

@Suite("The page of revenue", .timeLimit(.minutes(1)))
struct RevenuePageTests {
    private static let totals = SampleRevenue.values([
        .purchases: 40, .grossMilliunits: 520_000, .refundsMilliunits: 20_000, .netMilliunits: 500_000, .proceedsEstimatedMilliunits: 350_500,
        .upgradeCreditEstimatedMilliunits: 0, .trialsStarted: 12, .trialsPaid: 5, .refunds: 2,
    ])
    private static let document = SampleRevenue.document(
        [
            ("<ads>", SampleRevenue.values([.purchases: 30, .netMilliunits: 400_000])), ("unknown", SampleRevenue.values([.purchases: 7, .netMilliunits: 70_000])),
            ("before", SampleRevenue.values([.purchases: 3, .netMilliunits: nil])), ("other", SampleRevenue.values([.purchases: 0, .netMilliunits: -10_000])),
        ], totals: totals)

    @Test("says first what was earned on these days, in the currency of figures, and marks what is estimated")
    func figures() {
        let markup = SampleRevenue.page(Self.document)

        #expect(markup.contains("<dt>Net</dt><dd class=\"value\">$500.00</dd>"))
        #expect(markup.contains("<dt>Proceeds (estimated)</dt><dd class=\"value\">$350.50</dd>"))
        #expect(markup.contains("<dt>Purchases</dt><dd class=\"value\">40</dd>") && markup.contains("<dt>Trials started</dt><dd class=\"value\">12</dd>"))
        #expect(markup.contains("<dt>Trial → paid</dt><dd class=\"value\">5</dd>"))
        #expect(markup.contains("<dt>Paid back</dt><dd class=\"value\">$20.00<span class=\"share\">5.0 %</span></dd>"))
        #expect(markup.contains("Days in UTC") && markup.contains("are estimated: the App Store does not say"))
    }

    @Test("has rows with their money, a dash for what is unknown, and the totals; nothing of a key is markup")
    func rows() {
        let markup = SampleRevenue.page(Self.document)

        #expect(markup.contains(">&lt;ads&gt;</a></th>") && !markup.contains("<ads>"))
        #expect(markup.contains("?by=campaign&amp;source=unknown\">Not known</a></th>") && markup.contains("source=before\">Before the first open</a></th>"))
        #expect(markup.contains("<th scope=\"row\">Other</th><td class=\"number\">0</td>") && markup.contains(">−$10.00</td>"))
        #expect(markup.contains("<caption class=\"hidden\">Purchases</caption>") && markup.contains("<tfoot><tr><th scope=\"row\">Total</th>"))
        #expect(markup.contains("<td class=\"number\">–</td>"))
        #expect(markup.contains("href=\"/console/reports/revenue?sort=-netMilliunits\">Net</a>"))
        #expect(markup.contains("/console/reports/revenue.csv\">Download CSV") && markup.contains("/console/reports/revenue.json\">Download JSON"))
    }

    @Test("orders rows by a column either way, those without a value last", arguments: [("-netMilliunits", "a b c"), ("netMilliunits", "b a c"), ("-source", "c b a")])
    func order(sort: String, names: String) throws {
        let document = SampleRevenue.document(
            [
                ("a", SampleRevenue.values([.netMilliunits: 3])), ("b", SampleRevenue.values([.netMilliunits: 1])), ("c", SampleRevenue.values([:])),
            ], totals: Self.totals)
        let order = try #require(ReportQuery.Sort(sort))

        #expect(document.has(order) && document.sorted(by: order).rows.map { $0.key["source"] ?? "" }.joined(separator: " ") == names)
        #expect(!document.has(.init("weight", isAscending: true)) && !document.has(.init("churn", isAscending: true)))
    }

    @Test("says what no rate converts and what erased people have paid, each in a sentence")
    func sentences() {
        let document = SampleRevenue.document(
            [], totals: Self.totals,
            unconverted: [.init(currency: "EUR", grossMilliunits: 12_000, refundsMilliunits: 3_000), .init(currency: "JPY", grossMilliunits: 800_000, refundsMilliunits: 0)],
            erased: SampleRevenue.values([.purchases: 6, .netMilliunits: 60_000]))
        let markup = SampleRevenue.page(document)

        #expect(markup.contains("no rate converts it: €12.00 (of it paid back: €3.00), ¥800. Add rates under purchases"))
        #expect(markup.contains("from people who were erased since: $60.00."))
        let plain = SampleRevenue.page(Self.document)
        #expect(!plain.contains("no rate converts it") && !plain.contains("erased"))
    }

    @Test("without a currency for figures shows no money, and says what to write")
    func noCurrency() {
        let totals = SampleRevenue.values([.purchases: 0, .netMilliunits: 0, .trialsStarted: 3])
        let document = SampleRevenue.document(
            [], totals: totals, currency: nil, unconverted: [.init(currency: "EUR", grossMilliunits: 12_000, refundsMilliunits: 0)])
        let markup = SampleRevenue.page(document)

        #expect(markup.contains("<dt>Net</dt><dd class=\"value\">–</dd>") && markup.contains("<dt>Trials started</dt><dd class=\"value\">3</dd>"))
        #expect(markup.contains("names no currency: €12.00. Write purchases.currency and rates."))
        #expect(!markup.contains("<figure"))
    }

    @Test("that is empty says what to do: the address for Apple, the products, the call of the SDK", arguments: RevenueView.allCases)
    func empty(view: RevenueView) {
        let document = SampleRevenue.document([], totals: RevenueValues(RevenueColumn.list(view)), view)
        let markup = SampleRevenue.page(document, ["view": view.rawValue]) { $0.isEmpty = true }

        #expect(markup.contains("https://YOUR-SERVER/v1/app-store/notifications") && markup.contains("landfall.observePurchases()"))
        #expect(markup.contains("products: { com.example.app.yearly") && markup.contains("never revenue"))
        #expect(!markup.contains("<table") && !markup.contains("class=\"figures"))
    }

    @Test("draws money by day, also a day that paid more back than it earned")
    func chart() throws {
        let days = [
            DayChart.Day(date: "2026-11-01", value: 30_000, before: nil, isWhole: true),
            DayChart.Day(date: "2026-11-02", value: -10_000, before: nil, isWhole: true),
        ]
        let markup = SampleRevenue.page(Self.document) { $0.days = days }
        let figure = try #require(markup.firstRange(of: "<figure class=\"chart\">").map { markup[$0.lowerBound...] })

        #expect(markup.contains("<h2>Net by day</h2>") && figure.contains("<p class=\"top\" aria-hidden=\"true\">$30.00</p>"))
        #expect(figure.contains(": $20.00. Highest, 1 Nov: $30.00") && figure.contains("<title>2026-11-02: −$10.00</title>"))
        // 40 dollars are 200 points: zero is at 150.
        #expect(figure.contains("y=\"0\" width=\"331.2\" height=\"150\"") && figure.contains("y=\"150\" width=\"331.2\" height=\"50\""))
        #expect(figure.contains("M0 150h920") && figure.contains("<td class=\"number\">−$10.00</td>"))
    }

    @Test("of subscriptions says what they are worth at the end, and cohorts what they have paid by their age")
    func views() {
        let running = SampleRevenue.values(
            [.active: 20, .trials: 3, .mrrMilliunits: 199_800, .arrMilliunits: 2_397_600, .started: 1, .ended: 2], .subscriptions, ratios: [.churn: 0.1])
        let cohort = SampleRevenue.values([.installs: 200, .payers: 10, .day7Milliunits: 90_000, .day30Milliunits: 100_000], .cohorts)
        let subscriptions = SampleRevenue.page(
            SampleRevenue.document([("2026-11-28", running)], by: .day, totals: running, .subscriptions), ["view": "subscriptions"]
        ) { $0.days = [DayChart.Day(date: "2026-11-27", value: 150_000, before: nil, isWhole: true), .init(date: "2026-11-28", value: 199_800, before: nil, isWhole: false)] }
        let cohorts = SampleRevenue.page(
            SampleRevenue.document([("2026-11-23", cohort)], by: .day, totals: cohort, .cohorts), ["view": "cohorts"]) { $0.hasWeeks = true }

        #expect(subscriptions.contains("<dt>MRR</dt><dd class=\"value\">$199.80</dd>") && subscriptions.contains("<dt>Churn</dt><dd class=\"value\">10 %</dd>"))
        #expect(subscriptions.contains("at the end $199.80") && !subscriptions.contains("$349.80"))
        #expect(cohorts.contains("<dt>Payers</dt><dd class=\"value\">10<span class=\"share\">5.0 %</span></dd>"))
        #expect(cohorts.contains("<dt>Net, day 90</dt><dd class=\"value\">–</dd>") && cohorts.contains(">Week from</a>"))
        // Nobody has asked Apple Ads what they cost.
        #expect(!cohorts.contains("ROAS") && !cohorts.contains("Spend"))
        #expect(cohorts.contains("view=cohorts\" aria-current=\"page\">Cohorts</a>"))
    }

    @Test("tells readers who may not see people that money of few is together; others that files have it so")
    func small() {
        let viewer = SampleRevenue.page(Self.document, [:], .viewer) { $0.isMerged = true }
        let owner = SampleRevenue.page(Self.document)

        #expect(viewer.contains("Money of fewer than 5 payers") && !viewer.contains("In files, groups of fewer than 5"))
        #expect(owner.contains("In files, groups of fewer than 5") && !owner.contains("Money of fewer than 5 payers"))
    }

    @Test("says which days it cannot read, and which words it does not know")
    func problems() {
        let markup = SampleRevenue.page(nil, ["by": "planet", "referrer": "summer"]) { $0.problems = [FieldProblem("from", "Write a day")] }

        #expect(markup.contains("href=\"#from\">Write a day</a>") && markup.contains("<details open>"))
        #expect(markup.contains("Referrer: summer") && markup.contains("This report does not know it") && !markup.contains("<table"))
    }

    @Test("has many rows on pages")
    func pages() {
        let rows = (1...101).map { ("s\($0)", SampleRevenue.values([.purchases: 9])) }
        let markup = SampleRevenue.page(SampleRevenue.document(rows, totals: Self.totals), ["page": "3"])

        #expect(markup.contains("Rows 101 to 101 of 101") && markup.contains(">s101<") && !markup.contains(">s100<"))
        #expect(markup.utf8.count < 60_000)
    }

    @Test("is in the reader's language, with its columns and what they mean", arguments: [Language.japanese, .chinese])
    func languages(language: Language) {
        let words = Words(language), english = Words(.english)
        for column in RevenueColumn.allCases {
            #expect(!words.title(of: column).isEmpty)
            #expect(words.definition(of: column) != column.definition && !words.definition(of: column).isEmpty, "\(column)")
        }
        for column in RevenueColumn.allCases where ![.mrrMilliunits, .arrMilliunits, .roas].contains(column) {
            #expect(words.title(of: column) != english.title(of: column), "\(column)")
        }
        for view in RevenueView.allCases {
            #expect(words.name(of: view) != english.name(of: view) && words.meaning(of: view) != english.meaning(of: view))
            #expect(words.noRevenue(view) != english.noRevenue(view))
        }
        for field in RevenueDimension.allCases { #expect(words.revenueField(field.rawValue) != english.revenueField(field.rawValue), "\(field)") }
        let markup = SampleRevenue.page(Self.document, [:], .owner, language)
        #expect(markup.contains(words.revenue) && !markup.contains("Revenue") && !markup.contains("Proceeds"))
    }

    @Test("has the report's own definitions in English, and the code has the same for translators")
    func definitions() throws {
        let source = try CatalogueSource().texts.map(\.text.english)
        for column in RevenueColumn.allCases where !column.rawValue.hasPrefix("day") { #expect(source.contains(column.definition), "\(column)") }
        #expect(RevenueColumn.day7Milliunits.definition == "Net of purchases up to 7 days after the first open.")
        #expect(source.contains("Net of purchases up to {0} days after the first open."))
        #expect(SampleRevenue.page(Self.document).contains("<dd>Gross without refunds.</dd>"))
    }
}

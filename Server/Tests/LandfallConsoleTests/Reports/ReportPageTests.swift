// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallReports

@Suite("A report's page", .timeLimit(.minutes(1)))
struct ReportPageTests {
    private static let columns = [
        SampleTable.column("firstOpens", "Installs."), SampleTable.column("rate.trial", "A share.", .ratio),
        SampleTable.column("revenue.all", "Money.", .milliunits),
    ]

    private static func table(_ rows: [SampleTable.Row], count: Int? = nil, before: [Double?] = []) -> ReportTable {
        SampleTable(by: ["source", "campaign"], columns: columns, rows: rows, totals: .init(values: [1_234, 0.5, nil], before: before)).table(count: count)
    }

    private static func page(
        _ values: [String: String] = [:], _ role: Role = .owner, _ language: Language = .english, _ change: (inout ReportPage) -> Void = { _ in }
    ) -> String {
        var page = ReportPage(
            frame: .sample(role, language), query: ReportQuery(.campaigns, values), from: "2026-11-01", to: "2026-11-28", today: "2026-11-28",
            timeZone: "Europe/Berlin", completeToLocalMilliseconds: 1_795_875_900_000)
        page.table = table([])
        change(&page)
        return page.html.markup.withoutCells
    }

    @Test("Rows have their key, their values and a way to their parts; what is unknown is a dash, and an unknown column is left out")
    func rows() {
        let markup = Self.page {
            $0.table = Self.table([
                .init(key: ["link", "<b>"], values: [7, 0.048, nil]), .init(key: [nil, nil], values: [2, nil, nil]),
                .init(key: ["other", "other"], values: [3, nil, nil]),
            ])
        }

        #expect(markup.contains("source=link&amp;campaign=%3Cb%3E\">&lt;b&gt;</a>") && !markup.contains("<b>"))
        #expect(markup.contains("<td class=\"number\">7</td><td class=\"number\">4.8 %</td></tr>"))
        #expect(markup.contains(">Not known</a>") && markup.contains("<td class=\"number\">–</td>"))
        #expect(markup.contains("<th scope=\"row\">Other</th>"))
        #expect(markup.contains("<tfoot><tr><th scope=\"row\">Total</th><td></td><td class=\"number\">1,234</td>"))
        #expect(!markup.contains("Revenue</th>") && !markup.contains("sort=revenue"))
        #expect(markup.contains("<dd>Installs.</dd>"))
    }

    @Test("Rows that revenue has too say what they have earned; the total is that of everything, and the smallest groups together have none")
    func nets() throws {
        func earned(_ source: String, _ campaign: String, _ net: Int64) -> RevenueDocument.Row {
            .init(key: ["source": source, "campaign": campaign], values: RevenueValues(RevenueColumn.list(.purchase), numbers: [.netMilliunits: net]))
        }
        let revenue = RevenueDocument(
            currency: "JPY", by: ["source", "campaign"], view: .purchase, from: "2026-11-01", to: "2026-11-28",
            rows: [earned("link", "summer", 500_000), earned("unknown", "unknown", 70_000), earned("other", "other", 9_000), earned("before", "before", 1_000)],
            totals: RevenueValues(RevenueColumn.list(.purchase), numbers: [.netMilliunits: 580_000, .purchases: 9]), unconverted: [],
            erased: RevenueValues(RevenueColumn.list(.purchase)), verified: nil)
        let nets = try #require(RowNets(revenue, [.source, .campaign]))
        let markup = Self.page {
            var table = Self.table([
                .init(key: ["link", "summer"], values: [7, nil, nil]), .init(key: [nil, nil], values: [2, nil, nil]),
                .init(key: ["link", "winter"], values: [3, nil, nil]), .init(key: ["other", "other"], values: [3, nil, nil]),
            ])
            table.nets = nets
            $0.table = table
        }
        let cells = markup.matches(of: /<td class="number">([^<]*)<\/td><\/tr>/).map { String($0.output.1) }

        #expect(cells == ["¥500", "¥70", "–", "–", "¥580"])
        #expect(markup.contains("<th class=\"number\" scope=\"col\">Net revenue</th></tr></thead>") && markup.contains("<dt>Net revenue</dt>"))
        #expect(!Self.page { $0.table = Self.table([.init(key: ["link", "summer"], values: [7, nil, nil])]) }.contains("Net revenue"))
    }

    @Test(
        "Only fields that mean the same in revenue have a net: not days of another zone, nor countries of phones",
        arguments: [
            (ReportName.campaigns, ["source", "campaign"], [.source, .campaign]), (.campaigns, ["country"], nil), (.campaigns, ["day"], nil),
            (.campaigns, ["platform"], nil), (.campaigns, [], nil), (.campaigns, ["link"], [.link]), (.links, ["host", "path"], [.link]),
            (.links, ["campaign"], [.campaign]), (.links, ["path"], nil), (.paywalls, ["placement", "paywall"], [.placement, .paywall]),
            (.paywalls, ["audience"], nil), (.funnel, ["source"], nil), (.retention, ["source"], nil),
        ] as [(ReportName, [String], [RevenueDimension]?)])
    func dimensions(report: ReportName, fields: [String], dimensions: [RevenueDimension]?) {
        #expect(report.revenueDimensions(fields) == dimensions)
    }

    @Test("A link's net is found by its host and path")
    func linkNets() throws {
        let values = RevenueValues(RevenueColumn.list(.purchase), numbers: [.netMilliunits: 9_990, .purchases: 1])
        let revenue = RevenueDocument(
            currency: "EUR", by: ["link"], view: .purchase, from: "2026-11-01", to: "2026-11-28",
            rows: [.init(key: ["link": "brandname.go.link/beach"], values: values)], totals: values, unconverted: [],
            erased: RevenueValues(RevenueColumn.list(.purchase)), verified: nil)

        let nets = try #require(RowNets(revenue, [.link]))

        #expect(nets.net(of: ["host": "brandname.go.link", "path": "/beach"]) == 9_990)
        #expect(nets.net(of: ["host": "brandname.go.link", "path": "/other"]) == nil && nets.net(of: ["link": "brandname.go.link/beach"]) == 9_990)
    }

    @Test("Times are in seconds, as the language writes them", arguments: [(Language.english, "0.56 s"), (.japanese, "0.56 秒"), (.chinese, "0.56 秒")])
    func times(language: Language, text: String) {
        let sample = SampleTable(
            by: ["source", "campaign"], columns: [SampleTable.column("shown"), SampleTable.column("elapsed.p50", "d", .milliseconds)],
            rows: [.init(key: ["a", "b"], values: [7, 561]), .init(key: ["c", "d"], values: [1, nil])], totals: .init(values: [8, 561]))
        let markup = Self.page([:], .owner, language) { $0.table = sample.table() }

        #expect(markup.contains("<td class=\"number\">7</td><td class=\"number\">\(text)</td></tr>"))
        #expect(markup.contains("<td class=\"number\">1</td><td class=\"number\">–</td></tr>"))
    }

    @Test("The head of a column sorts by it, highest first, and then the other way round")
    func sorting() {
        let row = SampleTable.Row(key: ["a", "b"], values: [1, 1, nil])
        let plain = Self.page { $0.table = Self.table([row]) }
        let sorted = Self.page(["sort": "-firstOpens"]) { $0.table = Self.table([row]) }

        #expect(plain.contains("sort=-firstOpens\">First opens</a>") && plain.contains("sort=source\">Source</a>") && !plain.contains("aria-sort"))
        #expect(sorted.contains("scope=\"col\" aria-sort=\"descending\"><a href=\"/console/reports/campaigns?sort=firstOpens\""))
    }

    @Test("A filter is a chip that a click removes; one that the report does not know says so")
    func chips() {
        let markup = Self.page(["source": "link", "placement": "onboarding"]) { $0.unmatched = ["source"] }

        #expect(markup.contains("href=\"/console/reports/campaigns?placement=onboarding\""))
        #expect(markup.contains("Source: link") && markup.contains("No row has it"))
        #expect(markup.contains("Placement: onboarding") && markup.contains("This report does not know it"))
        #expect(markup.contains("No rows have these filters"))
        #expect(!Self.page().contains("class=\"chips\""))
    }

    @Test("Chosen days are a chip, and the days of the chart lead to the same page with its filters")
    func days() {
        let markup = Self.page(["from": "2026-11-01", "to": "2026-11-02", "days": "7", "source": "link"]) {
            $0.days = ["2026-11-01", "2026-11-28"].map { DayChart.Day(date: $0, value: 1, before: nil, isWhole: true) }
            $0.versions = [.init(number: 4, date: "2026-11-01", message: "")]
        }

        #expect(markup.contains("<a href=\"/console/reports/campaigns?days=7&amp;source=link\"><span class=\"hidden\">Remove the filter </span>Period: 1 Nov – 28 Nov"))
        #expect(markup.contains("href=\"?from=2026-11-28&amp;to=2026-11-28&amp;days=7&amp;source=link\"") && markup.contains("/console/versions/4"))
    }

    @Test("The page says in the clock of the report's zone up to when it is complete, with the day where it is not today")
    func complete() {
        #expect(Self.page().contains("Complete to 14:25 Europe/Berlin"))
        #expect(!Self.page().contains("2026-11-28 14:25"))
        #expect(Self.page { $0.problems = [FieldProblem("from", "Write a day")] }.contains("href=\"#from\">Write a day</a>"))
    }

    @Test("An empty report says why, and what fills it")
    func empty() {
        #expect(Self.page().contains("No app was opened for the first time") && Self.page().contains("landfall simulate"))
    }

    @Test("Many rows are on pages; the time before is a change")
    func pages() {
        let row = SampleTable.Row(key: ["a", "b"], values: [3, 0.5, nil], before: [2, nil, nil])
        let markup = Self.page(["page": "3", "compare": "before"]) {
            $0.table = Self.table([row], count: 101, before: [1_000, 0.5, nil])
        }

        #expect(markup.contains("Rows 101 to 101 of 101") && markup.contains("Previous rows") && !markup.contains("Next rows"))
        #expect(markup.contains("+50 %") && markup.contains("+23 %"))
    }

    @Test("Members who may not see people read that small groups are together; others read that files have them so")
    func small() {
        let viewer = Self.page([:], .viewer) {
            let row = SampleTable.Row(key: ["other", "other"], values: [10, nil, nil])
            $0.table = SampleTable(by: ["source", "campaign"], columns: Self.columns, rows: [row], totals: .init(values: [10, nil, nil]))
                .table(hasMergedGroups: true)
        }
        let sentence = "Groups of fewer than 10 installs"

        #expect(viewer.contains(sentence) && !viewer.contains("In files, groups"))
        #expect(Self.page().contains("In files, groups") && !Self.page().contains(sentence))
        #expect(Self.page([:], .viewer) { $0.isHidden = true }.contains("Remove a filter"))
    }

    @Test("Columns, fields and their explanations have words of their own in every language", arguments: ReportName.allCases)
    func words(report: ReportName) {
        let columns = [
            "firstOpens", "attributed", "unverified", "organic", "unknown", "reinstalls", "late", "shown", "exposures", "clicks", "uniqueClicks", "sentToStore", "expiredClicks", "machineRequests",
            "appOpens", "unprovenAppOpens", "buttonTaps", "purchased", "rate.sentToStore", "rate.shown", "rate.purchased", "elapsed.p50", "elapsed.p95",
        ]
        for language in [Language.japanese, .chinese] {
            let words = Words(language)
            for name in columns + ["converted.x", "rate.x", "revenue.x"] {
                #expect(words.column(name) != name && !words.column(name).isEmpty)
                let definition = words.definition(of: name, english: "English")
                #expect(!definition.contains("English") && !definition.isEmpty, "\(name)")
            }
            for name in report.fields { #expect(words.field(name) != name && words.field(name) != Words(.english).field(name), "\(name)") }
        }
        #expect(Words(.english).definition(of: "rate.shown", english: "shown in firstOpens.") == "Shown, in first opens.")
        #expect(Set(Language.allCases.map { Self.page([:], .owner, $0).contains("First opens") }) == [true, false])
    }
}

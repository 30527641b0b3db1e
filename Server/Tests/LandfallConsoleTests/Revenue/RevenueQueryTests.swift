// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallReports

@Suite("What an address asks of revenue", .timeLimit(.minutes(1)))
struct RevenueQueryTests {
    @Test("View, days, fields and order are in the address again, each once")
    func address() {
        let query = RevenueQuery(
            ["view": "booking", "from": "2026-11-01", "to": "2026-11-22", "by": "campaign,day", "sort": "-netMilliunits", "page": "2"])

        #expect(query.view == .booking && query.fields == [.campaign, .day] && query.unknown.isEmpty)
        #expect(
            query.place.text
                == "/console/reports/revenue?view=booking&from=2026-11-01&to=2026-11-22&by=campaign%2Cday&sort=-netMilliunits&page=2")
        #expect(query.file("csv").text.hasPrefix("/console/reports/revenue.csv?view=booking&from=") && !query.file("csv").text.contains("page="))
        #expect(RevenueQuery().place.text == "/console/reports/revenue" && RevenueQuery(["days": "7"]).place.text.hasSuffix("?days=7"))
    }

    @Test("Usual rows are sources; of subscriptions and cohorts they are days", arguments: RevenueView.allCases)
    func usual(view: RevenueView) {
        let query = RevenueQuery(["view": view.rawValue])

        #expect(query.fields == ([.purchase, .booking].contains(view) ? [.source] : [.day]))
        #expect(RevenueQuery(["view": view.rawValue, "by": ""]).fields.isEmpty)
    }

    @Test("What the page does not know stays as a note, and changes nothing else")
    func unknown() {
        let query = RevenueQuery(["view": "toaster", "by": "product,planet,product", "days": "8", "campaign": "summer", "page": "-3"])

        #expect(query.view == .purchase && query.fields == [.product] && query.length == 28 && query.page == 1)
        #expect(Set(query.unknown.map(\.field)) == ["view", "by", "days", "campaign"])
        #expect(query.place.text == "/console/reports/revenue?by=product&campaign=summer")
        var other = query
        for filter in query.unknown { other.remove(filter) }
        #expect(other.unknown.isEmpty)
    }

    @Test("Long values, many parameters and odd numbers are bounded")
    func bounded() {
        var values = ["campaign": String(repeating: "x", count: 501), "page": "99999999999999999999", "by": String(repeating: "x,", count: 5_000)]
        for number in 0..<100 { values["f\(number)"] = "1" }

        let query = RevenueQuery(values)

        #expect(query.page == 1 && query.unknown.count <= 40 && query.place.text.utf8.count < 2_000)
        #expect(RevenueQuery(["page": "5000000"]).page == 1_000)
    }

    @Test("The days go along to the other reports and back")
    func days() {
        let query = RevenueQuery(["from": "2026-11-01", "to": "2026-11-02", "by": "product"])

        #expect(query.asked(of: .links).place.text == "/console/reports/links?from=2026-11-01&to=2026-11-02")
        #expect(RevenueQuery(daysOf: ReportQuery(.links, ["days": "90"])).place.text == "/console/reports/revenue?days=90")
    }

    @Test("The filters of another report are what the page does not know, and come back")
    func filters() {
        let query = RevenueQuery(daysOf: ReportQuery(.campaigns, ["source": "link", "toaster": "1"]))

        #expect(query.unknown == [.init("source", "link")] && query.place.text == "/console/reports/revenue?source=link")
        #expect(query.asked(of: .funnel).filters == [.init("source", "link")])
    }
}

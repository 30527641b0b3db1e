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
        #expect(Set(query.unknown.map(\.field)) == ["view", "by", "days"] && query.filters == [.init("campaign", "summer")])
        #expect(query.place.text == "/console/reports/revenue?by=product&campaign=summer")
        var other = query
        for filter in query.unknown + query.filters { other.remove(filter) }
        #expect(other.unknown.isEmpty && other.filters.isEmpty)
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

    @Test("The filters of another report go along and come back; what revenue does not know stays a note")
    func filters() {
        let query = RevenueQuery(daysOf: ReportQuery(.campaigns, ["source": "link", "campaign": "", "country": "DE", "toaster": "1"]))
        let link = RevenueQuery(daysOf: ReportQuery(.links, ["host": "go.example", "path": "/beach"]))

        #expect(query.filters == [.init("campaign", "unknown"), .init("source", "link")] && query.unknown == [.init("country", "DE")])
        #expect(Set(query.asked(of: .campaigns).filters) == [.init("source", "link"), .init("campaign", ""), .init("country", "DE")])
        #expect(link.filters == [.init("link", "go.example/beach")])
        #expect(link.asked(of: .links).filters == [.init("host", "go.example"), .init("path", "/beach")])
        #expect(RevenueQuery(["country": "DEU"]).keys == [.country: "DEU"] && RevenueQuery(["country": "DEU"]).asked(of: .campaigns).filters.isEmpty)
    }

    @Test("A view without the field of a filter says so, and another one has it again")
    func views() {
        let query = RevenueQuery(["product": "year", "source": "link"]), cohorts = query.with { $0.view = .cohorts }

        #expect(query.filters.count == 2 && query.unknown.isEmpty)
        #expect(cohorts.filters == [.init("source", "link")] && cohorts.unknown == [.init("product", "year")])
        #expect(cohorts.with { $0.view = .booking }.filters == query.filters)
    }

    @Test("A row leads to its parts: its values as filters, a day or a week as days")
    func parts() {
        let query = RevenueQuery(["by": "day,source", "page": "2", "sort": "day"])

        #expect(query.parts(of: ["day": "2026-11-02", "source": "link"], upTo: "source").place.text
            == "/console/reports/revenue?from=2026-11-02&to=2026-11-02&by=campaign&source=link")
        #expect(query.parts(of: ["day": "2026-11-02", "source": "link"], upTo: "day", isByWeek: true).place.text
            == "/console/reports/revenue?from=2026-11-02&to=2026-11-08&by=source")
        #expect(RevenueQuery(["source": "link", "by": "link"]).parts(of: ["link": "go.example/a"], upTo: "link").fields == [.day])
        #expect(RevenueQuery(["source": "link", "by": "product"]).parts(of: ["product": "year"], upTo: "product").fields == [.campaign])
    }
}

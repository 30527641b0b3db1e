// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("What an address asks of a report", .timeLimit(.minutes(1)))
struct ReportQueryTests {
    @Test("Days, fields, order and filters are in the address again, each once")
    func address() {
        let query = ReportQuery(
            .campaigns,
            ["from": "2026-11-01", "to": "2026-11-22", "by": "campaign,day", "sort": "-firstOpens", "compare": "before", "campaign": "a b&c", "page": "2"])

        #expect(query.fields == ["campaign", "day"] && query.filters == [.init("campaign", "a b&c")] && query.unknown.isEmpty)
        #expect(
            query.place.text
                == "/console/reports/campaigns?from=2026-11-01&to=2026-11-22&by=campaign%2Cday&sort=-firstOpens&compare=before&page=2&campaign=a%20b%26c")
        #expect(query.file("csv").text.hasPrefix("/console/reports/campaigns.csv?from=") && !query.file("csv").text.contains("page="))
        #expect(ReportQuery(.links).place.text == "/console/reports/links")
    }

    @Test("What the report does not know stays as a note, and changes nothing else")
    func unknown() {
        let query = ReportQuery(
            .links,
            ["placement": "onboarding", "by": "host,toaster,host", "days": "8", "compare": "x", "page": "-3", "day": "2026-11-01", "country": "DE"])

        #expect(query.fields == ["host"] && query.length == 28 && !query.compares && query.page == 1)
        #expect(query.filters == [.init("country", "DE")])
        #expect(Set(query.unknown.map(\.field)) == ["placement", "by", "days", "compare", "day"])
        #expect(!query.place.text.contains("toaster") && query.place.text.contains("placement=onboarding"))
    }

    @Test("Long values, many filters and odd numbers are bounded")
    func bounded() {
        var values = ["campaign": String(repeating: "x", count: 501), "page": "99999999999999999999", "by": String(repeating: "x,", count: 5_000)]
        for number in 0..<100 { values["f\(number)"] = "1" }

        let query = ReportQuery(.campaigns, values)

        #expect(query.filters.isEmpty && query.page == 1 && query.unknown.count <= 40)
        #expect(ReportQuery(.campaigns, ["page": "5000000"]).page == 1_000)
    }

    @Test("A value leads to its parts: source, campaign, ad group, keyword; a day to that day alone")
    func parts() {
        let query = ReportQuery(.campaigns, ["sort": "late"])

        let source = query.parts(of: ["link", "summer"], upTo: "source")
        let campaign = query.parts(of: ["link", "summer"], upTo: "campaign")
        let adGroup = campaign.parts(of: ["beach"], upTo: "adGroup")
        let keyword = adGroup.parts(of: ["7"], upTo: "keyword")

        #expect(source.filters == [.init("source", "link")] && source.fields == ["campaign"] && source.sort == nil)
        #expect(campaign.filters == [.init("source", "link"), .init("campaign", "summer")] && campaign.fields == ["adGroup"])
        #expect(adGroup.fields == ["keyword"] && keyword.fields == ["day"] && keyword.filters.count == 4)
        #expect(query.parts(of: [nil, nil], upTo: "source").filters == [.init("source", "")])
        // Computed days have links beside sources only.
        let link = ReportQuery(.campaigns, ["by": "link"]).parts(of: ["go.example.com/beach"], upTo: "link")
        #expect(link.fields == ["source"] && link.parts(of: ["link"], upTo: "source").fields == ["day"])
        let day = ReportQuery(.campaigns, ["by": "day"]).parts(of: ["2026-11-02"], upTo: "day")
        #expect(day.from == "2026-11-02" && day.to == "2026-11-02" && day.fields == ["source"])
    }

    @Test("A week leads to its days, as far as they are days of the report")
    func week() {
        let week = ReportQuery(.retention, ["by": "week", "days": "90"]).parts(of: ["2026-11-02"], upTo: "week")
        let chosen = ReportQuery(.retention, ["by": "week", "from": "2026-11-04", "to": "2026-11-06"]).parts(of: ["2026-11-02"], upTo: "week")

        #expect(week.from == "2026-11-02" && week.to == "2026-11-08" && week.place.text.contains("days=90"))
        #expect(chosen.from == "2026-11-04" && chosen.to == "2026-11-06")
    }

    @Test("A link is its host and path beside clicks, and comes back as one")
    func link() {
        let campaigns = ReportQuery(.campaigns, ["link": "go.example.com/a/b", "source": "link"])

        let links = campaigns.asked(of: .links)

        #expect(links.filters == [.init("host", "go.example.com"), .init("path", "/a/b")])
        #expect(Set(links.asked(of: .campaigns).filters) == Set(campaigns.filters))
        #expect(campaigns.asked(of: .funnel).unknown == [.init("link", "go.example.com/a/b")])
        #expect(ReportQuery(.links, ["host": "go.example.com"]).asked(of: .campaigns).unknown == [.init("host", "go.example.com")])
    }

    @Test("A deadline is one of the report of paywalls, in whole seconds up to a minute", arguments: ["0", "61", "2.5", "x", ""])
    func deadline(wrong: String) {
        let query = ReportQuery(.paywalls, ["deadline": "12"])

        #expect(query.deadline == 12 && query.place.text == "/console/reports/paywalls?deadline=12")
        #expect(query.asked(of: .campaigns).place.text == "/console/reports/campaigns")
        #expect(ReportQuery(.paywalls, ["deadline": wrong]).unknown == [.init("deadline", wrong)])
        #expect(ReportQuery(.links, ["deadline": "12"]).unknown == [.init("deadline", "12")])
    }

    @Test("Chosen days remember to which last days they lead back")
    func back() {
        let query = ReportQuery(.links, ["days": "7"]).with { $0.narrow(from: "2026-11-02", to: "2026-11-02") }

        #expect(query.place.text == "/console/reports/links?from=2026-11-02&to=2026-11-02&days=7" && query.hasDays)
        #expect(query.with { $0.forgetDays() }.place.text == "/console/reports/links?days=7")
    }

    @Test("Filters go along from report to report, and come back")
    func shared() {
        let campaigns = ReportQuery(.campaigns, ["campaign": "summer", "source": "link", "foo": "bar", "days": "7"])

        let links = campaigns.asked(of: .links)

        #expect(links.filters == [.init("campaign", "summer")] && links.unknown == [.init("source", "link")] && links.length == 7)
        #expect(Set(links.asked(of: .campaigns).filters) == Set(campaigns.filters))
    }
}

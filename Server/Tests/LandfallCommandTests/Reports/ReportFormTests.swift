// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand
@testable import LandfallReports
@testable import LandfallRules

@Suite("A report", .timeLimit(.minutes(1)))
struct ReportFormTests {
    private static func document(_ rows: String, totals: String = #"{"clicks":1234,"uniqueClicks":null,"appOpens":0}"#) throws
        -> ReportDocument
    {
        let text = """
            {"report":"links","from":"2026-11-01","to":"2026-11-22","timeZone":"UTC","completeToMilliseconds":1,"by":["path","campaign"],
             "columns":[{"name":"clicks","definition":"d","unit":"count"},{"name":"uniqueClicks","definition":"d","unit":"count"},
              {"name":"appOpens","definition":"d","unit":"count"}],"rows":[\(rows)],"totals":\(totals)}
            """
        return try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8))
    }

    private static let beach =
        #"{"key":{"path":"/beach","campaign":"summer"},"values":{"clicks":1200,"uniqueClicks":1000,"appOpens":0}}"#
    private static let other = #"{"key":{"path":"/b","campaign":null},"values":{"clicks":34,"uniqueClicks":30,"appOpens":0}}"#

    @Test("is a table that is read at a glance: aligned, with bars, without what was never counted")
    func table() throws {
        let lines = ReportTable(try Self.document(Self.beach + "," + Self.other)).lines

        #expect(
            lines == [
                "links, 2026-11-01 to 2026-11-22 (UTC), complete to 1970-01-01T00:00:00Z",
                "path    campaign  clicks  uniqueClicks",
                "/beach  summer     1,200         1,000  ████████████████████████",
                "/b      –             34            30  █",
                "total              1,234       unknown",
            ])
    }

    @Test("writes shares as percent in the table, and as they are in a spreadsheet")
    func shares() throws {
        let text = """
            {"report":"campaigns","from":"2026-11-01","to":"2026-11-22","timeZone":"UTC","completeToMilliseconds":1,"by":["source"],
             "columns":[{"name":"firstOpens","definition":"d","unit":"count"},{"name":"rate.trial","definition":"d","unit":"ratio"}],
             "rows":[{"key":{"source":"tenjin"},"values":{"firstOpens":8,"rate.trial":0.125}},
              {"key":{"source":null},"values":{"firstOpens":2,"rate.trial":null}}],"totals":{"firstOpens":10,"rate.trial":1}}
            """
        let document = try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8))

        #expect(
            ReportTable(document).lines.dropFirst() == [
                "source  firstOpens  rate.trial",
                "tenjin           8      12.5 %  ████████████████████████",
                "–                2     unknown  ██████",
                "total           10     100.0 %",
            ])
        #expect(ReportCSV(document).text == "source,firstOpens,rate.trial\ntenjin,8,0.125\n,2,")
    }

    @Test("writes the name of an id of Apple Ads behind the id, and only the id in a spreadsheet")
    func names() throws {
        let text = """
            {"report":"campaigns","from":"2026-11-01","to":"2026-11-22","timeZone":"UTC","completeToMilliseconds":1,"by":["campaign"],
             "columns":[{"name":"firstOpens","definition":"d","unit":"count"}],
             "rows":[{"key":{"campaign":"542370539"},"values":{"firstOpens":8}},{"key":{"campaign":"7"},"values":{"firstOpens":4}}],
             "totals":{"firstOpens":12},"names":{"campaign":{"542370539":"Brand"}}}
            """
        let document = try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8))

        #expect(
            ReportTable(document).lines.dropFirst() == [
                "campaign         firstOpens",
                "542370539 Brand           8  ████████████████████████",
                "7                         4  ████████████",
                "total                    12",
            ])
        #expect(ReportCSV(document).text == "campaign,firstOpens\n542370539,8\n7,4")
    }

    @Test("writes times as seconds in the table, and as milliseconds in a spreadsheet")
    func times() throws {
        let text = """
            {"report":"paywalls","from":"2026-11-01","to":"2026-11-22","timeZone":"UTC","completeToMilliseconds":1,"by":["paywall"],
             "columns":[{"name":"shown","definition":"d","unit":"count"},{"name":"elapsed.p50","definition":"d","unit":"milliseconds"}],
             "rows":[{"key":{"paywall":"a"},"values":{"shown":8,"elapsed.p50":561}},{"key":{"paywall":"b"},"values":{"shown":2,"elapsed.p50":null}}],
             "totals":{"shown":10,"elapsed.p50":12345}}
            """
        let document = try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8))

        #expect(
            ReportTable(document).lines.dropFirst() == [
                "paywall  shown  elapsed.p50",
                "a            8       0.56 s  ████████████████████████",
                "b            2      unknown  ██████",
                "total       10      12.35 s",
            ])
        #expect(ReportCSV(document).text == "paywall,shown,elapsed.p50\na,8,561\nb,2,")
    }

    @Test("without any counts says so")
    func empty() throws {
        #expect(ReportTable(try Self.document("")).lines.last == "Nothing was counted on these days.")
    }

    @Test("shows the first rows of many, and says where the others are")
    func many() throws {
        let lines = ReportTable(try Self.document(Array(repeating: Self.beach, count: 60).joined(separator: ","))).lines

        #expect(lines.count == 54)
        #expect(lines[52] == "… and 10 more rows; --csv has all.")
    }

    @Test("goes into a spreadsheet as text, never as a formula")
    func csv() throws {
        let hostile = #"{"key":{"path":"/a,\"b","campaign":"=1+1"},"values":{"clicks":1,"uniqueClicks":null,"appOpens":0}}"#

        #expect(
            ReportCSV(try Self.document(hostile)).text
                == "path,campaign,clicks,uniqueClicks,appOpens\n\"/a,\"\"b\",'=1+1,1,,0")
    }

    @Test(
        "and all other output contains no control characters for a terminal",
        arguments: [
            ("a\u{1B}[2Jb\n\tc", "a\\u001b[2Jb\n\tc"), ("\u{9B}1m\u{7F}", "\\u009b1m\\u007f"), ("a\r\nb", "a\\u000d\nb"),
            ("\u{202E}evil", "\\u202eevil"), ("größe 日本 👩‍👩‍👧", "größe 日本 👩‍👩‍👧"),
        ])
    func control(text: String, printed: String) {
        #expect(text.withoutControl == printed)
    }
}

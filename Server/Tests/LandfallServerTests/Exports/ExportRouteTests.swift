// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import HummingbirdTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Calls of landfall export-data", .timeLimit(.minutes(1)))
struct ExportRouteTests {
    private static func day(_ server: TestServer, back days: Int64) -> Int64 { server.services.time.nowMs() / Retention.dayMs - days }

    @Test("answer with a page of a day that is over, and are not on the router of the network")
    func page() async throws {
        try await TestServer.run { server in
            let day = Self.day(server, back: 2), atMs = day * Retention.dayMs
            let click = Click(
                id: UUIDv7.make(nowMs: atMs), atMs: atMs, kind: .person, platform: .ios, host: "go.example.com", path: LinkPath(stored: "/a"),
                outcome: .store, labels: LinkLabels())
            try await server.services.clicks.record(ClickEntry(click: click), of: server.services.snapshot.app.id)
            let path = "/v1/data-exports/clicks?day=\(ReportDays.text(day))"

            let outside = try await server.send(.get, path, phone: nil, key: nil)
            #expect(outside.status == .notFound)
            try await Application(router: Routes.commandRouter(server.services)).test(.router) { client in
                let answer = try await client.execute(uri: path, method: .get) { $0 }
                let page = try ExportPage(wire: Array(answer.body.readableBytesView))
                #expect(answer.status == .ok)
                #expect(page.rows == 1 && page.next == nil)
                #expect(String(decoding: page.bytes, as: UTF8.self).hasPrefix(#"{"clickId":"\#(click.id)","clickedAtMilliseconds":\#(atMs),"#))
            }
        }
    }

    @Test("say which days of which tables can be exported, with their fields")
    func offer() async throws {
        try await TestServer.run { server in
            try await Application(router: Routes.commandRouter(server.services)).test(.router) { client in
                let answer = try await client.execute(uri: "/v1/data-exports", method: .get) { $0 }
                let offer = try JSONDecoder().decode(ExportOffer.self, from: Data(answer.body.readableBytesView))

                #expect(offer.form == 1)
                #expect(offer.tables.map(\.table) == ExportTable.allCases)
                #expect(offer.tables.first { $0.table == .clicks }?.firstDay == ReportDays.text(Self.day(server, back: 399)))
                #expect(offer.tables.first { $0.table == .erasures }?.firstDay == ReportDays.text(Self.day(server, back: 34)))
                #expect(offer.tables.first { $0.table == .installs }?.firstDay == nil)
            }
        }
    }

    @Test(
        "that cannot be answered say what to ask instead",
        arguments: [
            ("click?day=2020-01-01", 404, "There is no table 'click' to export. Did you mean 'clicks'?"),
            ("clicks", 400, "'day' is not valid: a day, such as 2026-11-01."), ("clicks?day=yesterday", 400, "'day' is not valid"),
            ("clicks?day=2020-01-01", 400, "Rows of 'clicks' of 2020-01-01 are deleted because of their age"),
            ("installs?day=2020-01-01&format=xml", 400, "There is no format 'xml'. Known: 'csv', 'jsonl'."),
            ("installs?day=2099-01-01", 400, "2099-01-01 is not over in UTC"),
            ("installs?day=2020-01-01&after=x", 400, "'after' is not valid: the 'next' of the page before."),
        ])
    func refused(call: String, status: Int, sentence: String) async throws {
        try await TestServer.run { server in
            try await Application(router: Routes.commandRouter(server.services)).test(.router) { client in
                let answer = try await client.execute(uri: "/v1/data-exports/" + call, method: .get) { $0 }

                #expect(answer.status.code == status)
                #expect(String(buffer: answer.body).contains(sentence), "\(String(buffer: answer.body))")
            }
        }
    }

    @Test(
        "are about days that are over for a quarter of an hour",
        arguments: [(0, -2), (ExportDays.delayMs - 1, -2), (ExportDays.delayMs, -1), (Retention.dayMs - 1, -1)] as [(Int64, Int64)])
    func over(sinceMidnightMs: Int64, last: Int64) {
        let days = ExportDays(retention: Retention(), nowMs: ExportedStore.startMs + sinceMidnightMs)

        #expect(days.last == ExportedStore.day + last)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Testing

@testable import LandfallReports
@testable import LandfallSQLite
@testable import LandfallStore

extension RealProcessTests {
    @Suite("landfall report, and phones with the real SDK", .timeLimit(.minutes(1)))
    struct RecordedConversionTests {
        @Test("A conversion that an app records is in the reports, beside the paywall that it follows; money is exact")
        func conversion() async throws {
            try await ServingProcess.withFolder { parent in
                let data = parent.appending(path: "data")
                let server = try await ServingProcess.start(in: data)
                for name in ["maya", "omar"] {
                    let phone = RealPhone(in: parent.appending(path: name))
                    try await phone.launch(server.port) { client in
                        let shown = try await client.paywall(for: "onboarding", within: .seconds(10))
                        client.recordExposure(of: shown)
                        // Their times come from two requests, to the millisecond: the conversion is to follow the exposure clearly.
                        try await StoredTruth(in: data).waitForEvents(name == "maya" ? 1 : 3)
                        if name == "maya" {
                            client.record("trial_started", value: 9.99, currency: "EUR", properties: ["plan": "year"])
                        }
                        if name == "maya" { try await StoredTruth(in: data).waitForEvents(2) }
                    }
                }

                let campaigns = try await Self.report("campaigns", in: data)
                let paywalls = try await Self.report("paywalls", in: data)
                let table = try await Self.printed("paywalls", [], in: data)
                try await server.ends()

                #expect(campaigns.totals["firstOpens"] == 2)
                #expect(campaigns.totals["shown"] == 2)
                #expect(campaigns.totals["converted.trial"] == 1)
                #expect(campaigns.totals["rate.trial"] == 0.5)
                #expect(paywalls.rows.map(\.key) == [["placement": "onboarding", "paywall": "default"]])
                #expect(paywalls.rows[0].values["shown"] == 2)
                #expect(paywalls.rows[0].values["converted.trial"] == 1)
                #expect(table.contains("50.0 %"), "\(table)")
                let stored = try await StoredTruth(in: data).ownEvents()
                #expect(stored == [#"trial_started 9990 EUR {"plan":"year"}"#])
            }
        }

        private static func report(_ name: String, in data: URL) async throws -> ReportDocument {
            try JSONDecoder().decode(ReportDocument.self, from: Data(try await printed(name, ["--json"], in: data).utf8))
        }

        private static func printed(_ name: String, _ more: [String], in data: URL) async throws -> String {
            let command = try RunningCommand(["report", name, "--data", data.path] + more)
            let ending = await command.ending(within: .seconds(30))
            #expect(ending.status == 0, "\(ending.errors)")
            return await command.lines.reduce(into: "") { $0 += $1 + "\n" }
        }
    }
}

extension StoredTruth {
    /// Returns once so many events are stored.
    fileprivate func waitForEvents(_ count: Int64) async throws {
        while try await database.read({ try $0.row("SELECT COUNT(*) AS n FROM event", [])?.integer("n") }) ?? 0 < count {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    fileprivate func ownEvents() async throws -> [String] {
        try await database.read { connection in
            try connection.rows("SELECT type, value_milliunits, currency, properties FROM event WHERE type <> 'paywall_shown'", []).map { row in
                [try row.text("type"), "\(try row.integer("value_milliunits"))", try row.text("currency"), try row.text("properties")]
                    .joined(separator: " ")
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand
@testable import LandfallSQLite
@testable import LandfallStore

@Suite("People on the days before a demo", .timeLimit(.minutes(1)))
struct EarlierPeopleTests {
    @Test("come on their own days, all before today; Apple has answered for a third, most have seen a paywall, and some buy there")
    func days() async throws {
        try await ServingProcess.withFolder { folder in
            let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
            let dayMs: Int64 = 86_400_000, today: Int64 = 20_800
            let example = try String(contentsOfFile: ExampleConfiguration.path(given: nil), encoding: .utf8)

            try await EarlierPeople(days: 3, nowMs: today * dayMs + 5).arrive(in: database, configuration: example, buyingIn: DemoAppStore(in: folder))

            let (perDay, told, shown, clicks, bought, sold) = try await database.read { connection in
                func count(_ text: String) throws -> Int64 { try connection.row(text)?.integer("count") ?? -1 }
                return (
                    try connection.rows("SELECT created_at_ms / 86400000 AS day, COUNT(*) AS count FROM install GROUP BY 1 ORDER BY 1")
                        .map { (day: try $0.integer(0), count: try $0.integer(1)) },
                    try count("SELECT COUNT(*) AS count FROM attribution_fact WHERE source = 'apple_search_ads'"),
                    try count("SELECT COUNT(*) AS count FROM event WHERE type = 'paywall_shown'"),
                    try count("SELECT COUNT(*) AS count FROM click"),
                    try count("SELECT COUNT(*) AS count FROM charge WHERE purchase_day >= 20797 AND purchase_day < 20800"),
                    try count("SELECT COUNT(*) AS count FROM purchase_chain WHERE owner_profile IS NOT NULL AND sold_by IS NOT NULL")
                )
            }
            try await database.close()
            let all = perDay.map(\.count).reduce(0, +)
            #expect(perDay.map(\.day) == [today - 3, today - 2, today - 1])
            #expect(perDay.map { Int($0.count) } == (1...3).map(EarlierPeople.count))
            #expect((all / 4...all / 2).contains(told) && (all / 2...all).contains(shown) && clicks > 0)
            // Each has one charge so far, and its paywall is known.
            #expect(bought > 0 && sold == bought)
        }
    }
}

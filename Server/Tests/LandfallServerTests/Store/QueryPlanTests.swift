// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import Testing

@testable import LandfallServer

@Suite("Plans of queries", .timeLimit(.minutes(2)))
struct QueryPlanTests {
    /// Tables with a row or more for each install, event or click.
    private static let large = [
        "install", "install_kept", "install_activity", "install_progress", "event", "event_key", "click", "former_profile", "profile", "customer",
        "attribution_fact", "apple_ads_exchange", "deferred_link", "address_click", "experiment_unit", "report_day", "click_day", "report_dirty",
    ]

    /// What reads a table from one end of an index, or counts all of it in the background.
    private static func mayReadAll(_ text: String) -> Bool {
        text.contains("LIMIT 1") || text.hasPrefix("SELECT COUNT(*)") || text.hasPrefix("SELECT MIN(") || text.contains("DELETE FROM")
    }

    @Test("A text that asks for some rows of a large table finds them by an index, not by the order that it wants")
    func keyed() async throws {
        let store = try await TestStore()
        try await StoreLife.run(in: store)
        let texts = Set(store.database.recorded.map(\.statement.text)).filter { $0.contains("WHERE") && !Self.mayReadAll($0) }

        var checked = 0
        for text in texts.sorted() where !text.contains("schema_migration") {
            guard let plan = try? await store.sqlitePlan(of: text) else { continue }
            checked += 1
            for step in plan.split(separator: "; ") {
                let words = step.split(separator: " ")
                guard words.count > 1, Self.large.contains(String(words[1])) else { continue }
                #expect(words[0] != "SCAN" && !step.hasSuffix("(app_id=?)"), "\(text): \(plan)")
            }
        }
        #expect(checked > 100)
    }
}

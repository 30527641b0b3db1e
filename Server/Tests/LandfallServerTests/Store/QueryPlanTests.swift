// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallServer
@testable import LandfallStore

@Suite("Plans of queries", .timeLimit(.minutes(2)))
struct QueryPlanTests {
    /// Tables with a row or more for each install, event or click.
    private static let large = [
        "install", "install_seen", "install_kept", "install_activity", "install_progress", "event", "event_key", "click", "button_tap", "former_profile", "profile", "customer",
        "attribution_fact", "apple_ads_exchange", "deferred_link", "address_click", "experiment_unit", "report_day", "click_day", "report_dirty",
        "app_store_notification", "purchase_fact", "purchase_chain", "charge", "profile_chain", "purchase_token", "access_grant",
        "erased_chain", "erased_charge", "erased_revenue", "charge_day",
        "apple_ads_entity", "apple_ads_spend", "webhook_message", "webhook_delivery",
    ]

    /// What reads a table from one end of an index, counts all of it in the background, or is run once.
    private static func mayReadAll(_ text: String) -> Bool {
        [ProfileSearch.newestText, LiveHistory.installsText, LiveHistory.clicksText, LiveHistory.eventsText].contains(text)
            || text.contains("LIMIT 1") || text.contains("DELETE FROM")
            || ["SELECT COUNT(*)", "SELECT MIN(", "INSERT"].contains { text.hasPrefix($0) }
    }

    /// Whether a step of a plan goes through all rows that an app has in a large table, whatever the text calls the table.
    private static func readsAll(_ step: Substring) -> Bool {
        large.contains { table in
            step.hasPrefix("SCAN \(table) ") || step == "SCAN \(table)"
                || step.hasSuffix("(app_id=?)") && [" \(table)_by_", " \(table)_in_", " sqlite_autoindex_\(table)_1 "].contains { step.contains($0) }
        }
    }

    @Test("A text that reads some rows of a large table finds them by an index on its conditions, not on its order", .sqlitePlans)
    func keyed() async throws {
        let store = try await TestStore()
        try await StoreLife.run(in: store)
        let texts = Set(store.database.recorded.map(\.statement.text)).filter { $0.contains("WHERE") && !Self.mayReadAll($0) }

        var checked = 0
        for text in texts.sorted() where !text.contains("schema_migration") {
            guard let plan = try? await store.sqlitePlan(of: text) else { continue }
            checked += 1
            #expect(!plan.split(separator: "; ").contains { Self.readsAll($0) }, "\(text): \(plan)")
        }
        #expect(checked > 100)
    }

    @Test("The newest rows of a table are read in the order of an index, and not sorted", .sqlitePlans)
    func newest() async throws {
        let store = try await TestStore()

        for text in [LiveHistory.installsText, LiveHistory.clicksText, LiveHistory.eventsText] {
            let plan = try await store.sqlitePlan(of: text)
            #expect(!plan.contains("TEMP B-TREE"), "\(text): \(plan)")
        }
    }

    @Test("The versions of some days are read by their time: each has a whole file", .sqlitePlans)
    func dated() async throws {
        let plan = try await TestStore().sqlitePlan(of: ConfigurationStore.dated)

        #expect(plan.contains("configuration_by_time (published_at_ms>? AND published_at_ms<?)") && !plan.contains("TEMP B-TREE"), "\(plan)")
    }

    @Test("PostgreSQL too finds them by an index, with a plan that fits any values", .postgresPlans)
    func generic() async throws {
        let store = try await TestStore()
        try await StoreLife.run(in: store)
        let texts = Set(store.database.recorded.map(\.statement.text)).filter { text in
            text.contains("WHERE") && !Self.mayReadAll(text) && ["SELECT", "WITH", "UPDATE"].contains { text.hasPrefix($0) }
        }

        for text in texts.sorted() where !text.contains("schema_migration") {
            let plan = try await store.postgresPlan(of: text)
            #expect(!Self.large.contains(where: plan.readsAll), "\(text)\n\(plan.lines.joined(separator: "\n"))")
        }
        #expect(texts.count > 100)
    }
}

/// What PostgreSQL says about a statement, a line for each step and each condition.
private struct PostgresPlan {
    let lines: [String]

    /// Whether a step goes through the table, or a part of it, without a condition on an index.
    func readsAll(_ table: String) -> Bool {
        lines.indices.contains { place in
            let step = lines[place]
            guard [" ", "_rest ", "_20"].contains(where: { step.contains(" on \(table)\($0)") }) else { return false }
            if step.contains("Seq Scan") { return true }
            guard step.contains("Index Scan") || step.contains("Index Only Scan") else { return false }
            let conditions = lines[(place + 1)...].prefix { !$0.contains("(cost=") }
            return !conditions.contains { $0.contains("Index Cond:") }
        }
    }
}

extension TestStore {
    /// Without whole tables, where there is any other way.
    fileprivate func postgresPlan(of text: String) async throws -> PostgresPlan {
        let count = text.matches(of: #/\$(\d+)/#).compactMap { Int($0.1) }.max() ?? 0
        let values = count == 0 ? "" : "(" + [String](repeating: "NULL", count: count).joined(separator: ", ") + ")"
        return try await engine.write { connection in
            for setting in ["plan_cache_mode = force_generic_plan", "enable_seqscan = off"] { try connection.run("SET LOCAL \(setting)") }
            try connection.run("PREPARE explained AS " + text)
            defer { _ = try? connection.run("DEALLOCATE explained") }
            return PostgresPlan(lines: try connection.rows("EXPLAIN EXECUTE explained" + values).map { try $0.text("QUERY PLAN") })
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What is kept, and how long", .timeLimit(.minutes(1)))
struct RetentionTests {
    /// Tables that no rule of their own empties, each with what does, or why it stays.
    private static let reasons = [
        "deferred_link": "goes with clicks (the rule 'click')",
        "button_tap": "goes with clicks (the rule 'click')",
        "address_key": "goes with 'address_click'",
        "attribution_fact": "at most 64 an install; goes with it",
        "experiment_unit": "goes with the install that it is named for",
        "experiment_epoch": "one for each change of an experiment's weights, as a configuration is",
        "profile": "goes with its last install, or with 'former_profile'",
        "customer": "goes with its profile",
        "job": "goes when the work is done",
        "link": "the team's own, until the team removes it",
        "configuration": "each version can be looked up for ever",
        "configuration_schedule": "the team's own, as versions are; what waits no more has no text there",
        "member": "the team's own, until the team removes them",
        "member_identity": "goes with its member",
        "backup_made": "one row",
        "console_choice": "one row for each choice of the team",
        "retention_clock": "one row",
        "key_use": "one row a key of the configuration",
        "store": "one row: which store this is",
        "report_dirty": "goes when the work is done",
        "install_progress": "goes with its install",
        "install_activity": "goes with its install",
        "install_seen": "goes with its install",
        "report_day": "counts without people; those of an old generation go with the next one",
        "report_state": "one row",
        "click_day": "counts without people; those of a former time zone go with the next one",
        "click_closed": "one row for each time zone in use",
        "jws_header": "one row for each certificate of Apple that signs",
        "purchase_fact": "proves what was bought, until the person is erased",
        "purchase_chain": "follows from its facts",
        "profile_chain": "goes with its profile",
        "purchase_token": "goes with its profile",
        "access_grant": "goes with its profile",
        "purchase_rules": "one row",
        "app_store_progress": "a row for each subject",
        "charge": "follows from its facts",
        "charge_day": "counts without people",
        "erased_chain": "recognises what the App Store says of it later",
        "erased_charge": "keeps money from being counted twice",
        "erased_revenue": "counts without people",
        "apple_ads_account": "some rows",
        "apple_ads_entity": "the names of what old installs came from; a row for each campaign, ad group, keyword and ad",
        "apple_ads_spend": "money; a row for each day, keyword and country, without people",
        "apple_ads_reading": "one row",
        "export_progress": "one row",
        "webhook_outbox": "goes within a second, or with its install or profile",
        "webhook_message": "goes with its last delivery; the oldest of too many make room",
        "webhook_endpoint": "one row an endpoint of the configuration",
        "webhook_sequence": "one row",
        "alert_state": "goes when the thing is in order",
        "alert_message": "goes when the destination has it, or it is given up after a day; the oldest of too many make room",
        "schema_migration": "one row a step of the schema",
    ]

    @Test("Every table of the schema has a rule, or a reason why it has none")
    func complete() async throws {
        try await TestServer.run { server in
            let tables = try await server.services.database.read { try StoredCells.tables($0) }
            let rules = server.services.retentionRules.map(\.name)

            #expect(Set(rules).count == rules.count)
            #expect(Set(rules).isDisjoint(with: Self.reasons.keys))
            #expect(Set(tables) == Set(rules).union(Self.reasons.keys), "give the table a rule, or say here why it needs none")
        }
    }

    private static let dayMs: Int64 = 86_400_000
    private static let app = "example"

    /// A row of the table at this instant.
    private static func row(_ table: String, atMs: Int64) -> Statement {
        let time = SQLValue.integer(atMs), app = SQLValue.text(app), name = SQLValue.text("n\(atMs)")
        return switch table {
        case "event":
            Statement(
                """
                INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms)
                VALUES ($1, $2, 'p', 'i', $3, 't', 0, $4)
                """, [app, .text(UUIDv7.make(nowMs: atMs)), name, time])
        case "event_key":
            Statement("INSERT INTO event_key (app_id, install_id, event_id, received_at_ms) VALUES ($1, 'i', $2, $3)", [app, name, time])
        case "request_key":
            Statement(
                """
                INSERT INTO request_key (app_id, install_id, request_key, body_hash, created_at_ms) VALUES ($1, 'i', $2, $3, $4)
                """, [app, name, .blob([1]), time])
        case "apple_ads_exchange", "apple_ads_exchange unavailable":
            Statement(
                """
                INSERT INTO apple_ads_exchange (app_id, install_id, token_hash, state, received_at_ms, finished_at_ms)
                VALUES ($1, 'i', $2, $4, $3, $3)
                """,
                [app, name, time, .text(table.split(separator: " ").count > 1 ? "\(table.split(separator: " ")[1])" : "organic")])
        case "absence":
            Statement("INSERT INTO absence (app_id, install_id, began_at_ms, ended_at_ms) VALUES ($1, 'i', $2, $2)", [app, time])
        case "console_session":
            Statement(
                """
                INSERT INTO console_session (app_id, token_hash, session_id, member_id, agent, created_at_ms, seen_at_ms, proven_at_ms)
                VALUES ($1, $2, 's', 'm', 'a', $3, $3, $3)
                """, [app, .blob(Array("\(atMs)".utf8)), time])
        case "console_invitation":
            Statement(
                "INSERT INTO console_invitation (app_id, token_hash, role, expires_at_ms) VALUES ($1, $2, 'viewer', $3)",
                [app, .blob(Array("\(atMs)".utf8)), time])
        case "sign_in_failure":
            Statement("INSERT INTO sign_in_failure (app_id, place, failures, ends_at_ms) VALUES ($1, $2, 1, $2)", [app, time])
        case "audit_entry":
            Statement(
                "INSERT INTO audit_entry (app_id, id, at_ms, action, subject) VALUES ($1, $2, $3, 'joined', 's')",
                [app, .text(UUIDv7.make(nowMs: atMs)), time])
        case "app_store_notification":
            Statement(
                """
                INSERT INTO app_store_notification (
                  app_id, environment, notification_uuid, type, signed_at_ms, received_at_ms, header_hash, processed_at_ms, expires_at_ms
                )
                VALUES ($1, 'Production', $2, 'TEST', 0, 0, $3, 0, $4)
                """, [app, name, .blob([1]), time])
        case "install_kept":
            Statement("INSERT INTO install_kept (app_id, first_open_at_ms, facts, installs) VALUES ($1, $2, '{}', 1)", [app, time])
        default:
            Statement("INSERT INTO erased_install (app_id, install_hash, erased_at_ms) VALUES ($1, $2, $3)", [app, .blob(Array("\(atMs)".utf8)), time])
        }
    }

    @Test(
        "A row is deleted at its time since receipt, to the millisecond, and no row of another app",
        arguments: [
            ("event", 400), ("event_key", 60), ("request_key", 60), ("apple_ads_exchange", 60),
            ("absence", 800), ("erased_install", 35), ("audit_entry", 400), ("app_store_notification", 0), ("console_invitation", 0), ("sign_in_failure", 0), ("install_kept", 1102), ("apple_ads_exchange unavailable", nil),
        ] as [(String, Int64?)])
    func age(kind: String, days: Int64?) async throws {
        try await TestServer.run { server in
            let table = String(kind.prefix { $0 != " " })
            let limitMs = server.services.time.nowMs() - (days ?? 4_000) * Self.dayMs
            let rows = [limitMs - 1, limitMs, limitMs + 1].map { Self.row(kind, atMs: $0) }
            try await server.services.database.write(.bulk, locking: [RowLock("apple_ads_exchange", [:])]) { connection in
                for row in rows {
                    try connection.run(row)
                    try connection.run(Statement(row.text, [.text("other")] + row.values.dropFirst()))
                }
            }

            #expect(try await !server.retain(table))

            #expect(try await server.apps(in: table).filter { $0 == Self.app }.count == (days == nil ? 3 : 2))
            #expect(try await server.apps(in: table).filter { $0 == "other" }.count == 3)
        }
    }

    @Test("Many rows are deleted in batches")
    func lots() async throws {
        try await TestServer.run { server in
            try await server.services.database.write { connection in
                for number in 0...RetentionRule.mostRows { try connection.run(Self.row("event_key", atMs: number)) }
            }

            #expect(try await server.retain("event_key"))
            #expect(try await server.apps(in: "event_key").count == 1)
            #expect(try await !server.retain("event_key"))
        }
    }

    @Test(
        "An index finds the expired rows, and no other row is read", .sqlitePlans,
        arguments: [
            RetentionTexts.events, RetentionTexts.eventKeys, RetentionTexts.requestKeys, RetentionTexts.exchanges,
            RetentionTexts.absences, RetentionTexts.notifications, RetentionTexts.erasedInstalls, RetentionTexts.keptInstalls,
            RetentionTexts.leftProfiles,
        ])
    func plan(text: String) async throws {
        let store = try await TestStore()

        let plan = try await store.database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + text, [.text("a"), .integer(1), .integer(1)])
                .map { try $0.text("detail") }
        }

        let searches = plan.filter { $0.hasPrefix("SEARCH") }
        // SQLite may list the search for a pair of columns twice.
        #expect(Set(searches).count == (text.hasPrefix("DELETE") ? 2 : 1), "\(plan)")
        // By the app alone would be by nothing.
        #expect(searches.allSatisfy { $0.contains(" AND ") }, "\(plan)")
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") && !$0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test("The team sets the times")
    func configuration() throws {
        #expect(try Sample.configuration().retention == Retention(clickDays: 400, eventDays: 400, installDays: 1100))
        let own = "retention: { clickDays: 90, eventDays: 60, installDays: 365 }\n"
        #expect(try Sample.configuration(own).retention == Retention(clickDays: 90, eventDays: 60, installDays: 365))
        #expect(throws: (any Error).self) { try Sample.configuration("retention: { eventDays: 29 }\n") }
        #expect(throws: (any Error).self) { try Sample.configuration("retention: { installDays: 89 }\n") }
    }
}

extension TestServer {
    /// One lot of the rule.
    /// - Returns: true where more may be waiting.
    func retain(_ name: String) async throws -> Bool {
        let rule = try #require(services.retentionRules.first { $0.name == name })
        return try await rule.lot(services.time.nowMs()).isMore
    }

    func apps(in table: String) async throws -> [String] {
        try await services.database.read { connection in
            try connection.rows("SELECT app_id FROM \(table)").map { try $0.text("app_id") }
        }
    }
}

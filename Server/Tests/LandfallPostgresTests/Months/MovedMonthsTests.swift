// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

extension PostgresTests {
    @Suite("Months of a store that moves")
    struct MovedMonthsTests {
        private let transfer = StoreTransfer(Schema.migrations)

        private func addEvents(_ session: some StoreSession, atMs times: [Int64]) throws {
            try session.write { connection in
                for ms in times {
                    try connection.run(
                        """
                        INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms)
                        VALUES ('example', $1, 'p', 'i', $1, 'paywall_shown', 0, 0)
                        """, [.text(UUIDv7.make(nowMs: ms))])
                }
            }
        }

        @Test("Old rows come into parts of their months; back in a folder each row is there once; a restore takes the parts along")
        func moved() throws {
            let store = try FilledStore()
            defer { store.remove() }
            let source = try store.filled(rows: 3)
            // November 2023, twice, and February 2024; before 2020 no month is made.
            try addEvents(source, atMs: [1_700_000_000_000, 1_700_000_000_001, 1_707_000_000_000, 1_000_000_000_000])
            let target = try PostgresSession(PostgresAddress(#require(OwnServer.current).schema()))

            let there = try transfer.run(from: source, to: target)
            let back = try transfer.run(from: target, to: SQLiteSession(store.folder("back")))

            #expect(back == there)
            #expect(there.first { $0.table == "event" }?.rows == 7)
            let parts = try target.read { try MonthlyTable.all[0].parts($0).map(\.name) }
            #expect(parts == ["event_2023_11", "event_2024_02", "event_rest"])
            #expect(try target.read { try $0.rows("SELECT id FROM event_2023_11").count } == 2)

            let name = "landfall_replaced_\(NodeName.drawn().text)"
            let replaced = try target.replaceStore(of: Schema.migrations, keepingAs: name) { _ = try transfer.run(from: SQLiteSession(store.folder("back")), to: $0) }
            #expect(replaced == name)
            #expect(try target.read { try $0.rows("SELECT id FROM \(name).event_2023_11").count } == 2)
            #expect(try target.read { try $0.rows("SELECT id FROM event_2023_11").count } == 2)
            #expect(try target.read { try $0.rows("SELECT id FROM event").count } == 7)
        }
    }
}

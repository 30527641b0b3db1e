// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The schema of this release", .timeLimit(.minutes(1)))
struct SchemaTests {
    @Test("Ids of migrations begin with their day, and days never go back")
    func days() {
        let days = Schema.migrations.map { String($0.id.prefix(11)) }

        #expect(days == days.sorted())
        #expect(days.allSatisfy { $0.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2} /#) != nil })
        #expect(Set(Schema.migrations.flatMap { [$0.id] + $0.formerly }).count == Schema.migrations.reduce(0) { $0 + 1 + $1.formerly.count })
    }

    @Test("A store whose migrations have their former ids has this release's schema, and the release that wrote it still accepts it")
    func formerly() async throws {
        let store = try await TestStore()
        let renamed = Schema.migrations.filter { !$0.formerly.isEmpty }
        for migration in renamed {
            let values: [SQLValue] = [.text(migration.formerly.first), .text(migration.id)]
            _ = try await store.sqlite.write { try $0.run("UPDATE schema_migration SET id = $1 WHERE id = $2", values) }
        }
        let before = try await store.sqlite.appliedMigrations()

        try await store.sqlite.migrate(Schema.migrations)
        try await store.sqlite.checkSchema(Schema.migrations)

        #expect(!renamed.isEmpty)
        #expect(try await store.sqlite.appliedMigrations() == before)
    }

    @Test("A store of the last release loses its tables of names, and still recognises a device and a token")
    func withoutNames() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sqlite = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path, freeDiskShare: { 1 })
        try await sqlite.migrate(Array(Schema.migrations.prefix { $0.id != JobSchema.freshFirst.id }))
        let mark = try await StoreMark.load(from: sqlite, nowMs: TestStore.noon)
        let maya = Credential.mayasPhone, hash = TokenHash(of: "t").rawValue
        try await sqlite.write { connection in
            try connection.run(
                """
                INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, device_id,
                  is_reinstall, created_at_ms, installed_at_ms, last_seen_at_ms)
                VALUES ('com.example.app', $1, $2, 'p', 1, 1, 0, 'd1', 0, 5, 5, 5)
                """, [.text(maya.installID.rawValue), .blob(maya.secretHash)])
            try connection.run(
                """
                INSERT INTO apple_ads_exchange (app_id, install_id, token_hash, state, attempts, not_found_count, is_retry,
                  due_at_ms, lease_until_ms, received_at_ms, finished_at_ms)
                VALUES ('com.example.app', $1, $2, 'organic', 1, 0, 1, 5, 5, 5, 5)
                """, [.text(maya.installID.rawValue), .text(hash)])
            try connection.run("INSERT INTO device VALUES ('com.example.app', 'd1', $1, 5)", [.text(maya.installID.rawValue)])
            try connection.run("INSERT INTO apple_ads_token VALUES ('com.example.app', $1, $2, 5)", [.text(hash), .text(maya.installID.rawValue)])
        }

        try await sqlite.migrate(Schema.migrations)

        #expect(try await sqlite.read { try StoredCells.tables($0) }.allSatisfy { !["device", "apple_ads_token"].contains($0) })
        var device = DeviceFacts()
        device.deviceId = "d1"
        let opened = try await SQLInstallStore(sqlite, mark, tokenQueued: {}).open(
            TestStore.app, .mayasTablet, Opening(device: device, adToken: .value("t")), nowMs: TestStore.noon
        ).install
        #expect(opened.firstInstallID == maya.installID)
        #expect(opened.exchange?.state == .unavailable(.tokenReused))
        try await sqlite.close()
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallSQLite
import Testing

@testable import LandfallServer

@Suite("The schema of this release", .timeLimit(.minutes(1)))
struct SchemaTests {
    @Test("Ids of migrations begin with their day, and days never go back")
    func days() {
        let days = Schema.migrations.map { String($0.id.prefix(11)) }

        #expect(days == days.sorted())
        #expect(days.allSatisfy { $0.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2} /#) != nil })
        #expect(Set(Schema.migrations.flatMap { [$0.id] + $0.formerly }).count == Schema.migrations.reduce(0) { $0 + 1 + $1.formerly.count })
    }

    @Test("A store whose migrations have their former ids is this release's, and stays one of the release that wrote it")
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
}

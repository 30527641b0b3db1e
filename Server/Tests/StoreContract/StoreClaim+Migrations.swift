// SPDX-License-Identifier: Apache-2.0
import LandfallStore

extension StoreClaim {
    private static let tagTexts = ["CREATE TABLE tag (id BIGINT)", "INSERT INTO tag (id) VALUES (1)"]
    private static let tags = Migration(id: "2026-11-29 tags: create", tagTexts)

    private static func tagCount(_ store: any Database) async throws -> Int {
        try await store.read { try $0.rows("SELECT id FROM tag").count }
    }

    static let migrations = [
        StoreClaim("Only missing migrations run, and a second run changes nothing") { store in
            try await store.migrate([notes, tags])
            try await store.migrate([notes, tags])
            try expect(await tagCount(store), 1, "the rows")
        },
        StoreClaim("A failed migration changes nothing, and can be tried again") { store in
            let broken = Migration(id: tags.id, ["CREATE TABLE tag (id BIGINT)", "INSERT INTO nowhere VALUES (1)"])
            try await expectError("the broken migration", isFailed) { try await store.migrate([notes, broken]) }
            try await store.migrate([notes, tags])
            try expect(await tagCount(store), 1, "the rows")
        },
        StoreClaim("A store of a newer release is refused, unless each of its migrations lets older releases read and write") { store in
            try await store.migrate([notes, Migration(id: tags.id, olderReleases: .readAndWrite, tagTexts)])
            try await store.migrate([notes])
            try await store.checkSchema([notes])
            let newest = Migration(id: "2026-11-30 newest", olderReleases: .read, ["CREATE TABLE newest (id BIGINT)"])
            try await store.migrate([notes, tags, newest])
            try await expectError("a newer store", { $0 as? DatabaseError == .schemaIsNewer(newest.id) }) {
                try await store.migrate([notes, tags])
            }
            try await expectError("a newer store", { $0 as? DatabaseError == .schemaIsNewer(newest.id) }) {
                try await store.checkSchema([notes, tags])
            }
        },
        StoreClaim("A renamed migration does not run again if it ran under its old name") { store in
            try await store.migrate([notes, Migration(id: "2026-11-28 tags: create", tagTexts)])
            try await store.migrate([notes, Migration(id: tags.id, formerly: ["2026-11-28 tags: create"], tagTexts)])
            try expect(await tagCount(store), 1, "the rows")
        },
        StoreClaim("A list of migrations from an older release, without rights of older releases, is completed") { store in
            _ = try await store.write { connection in
                try connection.run("DROP TABLE schema_migration")
                try connection.run("CREATE TABLE schema_migration (id TEXT NOT NULL PRIMARY KEY, position BIGINT NOT NULL)")
                try connection.run("INSERT INTO schema_migration (id, position) VALUES ($1, 0)", [.text(notes.id)])
            }
            try await store.migrate([notes, tags])
            let rows = try await store.read { try $0.rows("SELECT older_releases FROM schema_migration ORDER BY id") }
            try expect(rows.map { $0.optionalText(0) }, [nil, "refused"], "the rights")
        },
        StoreClaim("A command reports a missing migration and changes nothing") { store in
            try await store.checkSchema([notes])
            try await expectError("an older store", { $0 as? DatabaseError == .schemaIsOlder(tags.id) }) {
                try await store.checkSchema([notes, tags])
            }
            try await expectError("no table", isFailed) { _ = try await tagCount(store) }
        },
    ]
}

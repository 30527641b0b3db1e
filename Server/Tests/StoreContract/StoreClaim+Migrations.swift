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
        StoreClaim("A store of a newer release is refused, unless each of its migrations lets older releases read and write") {
            store in
            try await store.migrate([notes, Migration(id: tags.id, olderReleases: .readAndWrite, tagTexts)])
            try await store.migrate([notes])
            try await store.checkSchema([notes])
            let newest = Migration(id: "2026-11-30 newest", ["CREATE TABLE newest (id BIGINT)"])
            try await store.migrate([notes, tags, newest])
            try await expectError("a newer store", { $0 as? DatabaseError == .schemaIsNewer(newest.id) }) {
                try await store.migrate([notes, tags])
            }
            try await expectError("a newer store", { $0 as? DatabaseError == .schemaIsNewer(newest.id) }) {
                try await store.checkSchema([notes, tags])
            }
        },
        StoreClaim("A store from before the first release is refused, and stays as it is") { store in
            try await expectError("an unreleased store", { $0 as? DatabaseError == .schemaIsUnreleased(notes.id) }) {
                try await store.migrate([tags, notes])
            }
            try await expectError("an unreleased store", { $0 as? DatabaseError == .schemaIsUnreleased(notes.id) }) {
                try await store.checkSchema([tags, notes])
            }
            try await expectError("no table", isFailed) { _ = try await tagCount(store) }
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

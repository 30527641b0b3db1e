// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallSQLite
@testable import LandfallStore

extension PostgresTests {
    @Suite("A backup of a database, and a store in its place")
    struct RestoringTests {
        private let transfer = StoreTransfer(Schema.migrations)

        /// A database with a store of the same rows as the folder.
        private func filled(_ store: FilledStore) throws -> (url: String, session: PostgresSession, tables: [StoreTransfer.Table]) {
            let url = try #require(OwnServer.current).schema()
            let session = try PostgresSession(PostgresAddress(url))
            return (url, session, try transfer.run(from: store.filled(), to: session))
        }

        /// Other tests of this server restore stores of their own.
        private func isRestoring(_ session: PostgresSession) throws -> Bool {
            let text = "SELECT 1 AS found FROM pg_namespace WHERE nspname = 'landfall_restoring_' || substr(md5(current_schema()), 1, 8)"
            return try session.read { try $0.row(text) } != nil
        }

        @Test("The file is one snapshot, while others write; it is complete with its checksum, or not there")
        func backup() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (url, session, tables) = try filled(store)
            let file = store.parent.appending(path: "copy.sqlite").path
            var copied: [StoreTransfer.Table] = []
            let other = try PostgresConnection(test: url)
            let busy = StoreTransfer(Schema.migrations) { progress in
                guard progress.step == .copied, progress.table == "absence" else { return }
                try? other.run(["DELETE FROM install", "DELETE FROM visitor_key"].map { Statement($0) })
            }

            #expect(throws: EndingSession<SQLiteSession>.Ended.self) {
                try BackupFile.make(at: file, isReplacing: false) { _ = try transfer.run(from: session, to: EndingSession($0, afterWrites: 9)) }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: store.parent.path) == ["source"])
            let bytes = try BackupFile.make(at: file, isReplacing: false) { copied = try busy.run(from: session, to: $0) }

            #expect(copied == tables)
            #expect(try session.read { try $0.rows("SELECT * FROM install").count } == 0)
            #expect(try BackupFile(file).check())
            #expect((try FileManager.default.attributesOfItem(atPath: file))[.size] as? Int64 == bytes)
            #expect(throws: StoreCopyError.fileExists(file)) { try BackupFile.make(at: file, isReplacing: false) { _ in } }
            // It is a store like every other backup.
            let restored = try store.folder("restored").restore(from: file, keepingAs: "x", progress: { _, _ in }, preparing: { _, _, _ in })
            #expect(restored.replaced == nil)
        }

        @Test("A store takes the place of another in one step; the previous one stays beside it; an interrupted restore changes nothing")
        func restore() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (url, session, tables) = try filled(store)
            let smaller = try store.filled("smaller", rows: 3), name = "landfall_replaced_\(UUID().uuidString.prefix(8).lowercased())"
            #expect(throws: EndingSession<PostgresSession>.Ended.self) {
                try session.replaceStore(of: Schema.migrations, keepingAs: name) { _ = try transfer.run(from: smaller, to: EndingSession($0, afterWrites: 9)) }
            }
            #expect(try isRestoring(session))
            let rows = try session.read { try $0.rows("SELECT * FROM event").count }
            // Tables of somebody else beside the store's.
            try PostgresConnection(test: url).run(["CREATE TABLE bill (id BIGINT)", "CREATE TABLE \"Odd name\" (id BIGINT)"].map { Statement($0) })
            #expect(rows == tables.first { $0.table == "event" }?.rows)
            let reader = try PostgresConnection(test: url)
            try reader.run(["BEGIN", "LOCK TABLE event IN ACCESS SHARE MODE"].map { Statement($0) })
            #expect(throws: StoreTransferError.inUse(session.name)) {
                try session.replaceStore(of: Schema.migrations, keepingAs: name, patience: (2, .milliseconds(50))) {
                    _ = try transfer.run(from: smaller, to: $0)
                }
            }
            try reader.run([Statement("COMMIT")])
            #expect(try session.read { try $0.rows("SELECT * FROM event").count } == rows)
            var restored: [StoreTransfer.Table] = []

            let replaced = try session.replaceStore(of: Schema.migrations, keepingAs: name) { target in
                restored = try transfer.run(from: smaller, to: target) { connection, applied in
                    #expect(applied.count == Schema.migrations.count)
                    try connection.run("UPDATE store SET epoch = 99")
                }
            }

            #expect(replaced == name)
            #expect(try session.read { try $0.row("SELECT epoch FROM store")?.integer("epoch") } == 99)
            #expect(try session.read { try $0.rows("SELECT * FROM event").count } == restored.first { $0.table == "event" }?.rows)
            #expect(try session.read { try $0.rows("SELECT * FROM \(name).event").count } == rows)
            #expect(try session.read { try $0.rows("SELECT * FROM bill, \"Odd name\"").count } == 0, "They stay where they are.")
            #expect(try !isRestoring(session))
            let database = try await PostgresDatabase.open(PostgresAddress(url))
            #expect(try await database.schemaLacks(after: Schema.migrations).text == nil)
            try await database.migrate(Schema.migrations)
            // A second one, while the first runs; it leaves the first one's rows alone.
            let second = try PostgresSession(PostgresAddress(url))
            #expect(throws: StoreTransferError.isWritten(second.name)) { try second.replaceStore(of: Schema.migrations, keepingAs: name) { _ in } }
            #expect(throws: StoreTransferError.isWritten(second.name)) { try second.excludeTransfers() }
            try PostgresConnection(test: url).run([.livingNode])
            #expect(throws: StoreTransferError.nodesLive(session.name, nodes: 1)) { try session.replaceStore(of: Schema.migrations, keepingAs: name) { _ in } }
            await database.close()
        }
    }
}

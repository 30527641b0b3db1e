// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallSQLite
@testable import LandfallStore

extension PostgresTests {
    @Suite("Moving a store")
    struct MoveTests {
        private let transfer = StoreTransfer(Schema.migrations)

        private func session() throws -> PostgresSession { try PostgresSession(PostgresAddress(try #require(OwnServer.current).schema())) }

        private func error(_ body: () throws -> Void) -> StoreTransferError? {
            do { try body() } catch { return error as? StoreTransferError }
            return nil
        }

        @Test("Every value comes through from a folder to PostgreSQL, to another PostgreSQL and back to a folder")
        func round() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (first, second, third) = (try session(), try session(), try SQLiteSession(store.folder("back")))

            let moved = try transfer.run(from: store.filled(), to: first)
            try first.excludeWriters(of: Schema.migrations)
            let again = try transfer.run(from: first, to: second)
            let back = try transfer.run(from: second, to: third)

            #expect(moved.count == SchemaShape(after: Schema.migrations).tables.count - 1)
            #expect(moved.allSatisfy { $0.table == "store" ? $0.rows == 1 : $0.rows > 1 && $0.checksum.count == 64 }, "\(moved)")
            #expect(again == moved)
            #expect(back == moved)
            let shapes = try third.read { (try SchemaShape(sqlite: $0), try AppliedMigration.all($0).map(\.id)) }
            #expect(shapes.0.lacks(of: SchemaShape(after: Schema.migrations)).text == nil)
            #expect(Set(shapes.1) == Set(Schema.migrations.map(\.id)))
        }

        @Test("A move that was interrupted at any write goes on, and loses and doubles nothing", arguments: [1, 2, 9, 30, 55, 56])
        func interrupted(writes: Int) async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (source, target) = (try store.filled(), try session())
            let whole = try transfer.run(from: source, to: SQLiteSession(store.folder("whole")))
            #expect(throws: EndingSession<PostgresSession>.Ended.self) {
                try transfer.run(from: source, to: EndingSession(target, afterWrites: writes))
            }
            let applied = try target.read { try AppliedMigration.all($0) }
            #expect(throws: DatabaseError.copyUnfinished(FilledStore.id)) { try Migration.pending(of: Schema.migrations, applied: applied) }

            let moved = try transfer.run(from: source, to: target)

            #expect(moved == whole)
        }

        @Test(
            "A source that was changed while the move was interrupted is found out",
            arguments: [
                (22, "apple_ads_exchange", "UPDATE apple_ads_exchange SET state = 'organic'"),
                (12, "absence", "DELETE FROM absence WHERE install_id = (SELECT MIN(install_id) FROM absence)"),
                // Of a table of which a part is copied: what is missing there, by number, has other rows than what is missing.
                (2, "absence", "DELETE FROM absence WHERE install_id = (SELECT MIN(install_id) FROM absence)"),
                (2, "absence", "INSERT INTO absence (app_id, install_id, began_at_ms, ended_at_ms) VALUES ('', '', 0, 0)"),
            ])
        func changed(writes: Int, table: String, change: String) async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (source, target) = (try store.filled(), try session())
            _ = try? transfer.run(from: source, to: EndingSession(target, afterWrites: writes))
            try source.write { _ = try $0.run(change) }

            #expect(error { _ = try transfer.run(from: source, to: target) } == .differs(target.name, table: table))
            #expect(try target.read { try AppliedMigration.all($0).count } == 1, "The copy stays unfinished.")
        }

        @Test("A store that was moved is refused, by either engine, and moved again once its mark is gone")
        func marked() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (folder, database) = (try store.filled(rows: 3), try session())
            _ = try transfer.run(from: folder, to: database)
            let empty = try session()
            func moves(_ source: some StoreSession) throws {
                try StoreTransfer.mark(source, movedTo: "there")
                let applied = try source.read { try AppliedMigration.all($0) }
                #expect(throws: DatabaseError.moved(to: "there")) { try Migration.pending(of: Schema.migrations, applied: applied) }
                #expect(throws: DatabaseError.moved(to: "there")) { try transfer.run(from: source, to: empty) }
                // As the error says.
                try source.write { _ = try $0.run("DELETE FROM schema_migration WHERE id LIKE 'moved to %'") }
            }
            try moves(folder)
            try moves(database)

            let moved = try transfer.run(from: database, to: empty)

            #expect(moved.count == SchemaShape(after: Schema.migrations).tables.count - 1)
        }

        @Test("A source whose connection is lost after its last row was read is not called moved")
        func lost() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let url = try #require(OwnServer.current).schema()
            let (source, target) = (try PostgresSession(PostgresAddress(url)), try session())
            _ = try transfer.run(from: store.filled(), to: source)
            try source.excludeWriters(of: Schema.migrations)
            let other = try PostgresConnection(test: url)
            let name = try #require(url.firstMatch(of: /application_name=(\w+)/)).output.1
            let cutting = StoreTransfer(Schema.migrations) { progress in
                guard progress.step == .comparing, progress.table == "absence" else { return }
                let text = "SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()"
                _ = try? other.rows(Statement(text, [.text(String(name))]))
            }

            #expect(throws: DatabaseError.self) { try cutting.run(from: source, to: target) }

            #expect(try target.read { try AppliedMigration.all($0).count } == 1, "The copy stays unfinished.")
        }

        @Test("A target that holds a store, a copy of another one, and the source itself are refused and not changed")
        func refused() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (source, target, other) = (try store.filled(), try session(), try session())
            _ = try transfer.run(from: source, to: target)
            _ = try? transfer.run(from: source, to: EndingSession(other, afterWrites: 5))
            try source.write { _ = try $0.run("UPDATE store SET store_id = 'another'") }

            #expect(error { _ = try transfer.run(from: source, to: target) } == .notEmpty(target.name))
            #expect(error { _ = try transfer.run(from: source, to: other) } == .otherCopy(other.name, store: FilledStore.id))
            #expect(error { _ = try transfer.run(from: target, to: target) } == .samePlace(target.name))
            #expect(error { _ = try transfer.run(from: SQLiteSession(store.folder("none")), to: other) } == .noStore(store.folder("none").path))
            #expect(throws: DatabaseError.self) { try SQLiteSession(store.folder("source")) }
        }

        @Test("A source of another release is refused, with the word for it")
        func releases() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let (source, target) = (try store.filled(), try session())
            let last = try #require(Schema.migrations.last), newer = Migration(id: "2027-01-01 new: create", olderReleases: .readAndWrite, [])
            try source.write { try newer.run($0, position: 99) }
            #expect(throws: DatabaseError.schemaIsNewer(newer.id)) { try transfer.run(from: source, to: target) }
            try source.write { _ = try $0.run("DELETE FROM schema_migration WHERE id IN ($1, $2)", [.text(newer.id), .text(last.id)]) }

            #expect(throws: DatabaseError.schemaIsOlder(last.id)) { try transfer.run(from: source, to: target) }
            #expect(try target.read { try $0.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").count } == 0)
        }

        @Test("Living nodes are refused, and during a move none can change the source or start on it")
        func locked() async throws {
            let store = try FilledStore()
            defer { store.remove() }
            let url = try #require(OwnServer.current).schema()
            let database = try await PostgresDatabase.open(PostgresAddress(url))
            try await database.migrate(Schema.migrations)
            _ = try await database.write { try $0.run("INSERT INTO store (name, store_id, epoch) VALUES ('self', 'x', 1)") }
            let source = try PostgresSession(PostgresAddress(url))
            let other = try PostgresConnection(test: url)
            try other.run([.livingNode])
            #expect(error { try source.excludeWriters(of: Schema.migrations) } == .nodesLive(source.name, nodes: 1))
            try other.run([Statement("DELETE FROM node"), Statement("CREATE TABLE bill (id BIGINT)")])
            try source.excludeWriters(of: Schema.migrations)

            // Before the others are prepared, which takes the lock already.
            try other.run([Statement("SET lock_timeout = '50ms'")])
            try source.read { _ in
                for text in [Statement.livingNode.text, "DELETE FROM install", "DELETE FROM store"] {
                    let refused = #expect(throws: PostgresFailure.self) { try other.run([Statement(text)]) }
                    #expect(refused?.consequence == .conflict, "\(text)")
                }
                // A table of somebody else beside them.
                try other.run([Statement("INSERT INTO bill (id) VALUES (1)")])
            }

            try other.run([Statement("BEGIN"), Statement("DELETE FROM store")])
            #expect(error { try source.read { _ in } } == .inUse(source.name))
            try other.run([Statement("COMMIT")])
            try source.read { _ in }
            await database.close()
        }

        @Test("The shape of the migrations' texts is what an engine makes of them")
        func shape() async throws {
            let store = try FilledStore()
            defer { store.remove() }

            let shape = try store.filled(rows: 0).read { try SchemaShape(sqlite: $0) }

            #expect(shape == SchemaShape(after: Schema.migrations))
            #expect(shape.tables.allSatisfy { !$0.key.isEmpty })
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallStore

/// Folders of a test, and a store that has rows in every table, with the values that engines are known to treat differently.
struct FilledStore {
    static let id = "0198f0c2-7b1a-7c3d-8e4f-000000000001"

    let parent: URL

    init() throws {
        parent = FileManager.default.temporaryDirectory.appending(path: "landfall-move-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: parent) }

    func folder(_ name: String) -> StoreFolder { StoreFolder(parent.appending(path: name).path) }

    /// A session of a folder with as many rows in each table.
    func filled(_ name: String = "source", rows: Int = 150) throws -> SQLiteSession {
        let session = try SQLiteSession(folder(name))
        try session.write { connection in
            _ = try AppliedMigration.prepared(connection)
            for (position, migration) in Schema.migrations.enumerated() { try migration.run(connection, position: position) }
            for table in SchemaShape(after: Schema.migrations).tables where table.name != "schema_migration" {
                try Self.fill(table, connection, rows: table.name == "store" ? 0 : rows)
            }
            try connection.run("INSERT INTO store (name, store_id, epoch) VALUES ('self', $1, 7)", [.text(Self.id)])
        }
        return session
    }

    private static func fill(_ table: SchemaShape.Table, _ connection: any WriteConnection, rows: Int) throws {
        let types = Dictionary(
            uniqueKeysWithValues: try connection.rows("SELECT name, type, \"notnull\" AS needed FROM pragma_table_info('\(table.name)')").map {
                (try $0.text("name"), (type: try $0.text("type"), isNeeded: try $0.flag("needed")))
            })
        let places = Statement.places(1..<table.columns.count + 1)
        for row in 0..<rows {
            let values = try table.columns.map { column in
                let type = try #require(types[column])
                return value(of: type.type, row, isUnique: table.key.contains(column), mayBeNull: !type.isNeeded)
            }
            // Some tables have a second key.
            try connection.run("INSERT INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT DO NOTHING", values)
        }
    }

    private static func value(of type: String, _ row: Int, isUnique: Bool, mayBeNull: Bool) -> SQLValue {
        if mayBeNull, row % 3 == 0 { return .null }
        switch type {
        case "BIGINT": return .integer(isUnique ? Int64(row) - 70 : row % 2 == 0 ? .max - Int64(row) : .min + Int64(row))
        case "DOUBLE PRECISION": return .real(Double(row) / 3)
        case "BYTEA": return .blob(isUnique || row % 5 > 0 ? [UInt8(row & 255), 0, 255, UInt8(row >> 8)] : [])
        // Both engines compare texts as bytes: capitals before small letters, and these before letters with accents.
        default: return .text(isUnique || row % 5 > 0 ? ["z", "Z", "é", "😀", "a'b", "\u{1}"][row % 6] + " \(row)" : "")
        }
    }
}

/// A session whose writes end after some, as a process that is killed.
struct EndingSession<Session: StoreSession>: StoreSession {
    final class Left { var writes: Int; init(_ writes: Int) { self.writes = writes } }
    struct Ended: Error {}

    let session: Session
    let left: Left

    init(_ session: Session, afterWrites writes: Int) { (self.session, left) = (session, Left(writes)) }

    var name: String { session.name }
    func place() throws -> String { try session.place() }
    func read<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value { try session.read(body) }

    func write<Value>(_ body: (any WriteConnection) throws -> Value) throws -> Value {
        guard left.writes > 0 else { throw Ended() }
        left.writes -= 1
        return try session.write(body)
    }
}

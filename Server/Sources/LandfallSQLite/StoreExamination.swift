// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Looks for damage: pages that SQLite did not write like that.
enum StoreExamination {
    /// A store of up to so many bytes is looked through as a whole when it is opened; of a larger one each table has its time.
    static let small = 32 * 1024 * 1024
    static let mostFindings = 100

    /// How long opening may take for it.
    struct Limits {
        var whole = Duration.seconds(2)
        var table = Duration.milliseconds(250)
    }

    /// Reads as much as it can in time: the schema, then all of a small store, or one table after the other.
    /// - Returns: what is wrong first; nil where nothing was found.
    static func quick(on connection: GRDB.Database, _ limits: Limits = Limits()) throws -> String? {
        let end = ContinuousClock.now + limits.whole
        let tables = try String.fetchAll(connection, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        let pages = try Int.fetchOne(connection, sql: "PRAGMA page_count") ?? 0
        let pageSize = try Int.fetchOne(connection, sql: "PRAGMA page_size") ?? 0
        if pages * pageSize <= small {
            return try first(of: "PRAGMA quick_check(1)", on: connection, within: limits.whole)
        }
        for table in tables {
            let left = end - .now
            guard left > .zero else { return nil }
            // A name of our own schema; a pragma takes no value in its place.
            let text = "PRAGMA quick_check(\"\(table)\")"
            if let found = try first(of: text, on: connection, within: min(left, limits.table)) { return found }
        }
        return nil
    }

    /// Reads everything.
    static func whole(on connection: GRDB.Database) throws -> [String] {
        try String.fetchAll(connection, sql: "PRAGMA integrity_check(\(mostFindings))").flatMap(findings)
    }

    /// SQLite puts the name of the database before the first one, on a line of its own.
    private static func findings(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
    }

    /// Nil too where the time was not enough: an interrupted check takes pages that it did not reach for lost ones.
    private static func first(of text: String, on connection: GRDB.Database, within limit: Duration) throws -> String? {
        let timer = TimeLimit(connection, limit)
        defer { timer.end() }
        do {
            let lines = try String.fetchAll(connection, sql: text)
            return timer.isOver ? nil : lines.flatMap(findings).first
        } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            return nil
        }
    }
}

/// Interrupts what a connection is doing when its time is over.
private final class TimeLimit: Sendable {
    private struct State {
        /// Of the connection; nil once nothing is to be interrupted any more.
        var handle: UInt?
        var isOver = false
    }

    private let state: Mutex<State>

    init(_ connection: GRDB.Database, _ limit: Duration) {
        state = Mutex(State(handle: connection.sqliteConnection.map { UInt(bitPattern: $0) }))
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.interrupt() }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    func end() { state.withLock { $0.handle = nil } }

    private func interrupt() {
        state.withLock { state in
            guard let handle = state.handle.flatMap({ OpaquePointer(bitPattern: $0) }) else { return }
            state.isOver = true
            sqlite3_interrupt(handle)
        }
    }
}

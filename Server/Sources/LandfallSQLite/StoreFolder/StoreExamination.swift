// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Dispatch
import LandfallStore
import Synchronization

/// Checks a store for damage: pages with contents that SQLite did not write.
enum StoreExamination {
    /// Up to this number of bytes, a store is read completely when it is opened; a larger one is read table by table, each with
    /// a time limit.
    static let small = 32 * 1024 * 1024
    static let mostFindings = 100

    /// The time limits of the check at opening.
    struct Limits {
        var whole = Duration.seconds(2)
        var table = Duration.milliseconds(250)
    }

    /// Reads as much as it can in time: the schema, then all of a small store, or one table after the other.
    /// - Returns: the first damage; nil if none was found.
    static func quick(on connection: SQLiteConnection, _ limits: Limits = Limits()) throws -> String? {
        let end = ContinuousClock.now + limits.whole
        let tables = try texts(of: "SELECT name FROM sqlite_master WHERE type = 'table'", on: connection)
        let pages = try connection.row("PRAGMA page_count")?.integer(0) ?? 0
        let pageSize = try connection.row("PRAGMA page_size")?.integer(0) ?? 0
        if pages * pageSize <= small {
            return try first(of: "PRAGMA quick_check(1)", on: connection, within: limits.whole)
        }
        for table in tables {
            let left = end - .now
            guard left > .zero else { return nil }
            // A name of our own schema; a pragma accepts no bound value here.
            let text = "PRAGMA quick_check(\"\(table)\")"
            if let found = try first(of: text, on: connection, within: min(left, limits.table)) { return found }
        }
        return nil
    }

    /// Reads the whole store.
    static func whole(on connection: SQLiteConnection) throws -> [String] {
        try named(damages(in: texts(of: "PRAGMA integrity_check(\(mostFindings))", on: connection).flatMap(findings)), on: connection)
    }

    /// The engine reports unreadable pages of the disk in the same way as damaged pages, with the code of the error.
    /// - Throws: ``DatabaseError/diskFailing(_:)``.
    private static func damages(in findings: [String]) throws -> [String] {
        for finding in findings {
            guard let code = finding.firstRange(of: "error code=").flatMap({ Int32(finding[$0.upperBound...].prefix { $0.isNumber }) }),
                code & 0xFF == SQLITE_IOERR
            else { continue }
            throw DatabaseError.diskFailing(finding)
        }
        return findings
    }

    /// A page with another checksum before what the engine makes of it.
    private static func named(_ findings: [String], on connection: SQLiteConnection) -> [String] {
        findings.isEmpty ? [] : (connection.damagedPlace.map { [$0] } ?? []) + findings
    }

    private static func texts(of text: String, on connection: SQLiteConnection) throws -> [String] {
        try connection.rows(text).map { try $0.text(0) }
    }

    /// SQLite writes the name of the database before the first finding, on a separate line.
    private static func findings(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
    }

    /// Also nil if the time was not enough: an interrupted check reports unread pages as lost.
    private static func first(of text: String, on connection: SQLiteConnection, within limit: Duration) throws -> String? {
        let timer = TimeLimit(connection, limit)
        defer { timer.end() }
        do {
            let lines = try texts(of: text, on: connection)
            return timer.isOver ? nil : try named(damages(in: lines.flatMap(findings)), on: connection).first
        } catch DatabaseError.retry where timer.isOver {
            return nil
        }
    }
}

/// Interrupts a connection's statement after a time limit.
private final class TimeLimit: Sendable {
    private struct State {
        /// Nil when there is nothing left to interrupt.
        var connection: SQLiteConnection?
        var isOver = false
    }

    private let state: Mutex<State>

    init(_ connection: SQLiteConnection, _ limit: Duration) {
        state = Mutex(State(connection: connection))
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { self.interrupt() }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    func end() {
        state.withLock { state in
            state.connection?.heedNoInterrupt()
            state.connection = nil
        }
    }

    private func interrupt() {
        state.withLock { state in
            guard let connection = state.connection else { return }
            state.isOver = true
            connection.interrupt()
        }
    }
}

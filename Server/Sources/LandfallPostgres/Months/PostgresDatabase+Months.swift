// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

extension PostgresDatabase {
    /// Makes the parts of this month and those ahead, each in a transaction of its own. Only looks where none is missing.
    /// - Throws: ``LandfallStore/DatabaseError/retry(_:)`` if the rest is in use: then its rows stay there until the next call.
    func makeMonths() async throws {
        var failure: (any Error)?
        for table in MonthlyTable.all {
            for month in try await read({ try table.missing($0) }) {
                do {
                    try await write(.bulk, locking: [table.lock]) { connection in
                        // Another node may have made it meanwhile.
                        guard try table.missing(connection).contains(month) else { return }
                        // While rows of the rest move, their callers wait: not for long.
                        try connection.run(Statement("SET LOCAL statement_timeout = '2s'"))
                        try table.make(month, connection)
                    }
                } catch { failure = failure ?? error }  // The other months are made nonetheless.
            }
        }
        if let failure { throw failure }
    }

    package func dropMonths(of table: String, of app: String, before first: String) async throws -> [String] {
        guard let table = MonthlyTable.all.first(where: { $0.name == table }) else { return [] }
        var dropped: [String] = []
        do {
            for part in try await read({ try table.parts($0) }) where part.end.map({ $0 <= first }) ?? false {
                let isDropped = try await write(.bulk, locking: [table.lock]) { connection in
                    guard try table.parts(connection).contains(part), try !part.hasRows(ofOthersThan: app, connection) else { return false }
                    try connection.run(MonthlyTable.lockTimeout)
                    try connection.run("DROP TABLE \(part.name)")
                    return true
                }
                if isDropped { dropped.append(part.name) }
            }
        } catch DatabaseError.retry {}  // It is in use.
        return dropped
    }
}

extension MonthPart {
    /// By the key, which begins with the app.
    fileprivate func hasRows(ofOthersThan app: String, _ connection: any ReadConnection) throws -> Bool {
        try ["<", ">"].contains { try connection.row("SELECT 1 AS found FROM \(name) WHERE app_id \($0) $1 LIMIT 1", [.text(app)]) != nil }
    }
}

/// Says when to look for months that are missing: with the first of many calls.
final class MonthLooks: Sendable {
    /// One each 10 seconds makes a look each hour.
    static let callsOfLook = 360

    private let calls = Atomic(0)

    func isDue() -> Bool { calls.wrappingAdd(1, ordering: .relaxed).oldValue % Self.callsOfLook == 0 }
}

// SPDX-License-Identifier: Apache-2.0
@testable import LandfallStore

/// Runs a statement inside each unit, right after the unit has read something: as another node's unit would, if no lock kept them apart.
struct AfterReadDatabase: PassingDatabase {
    let base: any Database
    /// How the text of the read begins.
    let read: String
    let statement: Statement

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await base.write(urgency, locking: locks) { try body(Connection(base: $0, read: read, statement: statement)) }
    }

    private struct Connection: PassingConnection {
        let base: any WriteConnection
        let read: String
        let statement: Statement

        func rows(_ statement: Statement) throws -> [Row] {
            let rows = try base.rows(statement)
            if statement.text.hasPrefix(read) { try base.run(self.statement) }
            return rows
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A store that one program works through by itself, on one thread: no other caller, no groups, no repeats.
package protocol StoreSession {
    /// For people; without a password.
    var name: String { get }

    /// The same text for every session of one place, and of no other.
    func place() throws -> String

    /// Reads one snapshot, however long it takes.
    func read<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value

    /// Runs the body as one transaction, which is on disk when this returns.
    func write<Value>(_ body: (any WriteConnection) throws -> Value) throws -> Value

    /// Prepares the places of rows that are written next, in their order; an engine may keep a table in parts.
    func makeRoom(for rows: ArraySlice<Row>, of table: SchemaShape.Table, _ connection: any WriteConnection) throws
}

extension StoreSession {
    package func makeRoom(for rows: ArraySlice<Row>, of table: SchemaShape.Table, _ connection: any WriteConnection) throws {}
}

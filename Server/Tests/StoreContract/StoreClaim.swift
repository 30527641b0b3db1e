// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// What every engine must do, checked on a new, empty store.
package struct StoreClaim: Sendable, CustomStringConvertible {
    /// Why a claim does not hold.
    package struct Broken: Error, CustomStringConvertible {
        package let description: String
    }

    package let description: String
    let body: @Sendable (any Database) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (any Database) async throws -> Void) {
        self.description = description
        self.body = body
    }

    package static var all: [StoreClaim] { values + writes + appends + changes + reads + cancellations + migrations }

    /// - Throws: ``Broken``, or the engine's error where none was expected.
    package func check(on store: any Database) async throws {
        try await store.migrate([Self.notes])
        try await body(store)
    }

    static let notes = Migration(
        id: "2026-11-28 notes: create",
        ["CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text TEXT, weight DOUBLE PRECISION, bytes BYTEA)"])

    static func insert(_ id: Int64) -> Statement { Statement("INSERT INTO note (id) VALUES ($1)", [.integer(id)]) }

    static func ids(_ store: any Database) async throws -> [Int64] {
        try await store.read { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0.integer(0) } }
    }
}

/// - Throws: ``StoreClaim/Broken`` with both values.
func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
    if found != wanted { throw StoreClaim.Broken(description: "\(what): \(found), not \(wanted)") }
}

func expectError(
    _ what: String, _ isExpected: (any Error) -> Bool, from body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch {
        if isExpected(error) { return }
        throw StoreClaim.Broken(description: "\(what): \(error)")
    }
    throw StoreClaim.Broken(description: "\(what): no error")
}

func isFailed(_ error: any Error) -> Bool { if case DatabaseError.failed = error { true } else { false } }

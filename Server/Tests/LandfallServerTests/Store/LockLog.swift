// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallStore

/// Writes down which locks a unit names, and what it runs. Right only for units that come one after the other.
final class LockLog: PassingDatabase {
    struct Unit: Sendable {
        let locks: [RowLock]
        let texts: [String]
    }

    private let recording: RecordingDatabase
    private let log = Mutex<[Unit]>([])

    init(_ recording: RecordingDatabase) { self.recording = recording }

    var base: any Database { recording }
    var units: [Unit] { log.withLock(\.self) }

    /// The units that change rows of the table.
    func units(changing table: String) -> [Unit] {
        units.filter { unit in
            unit.texts.contains { text in
                ["INSERT INTO \(table) ", "UPDATE \(table) ", "DELETE FROM \(table) "].contains { text.hasPrefix($0) }
            }
        }
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        let count = recording.recorded.count
        let value = try await recording.write(urgency, locking: locks, body)
        add(locks, after: count)
        return value
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let count = recording.recorded.count
        recording.write(urgency, locking: locks, body) { [self] result in
            add(locks, after: count)
            then(result)
        }
    }

    private func add(_ locks: [RowLock], after count: Int) {
        let texts = recording.recorded.dropFirst(count).map(\.statement.text)
        log.withLock { $0.append(Unit(locks: locks, texts: texts)) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// A caller's rows, from the queue to the answer. They are never withdrawn, so they need no state.
final class AppendUnit: PendingWrite {
    private let rows: [Statement]
    private let answer: @Sendable (Result<Void, any Error>) -> Void

    init(_ rows: [Statement], _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        self.rows = rows
        self.answer = answer
    }

    var isAppend: Bool { true }

    func begin() -> Bool { true }

    func perform(_ connection: any WriteConnection) throws {
        for row in rows { try connection.run(row) }
    }

    func resume() { answer(.success(())) }

    func fail(_ error: any Error) { answer(.failure(error)) }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// The store as one node of several sees it. Its own changes it hears of at once, those of others when the board tells it.
///
/// The nodes' transactions run one after the other, so races between transactions of a database with several connections cannot be found.
final class NodeDatabase: SharedDatabase {
    let node: NodeName
    let isShared = true
    let observers = StoreObservers()
    private let store: MortalDatabase
    private let board: NodeBoard

    init(_ node: NodeName, _ store: MortalDatabase, _ board: NodeBoard) {
        (self.node, self.store, self.board) = (node, store, board)
        board.hears(node, observers)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { waiter in
            write(urgency, locking: locks, body, then: { waiter.resume(with: $0) })
        }
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        board.write(by: node) { store.write(urgency, locking: locks, body, then: then) }
    }

    func migrate(_ migrations: [Migration]) async throws { try await store.migrate(migrations) }

    // MARK: Among the nodes

    /// The board tells by itself.
    func hear() async throws {}

    func beat(release: String, nowMs: Int64, asking questions: [Statement]) async throws -> (seen: NodesSeen, answers: [[Row]]) {
        let answers = try await store.rows(questions)
        board.beat(node, release: release, nowMs: nowMs)
        return (board.seen, answers)
    }

    func nodes() async throws -> NodesSeen { board.seen }
    func forget(_ dead: NodeName) async throws { board.forget(dead) }
    func tidy() async throws {}
    func leave() async throws { board.leave(node) }
}

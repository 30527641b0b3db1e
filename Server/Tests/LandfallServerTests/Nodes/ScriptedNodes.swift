// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallStore

/// A store whose nodes are as the test says.
final class ScriptedNodes: PassingDatabase, SharedDatabase {
    let base: any Database
    let node = NodeName("own")
    private let answer = Mutex<Result<NodesSeen, DatabaseError>>(.success(NodesSeen(nowMs: 0, nodes: [])))

    init(_ base: any Database) { self.base = base }

    var isShared: Bool { true }

    /// - Parameters:
    ///   - others: names and how long they have been silent.
    ///   - aheadMs: their clocks.
    func see(_ others: [(String, Int64)], nowMs: Int64 = TestStore.noon, aheadMs: Int64 = 0) {
        let nodes = ([("own", 0)] + others).map {
            NodesSeen.Node(name: NodeName($0.0), release: "1", silentMs: $0.1, clockAheadMs: aheadMs)
        }
        answer.withLock { $0 = .success(NodesSeen(nowMs: nowMs, nodes: nodes)) }
    }

    func isAway() { answer.withLock { $0 = .failure(.cannotConnect(server: "db", reason: "refused")) } }

    private let forgets = Mutex<[String]>([])
    var forgotten: [String] { forgets.withLock(\.self) }

    func hear() async throws {}
    func forget(_ dead: NodeName) async throws { forgets.withLock { $0.append(dead.text) } }
    func tidy() async throws {}
    func beat(release: String, nowMs: Int64, asking questions: [Statement]) async throws -> (seen: NodesSeen, answers: [[Row]]) {
        (try await nodes(), try await rows(questions))
    }
    func nodes() async throws -> NodesSeen { try answer.withLock { try $0.get() } }
    func leave() async throws { hasLeft.withLock { $0 = true } }
    let hasLeft = Mutex(false)
}

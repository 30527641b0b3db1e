// SPDX-License-Identifier: Apache-2.0

/// A database that several nodes work on. They know of each other only through it.
package protocol SharedDatabase: Database {
    /// This process among the nodes.
    var node: NodeName { get }

    /// Tells observers what other nodes have changed since the last call; the first call tells ``StoreNews/missed``. Only one call at
    /// a time.
    func hear() async throws

    /// Says that this node lives. To be called every second.
    /// - Parameters:
    ///   - release: of this node.
    ///   - nowMs: this node's clock, for the others.
    ///   - questions: reads that travel with the beat.
    /// - Returns: the nodes, and the rows of each question.
    func beat(release: String, nowMs: Int64, asking questions: [Statement]) async throws -> (seen: NodesSeen, answers: [[Row]])

    /// The nodes, also where this process is none of them.
    func nodes() async throws -> NodesSeen

    /// A dead node's entry is removed, unless it lives again.
    func forget(_ dead: NodeName) async throws

    /// Removes changes that every node has heard, and prepares what the engine needs ahead. To be called each ten seconds.
    func tidy() async throws

    /// This node's entry is removed: it stops.
    func leave() async throws
}

extension SharedDatabase {
    /// The nodes that live, besides this process.
    package func livingOthers() async throws -> [NodesSeen.Node] { try await nodes().living.filter { $0.name != node } }
}

/// The name of one process among the nodes: drawn at its start, so a process that is started again is another node.
package struct NodeName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func drawn() -> NodeName { NodeName(String(UInt64.random(in: .min ... .max), radix: 36)) }
}

/// The nodes as the database knows them at one instant.
package struct NodesSeen: Hashable, Sendable {
    package struct Node: Hashable, Sendable {
        package let name: NodeName
        package let release: String
        /// How long it has said nothing, in milliseconds of the database's clock.
        package let silentMs: Int64
        /// Since its first beat, in milliseconds of the database's clock.
        package let runningMs: Int64
        /// How far its clock was ahead of the database's at its last beat; negative: behind it.
        package let clockAheadMs: Int64

        package init(name: NodeName, release: String, silentMs: Int64, runningMs: Int64 = 0, clockAheadMs: Int64 = 0) {
            (self.name, self.release, self.silentMs) = (name, release, silentMs)
            (self.runningMs, self.clockAheadMs) = (runningMs, clockAheadMs)
        }
    }

    /// The database's clock, in Unix milliseconds.
    package let nowMs: Int64
    /// In the order of their names; a node that beats is one of them.
    package let nodes: [Node]
    /// A node that is silent for so long is dead: it beats three times meanwhile.
    package static let deadMs: Int64 = 3_000
    /// A node that is silent for so long has missed a beat. It may live nonetheless: the database, the machine or the network may be slow.
    package static let lateMs: Int64 = 1_500
    /// From so much on, people are told that a clock differs from the database's.
    package static let clockWarningMs: Int64 = 2_000
    package var living: [Node] { nodes.filter { $0.silentMs < Self.deadMs } }

    /// Nil if the node has left, or was forgotten.
    package func silentMs(of node: NodeName) -> Int64? { nodes.first { $0.name == node }?.silentMs }

    package init(nowMs: Int64, nodes: [Node]) { (self.nowMs, self.nodes) = (nowMs, nodes) }
}

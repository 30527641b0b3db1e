// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// The nodes that share a store, as this one saw them at its last beat.
package struct NodesHealth: Hashable, Sendable {
    package struct Node: Hashable, Sendable {
        let name: String
        let release: String
        let runningMs: Int64
        let silentMs: Int64
        /// Its clock, compared with the database's.
        let clockAheadMs: Int64
        let isThis: Bool

        package init(name: String, release: String, runningMs: Int64, silentMs: Int64, clockAheadMs: Int64, isThis: Bool) {
            (self.name, self.release, self.isThis) = (name, release, isThis)
            (self.runningMs, self.silentMs, self.clockAheadMs) = (runningMs, silentMs, clockAheadMs)
        }
    }

    enum Finding: Hashable, Sendable {
        /// - awayMs: nil while it answers.
        case database(awayMs: Int64?)
        case nodes(Int, silent: [String])
        case releases([String])
        /// - aheadMs: of the clock that differs most.
        case clocks(aheadMs: Int64)
        case replica(ReplicaCondition.State, behindMs: Int64?)
    }

    /// In the order of their names.
    let nodes: [Node]
    /// Since when the database does not answer; nil while it does.
    let awaySinceMs: Int64?
    /// Nil if the database has none.
    let replica: ReplicaCondition?

    package init(_ nodes: [Node], awaySinceMs: Int64?, replica: ReplicaCondition? = nil) {
        (self.nodes, self.awaySinceMs, self.replica) = (nodes, awaySinceMs, replica)
    }

    func checks(nowMs: Int64) -> [HealthCheck] {
        let silent = nodes.filter { $0.silentMs > NodesSeen.deadMs }.map(\.name)
        let releases = Set(nodes.map(\.release)).sorted()
        let ahead = nodes.map(\.clockAheadMs).max { abs($0) < abs($1) } ?? 0
        return [
            HealthCheck(.shared(.database(awayMs: awaySinceMs.map { max(nowMs - $0, 0) })), isOK: awaySinceMs == nil),
            HealthCheck(.shared(.nodes(nodes.count, silent: silent)), isOK: silent.isEmpty),
            HealthCheck(.shared(.releases(releases)), isOK: releases.count <= 1),
            HealthCheck(.shared(.clocks(aheadMs: ahead)), isOK: abs(ahead) <= NodesSeen.clockWarningMs),
        ] + (replica.map { [HealthCheck(.shared(.replica($0.state, behindMs: $0.ageMs)), isOK: $0.state == .ok || $0.state == .unknown)] } ?? [])
    }
}

extension NodesHealth.Finding {
    /// See ``HealthCheck/name``.
    var name: String {
        switch self {
        case .database: "database"
        case .nodes: "nodes"
        case .releases: "releases"
        case .clocks: "clocks"
        case .replica: "replica"
        }
    }
}

extension HealthPage {
    /// Every node that shares the store.
    static func html(_ health: NodesHealth, _ words: Words) -> HTML {
        section(.class("block")) {
            h2 { words.nodes }
            scrollingTable(words.nodes, titles: [words.node, words.releaseOfServer, words.runningFor], numbers: [words.silentFor, words.clockAhead]) {
                for node in health.nodes {
                    tr {
                        th(Attribute("scope", "row")) {
                            code { node.name }
                            if node.isThis { span(.class("badge")) { words.thisNode } }
                        }
                        td { node.release }
                        td { words.span(node.runningMs) }
                        td(.class("number")) { words.milliseconds(node.silentMs) }
                        td(.class("number")) { words.milliseconds(node.clockAheadMs) }
                    }
                }
            }
            p(.class("hint")) { words.figuresOfThisNode }
        }
    }
}

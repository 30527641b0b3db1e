// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

extension PostgresDatabase {
    /// How a replica does that this program does not read itself: compared by the newest beat of any node.
    package func condition(ofReplica address: PostgresAddress) async -> EngineCondition {
        do {
            let primary = pool.address, limit = min(limits.interactive, .seconds(15)), library = try Libpq.shared.get()
            let found: (newest: Int64?, isAway: Bool, beatMs: Int64?) = try await onThread { () throws(DatabaseError) in
                let own = try PostgresConnection(primary, library: library, within: limit)
                let newest = try ReplicaChecks.row(NodeTables.newestBeat, own, limit).optionalInteger("beat_ms")
                guard let replica = try ReplicaChecks.run(address, of: own, within: limit) else { return (newest, true, nil) }
                return (newest, false, try ReplicaChecks.row(NodeTables.newestBeat, replica, limit).optionalInteger("beat_ms"))
            }
            if found.isAway {
                return EngineCondition(
                    "replica", "The replica '\(address.name)' takes no connection as a standby, so the primary is read.", remedy: "Look at its log, at the network to it, and whether a failover has made it the primary.")
            }
            guard let newest = found.newest else {
                return EngineCondition("replica", "The replica '\(address.name)' follows the database. How far it is behind shows when a node lives.")
            }
            let behindMs = found.beatMs.map { max(0, newest - $0) }
            let text = "The replica '\(address.name)' is \(behindMs.map { "\($0) ms" } ?? "far") behind"
            guard let behindMs, .milliseconds(behindMs) <= limits.replicaLag else {
                return EngineCondition(
                    "replica", "\(text), so the primary is read.", remedy: "Look at its disk, its network and its log; SELECT pg_wal_replay_resume(); if it is paused.")
            }
            return EngineCondition("replica", "\(text); reports, results and samples are read from it.")
        } catch DatabaseError.unsuitable(let text, let remedy) {
            return EngineCondition("replica", "The replica does not suit: \(text).", remedy: remedy)
        } catch {
            return EngineCondition("replica", "\(error)", remedy: "Check that the replica runs, and the URL of --replica.")
        }
    }
}

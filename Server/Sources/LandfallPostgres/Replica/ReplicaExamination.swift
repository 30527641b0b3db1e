// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

extension PostgresDatabase {
    /// How a replica does that this program does not read itself: compared by the newest beat of any node.
    package func condition(ofReplica address: PostgresAddress) async -> EngineCondition {
        do {
            let newest = try await read { try NodeTables.newestBeatMs($0) }, primary = pool.address, limit = min(limits.interactive, .seconds(15))
            let library = try Libpq.shared.get()
            let found: (isAway: Bool, beatMs: Int64?) = try await onThread { () throws(DatabaseError) in
                let own = try PostgresConnection(primary, library: library, within: limit)
                guard let replica = try ReplicaChecks.run(address, of: own, within: limit) else { return (true, nil) }
                do throws(PostgresFailure) {
                    let rows = try replica.flight([(NodeTables.newestBeat, .rows)], within: limit)[0].rows
                    return (false, rows.first?.optionalInteger("beat_ms"))
                } catch {
                    throw error.error
                }
            }
            if found.isAway {
                return EngineCondition(
                    "replica", "The replica '\(address.name)' takes no connection as a standby, so the primary is read.", remedy: "Look at its log, at the network to it, and whether a failover has made it the primary.")
            }
            guard let newest else {
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

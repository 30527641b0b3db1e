// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallStore

extension SharedDatabase {
    /// Longer than a living node can be silent once the database answers: a second until its next beat, and five for the beat.
    static var pauseForSilentNodes: Duration { .seconds(7) }

    /// No other node works on the store.
    func isAlone(by time: ServerTime) async throws -> Bool {
        guard try await livingOthers().isEmpty else { return false }
        return try await livingOthers(by: time).isEmpty
    }

    /// After the database was away all others look silent, so silent ones are looked at again.
    func livingOthers(by time: ServerTime) async throws -> [NodesSeen.Node] {
        let seen = try await nodes()
        guard seen.nodes.contains(where: { $0.name != node && $0.silentMs >= NodesSeen.deadMs }) else {
            return seen.living.filter { $0.name != node }
        }
        try await time.sleep(Self.pauseForSilentNodes)
        return try await livingOthers()
    }
}

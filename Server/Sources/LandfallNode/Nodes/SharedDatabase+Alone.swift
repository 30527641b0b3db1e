// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallStore

extension SharedDatabase {
    /// Longer than a living node can be silent once the database answers: a second until its next beat, and five for the beat.
    static var pauseForSilentNodes: Duration { .seconds(7) }

    /// No other node works on the store. After the database was away all others look silent, so silent ones are looked at again.
    func isAlone(by time: ServerTime) async throws -> Bool {
        let first = try await nodes(), others = first.nodes.filter { $0.name != node }
        guard !others.isEmpty else { return true }
        guard first.living.allSatisfy({ $0.name == node }) else { return false }
        try await time.sleep(Self.pauseForSilentNodes)
        return try await livingOthers().isEmpty
    }
}

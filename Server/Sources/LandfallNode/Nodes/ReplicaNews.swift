// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Logging

/// What the log says about the replica: each change once.
struct ReplicaNews {
    private var told: ReplicaCondition.State?

    /// - Returns: true if there is something to say.
    mutating func look(_ state: ReplicaCondition.State) -> Bool {
        guard state != .unknown, state != told else { return false }
        told = state
        return true
    }
}

extension Logger {
    func replica(_ condition: ReplicaCondition) {
        switch condition.state {
        case .unknown: break
        case .ok: notice("Reports, results and samples are read from the replica.")
        case .behind:
            warning(
                "Reports, results and samples are read from the database: the replica is too far behind, or follows another one.",
                metadata: condition.ageMs.map { ["replica.behindMilliseconds": "\($0)"] } ?? [:])
        case .away:
            warning(
                "Reports, results and samples are read from the database: the replica does not answer.",
                metadata: ["error.text": "\(condition.reason ?? "")"])
        }
    }
}

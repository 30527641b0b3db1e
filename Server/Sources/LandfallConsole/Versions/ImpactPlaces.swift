// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import Synchronization

/// How many members' texts this node measures at the same time: each reads some thousand installs.
final class ImpactPlaces: Sendable {
    static let most = 2

    private let taken = Mutex(0)

    /// - Returns: nil if all places are taken.
    func measure(_ body: () async throws -> ConfigurationImpact) async throws -> ConfigurationImpact? {
        let isFree = taken.withLock { taken in
            guard taken < Self.most else { return false }
            taken += 1
            return true
        }
        guard isFree else { return nil }
        defer { taken.withLock { $0 -= 1 } }
        return try await body()
    }
}

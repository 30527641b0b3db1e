// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// A sample of the stored installs, read a limited number at a time.
package struct SampledInstalls: Sendable {
    /// The number of installs that one read takes, about ten milliseconds of a core, so that neither phones nor the store wait for it.
    private static let lot = 100

    package let database: any Database
    package let app: AppID
    package let time: ServerTime

    package init(database: any Database, app: AppID, time: ServerTime) {
        (self.database, self.app, self.time) = (database, app, time)
    }

    /// - Parameters:
    ///   - most: how many are drawn; all installs if there are fewer.
    ///   - readsAssignments: whether installs are read with their assignments to experiments.
    ///   - look: is called for each drawn install, in the order of their ids.
    /// - Returns: the tally after the last install.
    package func tally<Tally: Sendable, Numbers: RandomNumberGenerator & Sendable>(
        _ first: Tally, of most: Int, numbers: Numbers, readsAssignments: Bool = false,
        _ look: @escaping @Sendable (inout Tally, Install, _ nowMs: Int64) -> Void
    ) async throws -> Tally {
        let store = await database.laggingReads().store
        let ids = try await store.read { [app] connection in
            var sampling = InstallSampler(app: app, numbers: numbers)
            return try sampling.draw(most, from: connection)
        }
        var tally = first
        for start in stride(from: 0, to: ids.count, by: Self.lot) {
            let lot = ids[start..<min(start + Self.lot, ids.count)]
            let nowMs = time.nowMs()
            tally = try await store.read { [app, tally] connection in
                var tally = tally
                for id in lot {
                    let stored = try StoredInstall(app, id, storeEpoch: 0, readsAssignments: readsAssignments, from: connection)
                    guard let install = stored?.install else { continue }
                    look(&tally, install, nowMs)
                }
                return tally
            }
        }
        return tally
    }
}

// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// How many units may wait, and how long.
package struct PostgresLimits: Hashable, Sendable {
    package var writes = WriteLimits()
    /// The most reads that wait; more are refused as ``LandfallStore/DatabaseError/tooManyReads``.
    package var reads = 16_384
    /// For each wait of a unit for the database, and for all its repeats together.
    package var interactive = Duration.seconds(5)
    package var bulk = Duration.seconds(60)
    /// The same for the schema: an index of a large table takes long.
    package var migration = Duration.seconds(3_600)
    /// A replica that is further behind is not read.
    package var replicaLag = Duration.seconds(60)

    package init() {}

    func wait(_ urgency: Urgency) -> Duration {
        switch urgency {
        case .interactive: interactive
        case .bulk: bulk
        }
    }
}

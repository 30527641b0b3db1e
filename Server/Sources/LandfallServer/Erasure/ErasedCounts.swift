// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// Counts of people that have to be corrected when somebody is erased. An erasure knows no report: it says what it deletes, and gets the
/// statements to run in the same transaction.
package protocol ErasedCounts: Sendable {
    /// The lock of a transaction that erases, so that a count that begins meanwhile hears of it too.
    func lock(in app: AppID) -> RowLock

    /// Keeps the count of an install whose rows still exist, without values that identify it.
    func keeping(_ install: InstallID, _ erasure: CountedErasure) throws -> [Statement]

    /// Deletes rows that name an install.
    func removal(of install: InstallID, in app: AppID) -> [Statement]

    /// Some of what an install did is deleted, and the install stays.
    func recounting(_ install: InstallID, _ erasure: CountedErasure) -> [Statement]

    /// Exposures of these times are deleted.
    func recounting(exposuresAtMs: [Int64], _ erasure: CountedErasure) throws -> [Statement]
}

/// One transaction of an erasure.
package struct CountedErasure {
    package let app: AppID
    package let nowMs: Int64
    /// The stamp of the marks for what has to be counted again, see ``DirtyMark/drawnStamp()``.
    package let stamp: Int64
    package let connection: any ReadConnection
}

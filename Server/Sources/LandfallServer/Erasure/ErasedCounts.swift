// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// Who counts people, and has to follow when they are erased. An erasure knows no report: it says what it deletes, and gets the statements
/// that belong into the same transaction.
package protocol ErasedCounts: Sendable {
    /// Held by a transaction that erases: who begins to count meanwhile is told too.
    func lock(in app: AppID) -> RowLock

    /// Keeps the count of an install whose rows are still there, without what says who it was.
    func keeping(_ install: InstallID, _ erasure: CountedErasure) throws -> [Statement]

    /// Deletes what names an install.
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
    /// Of the marks that say what is counted again, see ``DirtyMark/drawnStamp()``.
    package let stamp: Int64
    package let connection: any ReadConnection
}

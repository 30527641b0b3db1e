// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer
package import LandfallStore
package import LandfallWire

/// What the days of reports keep of people who are erased.
package struct RollupErasure: ErasedCounts {

    package init() {}
    /// A generation of days that begins meanwhile gets its marks too.
    package func lock(in app: AppID) -> RowLock { RollupState.lock(app) }

    package func keeping(_ install: InstallID, _ erasure: CountedErasure) throws -> [Statement] {
        try ErasedProgress(erasure: erasure).statements(of: install)
    }

    package func removal(of install: InstallID, in app: AppID) -> [Statement] { InstallProgressRows.removal(of: install, in: app) }

    /// What the install saw first may be something later now: each of its first days is counted again.
    package func recounting(_ install: InstallID, _ erasure: CountedErasure) -> [Statement] {
        let mark = DirtyMark(report: DirtyMark.installs, bucket: install.rawValue, sinceMs: erasure.nowMs, stamp: erasure.stamp)
        return [InstallProgressRows.unseeing(install.rawValue, in: erasure.app), mark.insertion(into: erasure.app)]
    }

    package func recounting(exposuresAtMs: [Int64], _ erasure: CountedErasure) throws -> [Statement] {
        guard let state = try RollupState.load(erasure.app, erasure.connection) else { return [] }
        return state.following.flatMap { generation in
            Set(exposuresAtMs.map { generation.rules.zone.day(ofMs: $0) }).sorted().map { day in
                DirtyMark(
                    report: DirtyMark.paywallDays(of: generation.number), bucket: "\(day)", sinceMs: erasure.nowMs, stamp: erasure.stamp
                ).insertion(into: erasure.app)
            }
        }
    }
}

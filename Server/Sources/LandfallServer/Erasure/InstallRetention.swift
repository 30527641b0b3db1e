// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Deletes installs that were not seen for too long, with everything that they own, and profiles that no install shows any
/// more. They are not marked as erased: an install that returns later is new.
///
/// A read finds each batch, then its rows are locked: an install that was seen in between stays.
package struct InstallRetention: Sendable {
    /// Small, because each install has a few rows in many tables. Large ones take transactions of their own: see
    /// ``ErasureUnit/mostRows``.
    static let mostInstalls: Int64 = 20

    package let database: any Database
    package let app: AppID
    package let time: ServerTime
    package let counts: any ErasedCounts
    private let walk: SilentInstalls

    package init(database: any Database, app: AppID, time: ServerTime, counts: any ErasedCounts) {
        self.init(database: database, app: app, time: time, counts: counts, walk: SilentInstalls(app: app))
    }

    init(database: any Database, app: AppID, time: ServerTime, counts: any ErasedCounts, walk: SilentInstalls) {
        (self.database, self.app, self.time, self.counts, self.walk) = (database, app, time, counts, walk)
    }

    func forgetInstalls(before limitMs: Int64) async throws -> RetentionLot {
        let slice = try await walk.next(before: limitMs, most: Int(Self.mostInstalls), in: database)
        let lot = slice.silent.isEmpty ? RetentionLot() : try await retire(slice.silent, before: limitMs)
        // The rest of them is found again.
        if lot.isMore { return lot }
        walk.pass(slice)
        return RetentionLot(rows: lot.rows, isMore: !slice.isLast)
    }

    /// - Returns: those that are gone; there is more if some of them are left.
    private func retire(_ silent: [InstallID], before limitMs: Int64) async throws -> RetentionLot {
        let nowMs = time.nowMs()
        // A generation of days that begins meanwhile gets its marks too.
        let locks = silent.flatMap { ErasureSubject.install($0).locks(in: app) } + [counts.lock(in: app)]
        let stamp = DirtyMark.drawnStamp()
        return try await database.write(.bulk, locking: locks) { [app, counts] connection in
            var unit = ErasureUnit(app: app, nowMs: nowMs, reportStamp: stamp, counts: counts, connection: connection)
            let isDone = try silent.allSatisfy { install in
                guard unit.hasRoom else { return false }
                let row = try connection.row(
                    RetentionTexts.silentInstall, [.text(app.rawValue), .text(install.rawValue), .integer(limitMs)])
                return try row == nil || unit.retire(install)
            }
            return RetentionLot(rows: ["install": Int(unit.answer.installs)], isMore: !isDone)
        }
    }

    /// Deletes profiles that their installs left so long ago that nothing of that time is kept, also where an install is gone.
    func forgetLeftProfiles(before limitMs: Int64) async throws -> RetentionLot {
        let found = Statement(
            RetentionTexts.leftProfiles, [.text(app.rawValue), .integer(limitMs), .integer(Self.mostInstalls)])
        let rows = try await database.read { try $0.rows(found) }
        let left = try rows.map { (profile: ProfileID(try $0.text("profile_id")), install: InstallID(try $0.text("install_id"))) }
        guard !left.isEmpty else { return RetentionLot() }
        let nowMs = time.nowMs()
        let locks = left.flatMap { ErasureSubject.profile($0.profile).locks(in: app) } + [counts.lock(in: app)]
        let stamp = DirtyMark.drawnStamp()
        return try await database.write(.bulk, locking: locks) { [app, counts] connection in
            var unit = ErasureUnit(app: app, nowMs: nowMs, reportStamp: stamp, counts: counts, connection: connection)
            var lot = RetentionLot(rows: ["former_profile": 0], isMore: left.count >= Self.mostInstalls)
            for (profile, install) in left {
                let row = try connection.row(
                    RetentionTexts.leftProfile,
                    [.text(app.rawValue), .text(profile.rawValue), .text(install.rawValue), .integer(limitMs)])
                guard row != nil else { continue }
                guard try unit.retire(profile, of: install) else { return RetentionLot(rows: lot.rows, isMore: true) }
                lot.rows["former_profile", default: 0] += 1
            }
            return lot
        }
    }
}

extension RetentionRule {
    package static func installs(_ retention: InstallRetention, _ configuration: LiveConfiguration) -> [RetentionRule] {
        [
            // Once a day: each look is at all old installs.
            RetentionRule(name: "install", nextMs: { $0 + Retention.dayMs }) { nowMs in
                try await retention.forgetInstalls(before: nowMs - configuration.snapshot.retention.installMs)
            },
            RetentionRule(name: "former_profile") { nowMs in
                let kept = configuration.snapshot.retention
                return try await retention.forgetLeftProfiles(before: nowMs - max(kept.eventMs, kept.installMs))
            },
        ]
    }
}

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

    package init(database: any Database, app: AppID, time: ServerTime, counts: any ErasedCounts) {
        (self.database, self.app, self.time, self.counts) = (database, app, time, counts)
    }

    func forgetInstalls(before limitMs: Int64) async throws -> RetentionLot {
        let rows = try await rows(RetentionTexts.silentInstalls, before: limitMs)
        let silent = try rows.map { InstallID(try $0.text("install_id")) }
        guard !silent.isEmpty else { return RetentionLot() }
        let nowMs = time.nowMs()
        // A generation of days that begins meanwhile gets its marks too.
        let locks = silent.flatMap { ErasureSubject.install($0).locks(in: app) } + [counts.lock(in: app)]
        let stamp = DirtyMark.drawnStamp()
        let (count, isMore) = try await database.write(.bulk, locking: locks) { [app, counts] connection in
            var unit = ErasureUnit(app: app, nowMs: nowMs, reportStamp: stamp, counts: counts, connection: connection)
            for install in silent {
                guard unit.hasRoom else { return (unit.answer.installs, true) }
                let row = try connection.row(
                    RetentionTexts.silentInstall, [.text(app.rawValue), .text(install.rawValue), .integer(limitMs)])
                if row != nil, try !unit.retire(install) { return (unit.answer.installs, true) }
            }
            return (unit.answer.installs, silent.count >= Self.mostInstalls)
        }
        return RetentionLot(rows: ["install": Int(count)], isMore: isMore)
    }

    /// Deletes profiles that their installs left so long ago that nothing of that time is kept, also where an install is gone.
    func forgetLeftProfiles(before limitMs: Int64) async throws -> RetentionLot {
        let rows = try await rows(RetentionTexts.leftProfiles, before: limitMs)
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

    private func rows(_ text: String, before limitMs: Int64) async throws -> [Row] {
        let statement = Statement(text, [.text(app.rawValue), .integer(limitMs), .integer(Self.mostInstalls)])
        return try await database.read { try $0.rows(statement) }
    }
}

extension RetentionRule {
    package static func installs(_ retention: InstallRetention, _ configuration: LiveConfiguration) -> [RetentionRule] {
        [
            RetentionRule(name: "install") { nowMs in
                try await retention.forgetInstalls(before: nowMs - configuration.snapshot.retention.installMs)
            },
            RetentionRule(name: "former_profile") { nowMs in
                let kept = configuration.snapshot.retention
                return try await retention.forgetLeftProfiles(before: nowMs - max(kept.eventMs, kept.installMs))
            },
        ]
    }
}

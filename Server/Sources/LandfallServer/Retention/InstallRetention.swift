// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Installs that were not seen for too long go with everything that they own, and profiles that nobody shows any more with them.
/// They are not marked as erased: who comes back after all is new here.
struct InstallRetention: Sendable {
    /// Each has a few rows in many tables.
    static let mostInstalls: Int64 = 20

    let database: any Database
    let app: AppID
    let time: ServerTime
    /// Called after an install is gone.
    let onGone: @Sendable (InstallID) -> Void

    /// - Returns: true where more may be waiting.
    func forgetInstalls(before limitMs: Int64) async throws -> Bool {
        let nowMs = time.nowMs()
        let values: [SQLValue] = [.text(app.rawValue), .integer(limitMs), .integer(Self.mostInstalls)]
        let (cut, isMore) = try await database.write(.bulk, locking: []) { [app] connection in
            var unit = ErasureUnit(app: app, nowMs: nowMs, connection: connection)
            let rows = try connection.rows(RetentionTexts.silentInstalls, values)
            for row in rows where try !unit.retire(InstallID(try row.text("install_id"))) { return (unit.cut, true) }
            return (unit.cut, rows.count >= Self.mostInstalls)
        }
        for install in cut { onGone(install) }
        return isMore
    }

    /// Profiles that an install left so long ago that nothing of that time is kept.
    func forgetLeftProfiles(before limitMs: Int64) async throws -> Bool {
        let nowMs = time.nowMs()
        let values: [SQLValue] = [.text(app.rawValue), .integer(limitMs), .integer(Self.mostInstalls)]
        return try await database.write(.bulk, locking: []) { [app] connection in
            var unit = ErasureUnit(app: app, nowMs: nowMs, connection: connection)
            let rows = try connection.rows(RetentionTexts.leftProfiles, values)
            for row in rows where try !unit.retire(ProfileID(try row.text("profile_id")), of: InstallID(try row.text("install_id"))) {
                return true
            }
            return rows.count >= Self.mostInstalls
        }
    }
}

extension RetentionRule {
    static func installs(_ services: Services) -> [RetentionRule] {
        [
            RetentionRule(name: "install") { nowMs in
                try await services.installRetention.forgetInstalls(before: nowMs - services.snapshot.retention.installMs)
            },
            RetentionRule(name: "former_profile") { nowMs in
                let retention = services.snapshot.retention
                return try await services.installRetention.forgetLeftProfiles(
                    before: nowMs - max(retention.eventMs, retention.installMs))
            },
        ]
    }
}

extension Services {
    fileprivate var installRetention: InstallRetention {
        InstallRetention(database: database, app: snapshot.app.id, time: time, onGone: gone)
    }
}

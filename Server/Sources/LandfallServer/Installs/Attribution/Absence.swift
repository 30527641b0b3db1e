// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// A time in which the install sent no request. Absences are only ever added, at the open that ends them.
package struct Absence: Hashable, Sendable {
    /// Shorter absences are not stored.
    static let shortestMs: Int64 = 86_400_000
    /// The newest absences that are read; older ones are ignored.
    static let mostPerInstall: Int64 = 64

    /// Precise to the hour, see ``Install/lastSeenAtMs``. Unix milliseconds.
    let beganAtMs: Int64
    let endedAtMs: Int64

    static func question(of install: InstallID, in app: AppID) -> Statement {
        Statement(
            """
            SELECT began_at_ms, ended_at_ms FROM absence WHERE app_id = $1 AND install_id = $2
            ORDER BY began_at_ms DESC LIMIT $3
            """,
            [.text(app.rawValue), .text(install.rawValue), .integer(mostPerInstall)])
    }

    /// - Parameter rows: the answer to ``question(of:in:)``.
    static func all(_ rows: [Row]) throws -> [Absence] {
        try rows.map { Absence(beganAtMs: try $0.integer(0), endedAtMs: try $0.integer(1)) }
    }
}

extension Absence {
    func insertion(of unit: InstallUnit) -> Statement {
        Statement(
            """
            INSERT INTO absence (app_id, install_id, began_at_ms, ended_at_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            [.text(unit.app.rawValue), .text(unit.id.rawValue), .integer(beganAtMs), .integer(endedAtMs)])
    }
}

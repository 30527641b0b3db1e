// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// When an install was seen last: the table `install_seen`. A row of its own, because it changes with each visit that is stored, and the
/// install's row does not. An install that was not seen again has none: it was seen last when it was created.
enum InstallSeen {
    /// What is read of it, besides whose it is.
    enum Column: Int, TableColumn { case last_seen_at_ms }

    static func keeping(_ atMs: Int64, of install: InstallID, in app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO install_seen (app_id, install_id, last_seen_at_ms) VALUES ($1, $2, $3)
            ON CONFLICT (app_id, install_id) DO UPDATE SET last_seen_at_ms = excluded.last_seen_at_ms
            """, [.text(app.rawValue), .text(install.rawValue), .integer(atMs)])
    }

    static func removal(of install: InstallID, in app: AppID) -> Statement {
        Statement("DELETE FROM install_seen WHERE app_id = $1 AND install_id = $2", [.text(app.rawValue), .text(install.rawValue)])
    }
}

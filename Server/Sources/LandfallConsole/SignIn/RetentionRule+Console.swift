// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer
package import LandfallStore

/// Sessions that were not used for too long, invitations that nobody took up, and counts of wrong passwords.
extension RetentionRule {
    static let sessionsText = """
        DELETE FROM console_session WHERE app_id = $1 AND token_hash IN (
          SELECT token_hash FROM console_session WHERE app_id = $1 AND seen_at_ms < $2 LIMIT $3
        )
        """
    static let invitationsText = """
        DELETE FROM console_invitation WHERE app_id = $1 AND token_hash IN (
          SELECT token_hash FROM console_invitation WHERE app_id = $1 AND expires_at_ms < $2 LIMIT $3
        )
        """

    static let failuresText = """
        DELETE FROM sign_in_failure WHERE app_id = $1 AND place IN (
          SELECT place FROM sign_in_failure WHERE app_id = $1 AND ends_at_ms < $2 LIMIT $3
        )
        """

    package static func console(_ database: any Database, of app: AppID) -> [RetentionRule] {
        [
            .rows(of: "console_session", sessionsText, in: database, app) { .integer($0 - ConsoleSession.idleMs) },
            .rows(of: "console_invitation", invitationsText, in: database, app) { .integer($0) },
            .rows(of: "sign_in_failure", failuresText, in: database, app) { .integer($0) },
        ]
    }
}

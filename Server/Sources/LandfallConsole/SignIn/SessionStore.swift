// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
package import LandfallStore
import LandfallWire

/// Keeps sessions by the hash of their token.
package struct SessionStore: Sendable {
    package let database: any Database
    package let app: AppID

    package init(database: any Database, app: AppID) {
        (self.database, self.app) = (database, app)
    }

    /// Where a session comes from.
    struct Origin: Hashable, Sendable {
        let agent: String
        let network: String?
    }

    /// Begins a session and writes why. The member's oldest sessions above the limit end.
    /// - Parameter formToken: what the forms of the session carry, where they belong to an earlier one; nil for the token's own.
    /// - Returns: false if the member is gone, or has another password than the one that was checked: checking takes a while.
    func begin(
        _ token: SessionToken, of member: Member, from origin: Origin, _ line: AuditLine?, nowMs: Int64, provenAtMs: Int64? = nil,
        formToken: String? = nil
    ) async throws -> Bool {
        let id = RandomText.draw(22, of: RandomText.base58)
        let entry = line?.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return try await database.write(.interactive, locking: [MemberStore.lock]) { [app] connection in
            let same = try connection.row(
                "SELECT 1 AS found FROM member WHERE app_id = $1 AND member_id = $2 AND password = $3",
                [.text(app.rawValue), .text(member.id), .text(member.password)])
            guard same != nil else { return false }
            try connection.run(
                """
                INSERT INTO console_session (app_id, token_hash, session_id, member_id, agent, network, created_at_ms, seen_at_ms,
                  proven_at_ms, form_token)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)
                """,
                [
                    .text(app.rawValue), .blob(token.hash), .text(id), .text(member.id), .text(origin.agent), .text(origin.network),
                    .integer(nowMs), .integer(provenAtMs ?? nowMs), .text(formToken ?? token.formToken),
                ])
            let sessions = try connection.rows(
                "SELECT token_hash FROM console_session WHERE app_id = $1 AND member_id = $2 ORDER BY created_at_ms DESC, session_id",
                [.text(app.rawValue), .text(member.id)])
            for row in sessions.dropFirst(ConsoleSession.most) {
                try connection.run(Self.ending, [.text(app.rawValue), .blob(try row.blob("token_hash"))])
            }
            if let entry { try connection.run(entry) }
            return true
        }
    }

    /// The session of this token with its member; nil if it has ended.
    /// - Parameter renews: false for what a page does without its reader: it keeps no session open.
    func find(_ token: SessionToken, nowMs: Int64, renews: Bool = true) async throws -> (session: ConsoleSession, member: Member)? {
        let found = try await database.read { [app] connection in
            try connection.row(
                """
                SELECT s.session_id, s.agent, s.network, s.created_at_ms AS began_at_ms, s.seen_at_ms, s.proven_at_ms,
                  s.form_token, m.member_id, m.email, m.name, m.role, m.password, m.created_at_ms
                FROM console_session s JOIN member m ON m.app_id = s.app_id AND m.member_id = s.member_id
                WHERE s.app_id = $1 AND s.token_hash = $2
                """, [.text(app.rawValue), .blob(token.hash)]
            ).map { row in (session: try ConsoleSession(row), member: try Member(row)) }
        }
        guard let found, found.session.isOpen(nowMs: nowMs) else { return nil }
        if renews, nowMs - found.session.seenAtMs >= ConsoleSession.precisionMs { try await seen(token, nowMs: nowMs) }
        return found
    }

    private func seen(_ token: SessionToken, nowMs: Int64) async throws {
        try await database.write { [app] connection in
            _ = try connection.run(
                "UPDATE console_session SET seen_at_ms = $3 WHERE app_id = $1 AND token_hash = $2",
                [.text(app.rawValue), .blob(token.hash), .integer(nowMs)])
        }
    }

    /// The password was given again: the session goes on under another token, and its forms stay as they are.
    /// - Returns: false if the session has ended meanwhile.
    func prove(_ visitor: ConsoleVisitor, as token: SessionToken, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return try await database.write { [app] connection in
            let proven = try connection.run(
                """
                UPDATE console_session SET token_hash = $3, proven_at_ms = $4, seen_at_ms = $4, form_token = $5
                WHERE app_id = $1 AND token_hash = $2
                """,
                [
                    .text(app.rawValue), .blob(visitor.token.hash), .blob(token.hash), .integer(nowMs), .text(visitor.formToken),
                ])
            guard proven > 0 else { return false }
            try connection.run(entry)
            return true
        }
    }

    /// The open sessions of a member, the newest first.
    func list(of member: String, nowMs: Int64) async throws -> [ConsoleSession] {
        try await database.read { [app] connection in
            try connection.rows(
                """
                SELECT session_id, agent, network, created_at_ms AS began_at_ms, seen_at_ms, proven_at_ms, form_token FROM console_session
                WHERE app_id = $1 AND member_id = $2 ORDER BY created_at_ms DESC
                """, [.text(app.rawValue), .text(member)]
            ).map { try ConsoleSession($0) }.filter { $0.isOpen(nowMs: nowMs) }
        }
    }

    func end(_ token: SessionToken, _ line: AuditLine, nowMs: Int64) async throws {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        try await database.write { [app] connection in
            _ = try connection.batch([Statement(Self.ending, [.text(app.rawValue), .blob(token.hash)]), entry])
        }
    }

    /// Ends one of the member's own sessions.
    /// - Returns: false if the member has no such session.
    func end(_ id: String, of member: String, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return try await database.write { [app] connection in
            let ended = try connection.run(
                "DELETE FROM console_session WHERE app_id = $1 AND member_id = $2 AND session_id = $3",
                [.text(app.rawValue), .text(member), .text(id)])
            guard ended > 0 else { return false }
            try connection.run(entry)
            return true
        }
    }

    /// Ends all sessions of a member, as part of a change of theirs.
    static func ending(member: String, of app: AppID) -> Statement {
        Statement("DELETE FROM console_session WHERE app_id = $1 AND member_id = $2", [.text(app.rawValue), .text(member)])
    }

    private static let ending = "DELETE FROM console_session WHERE app_id = $1 AND token_hash = $2"
}

extension ConsoleSession {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.text("session_id"), agent: try row.text("agent"), network: row.optionalText("network"),
            createdAtMs: try row.integer("began_at_ms"), seenAtMs: try row.integer("seen_at_ms"),
            provenAtMs: try row.integer("proven_at_ms"), formToken: row.optionalText("form_token"))
    }
}

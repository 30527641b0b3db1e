// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Keeps members and invitations. Every change writes its line of the audit log in its own transaction.
struct MemberStore: Sendable {
    /// A bound for the list, and for what a stolen session could make.
    static let most = 200

    let database: any Database
    let app: AppID

    func member(email: MemberEmail) async throws -> Member? {
        try await database.read { [app] connection in
            try connection.row(Self.selection + "\nWHERE app_id = $1 AND email = $2", [.text(app.rawValue), .text(email.text)])
                .map { try Member($0) }
        }
    }

    func member(_ id: String) async throws -> Member? {
        try await database.read { [app] in try Self.member(id, of: app, $0) }
    }

    /// A member as the list has them.
    struct Listed: Hashable, Sendable {
        let member: Member
        let seenAtMs: Int64?
        /// The open ones.
        let sessions: Int64
    }

    /// In the order of their addresses.
    func list(nowMs: Int64) async throws -> [Listed] {
        let answers = try await database.rows([
            Statement(
                """
                SELECT member_id, MAX(seen_at_ms) AS last_seen_at_ms,
                  COUNT(CASE WHEN seen_at_ms > $2 AND created_at_ms > $3 THEN 1 END) AS sessions
                FROM console_session WHERE app_id = $1 GROUP BY member_id
                """,
                [.text(app.rawValue), .integer(nowMs - ConsoleSession.idleMs), .integer(nowMs - ConsoleSession.longestMs)]),
            Statement(Self.selection + "\nWHERE app_id = $1 ORDER BY email LIMIT $2", [.text(app.rawValue), .integer(Int64(Self.most))]),
        ])
        let sessions = try answers[0].map {
            (try $0.text("member_id"), (seen: try $0.integer("last_seen_at_ms"), count: try $0.integer("sessions")))
        }
        let found = Dictionary(sessions) { first, _ in first }
        return try answers[1].map { row in
            let member = try Member(row)
            return Listed(member: member, seenAtMs: found[member.id]?.seen, sessions: found[member.id]?.count ?? 0)
        }
    }

    func hasMember() async throws -> Bool {
        try await database.read { [app] in try $0.row(Self.anyMember, [.text(app.rawValue)]) != nil }
    }

    /// Changes the role, and ends the member's sessions and their open invitation: it would bring the old role back.
    /// - Parameter old: the role that the caller has seen, and may change.
    /// - Returns: false if no such member has that role, or they are the last owner.
    func change(_ id: String, from old: Role, to role: Role, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        let failing = UUIDv7.make(nowMs: nowMs)
        return try await database.write(.interactive, locking: [Self.lock]) { [app] connection in
            guard let member = try Self.member(id, of: app, connection), member.role == old,
                try role == .owner || Self.leavesOwner(without: id, of: app, connection)
            else { return false }
            let changed = try connection.run(
                "UPDATE member SET role = $3 WHERE app_id = $1 AND member_id = $2",
                [.text(app.rawValue), .text(id), .text(role.rawValue)])
            guard changed > 0 else { return false }
            try connection.batch([SessionStore.ending(member: id, of: app), Invitations.ending(of: member.email, in: app), entry])
            try Self.failVersions(of: member, keeping: role, in: app, line: failing, nowMs: nowMs, connection)
            return true
        }
    }

    /// Ends their sessions and their open invitation too: it would make them a member again.
    /// - Parameter role: the role that the caller has seen, and may remove.
    /// - Returns: false if no such member has that role, or they are the last owner.
    func remove(_ id: String, as role: Role, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        let failing = UUIDv7.make(nowMs: nowMs)
        return try await database.write(.interactive, locking: [Self.lock]) { [app] connection in
            guard let member = try Self.member(id, of: app, connection), member.role == role,
                try Self.leavesOwner(without: id, of: app, connection),
                try connection.run("DELETE FROM member WHERE app_id = $1 AND member_id = $2", [.text(app.rawValue), .text(id)]) > 0
            else { return false }
            try connection.batch([
                SessionStore.ending(member: id, of: app), Invitations.ending(of: member.email, in: app), Self.endingIdentity(of: id, in: app), entry,
            ])
            try Self.failVersions(of: member, keeping: nil, in: app, line: failing, nowMs: nowMs, connection)
            return true
        }
    }

    /// Ends all sessions of the member. The line is written only if there were any.
    /// - Parameter role: the role that the caller has seen.
    /// - Returns: false if no such member has that role.
    func endSessions(of id: String, as role: Role, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return try await database.write(.interactive, locking: [Self.lock]) { [app] connection in
            guard try Self.member(id, of: app, connection)?.role == role else { return false }
            if try connection.run(SessionStore.ending(member: id, of: app)) > 0 { try connection.run(entry) }
            return true
        }
    }

    /// Replaces the password, and ends all sessions of the member.
    /// - Parameter member: with the password that was checked: checking it and hashing the new one take a while.
    /// - Returns: false if the member is gone, or has another password than the one that was checked. Then nothing changes.
    func change(_ member: Member, password: String, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return try await database.write(.interactive, locking: [Self.lock]) { [app] connection in
            let changed = try connection.run(
                "UPDATE member SET password = $4 WHERE app_id = $1 AND member_id = $2 AND password = $3",
                [.text(app.rawValue), .text(member.id), .text(member.password), .text(password)])
            guard changed > 0 else { return false }
            try connection.batch([SessionStore.ending(member: member.id, of: app), entry])
            return true
        }
    }

    /// What the member scheduled is not published with rights that they have lost: to publish, and to change the protected sections.
    /// - Parameters:
    ///   - role: nil: the member was removed.
    ///   - id: see ``ScheduledVersions/failAll(by:of:line:nowMs:_:)``.
    static func failVersions(
        of member: Member, keeping role: Role?, in app: AppID, line id: String, nowMs: Int64, _ connection: any WriteConnection
    ) throws {
        let lost = member.role.rights.subtracting(role?.rights ?? [])
        guard !lost.isDisjoint(with: [.publishing, .members, .owners]) else { return }
        try ScheduledVersions.failAll(by: member.email.author, of: app, line: id, nowMs: nowMs, connection)
    }

    /// Held by each unit that changes members and invitations, or lets a member in: two changes of roles at the same time could remove
    /// the last owner, and a session could begin while the member's password changes. Versions that wait for their time have the same lock.
    static let lock = RowLock.store

    private static func member(_ id: String, of app: AppID, _ connection: any ReadConnection) throws -> Member? {
        try connection.row(selection + "\nWHERE app_id = $1 AND member_id = $2", [.text(app.rawValue), .text(id)]).map { try Member($0) }
    }

    private static func leavesOwner(without id: String, of app: AppID, _ connection: any ReadConnection) throws -> Bool {
        try connection.row(
            "SELECT 1 AS found FROM member WHERE app_id = $1 AND role = 'owner' AND member_id <> $2 LIMIT 1",
            [.text(app.rawValue), .text(id)]) != nil
    }

    /// Ends what the provider calls the member, as part of a change of theirs.
    static func endingIdentity(of id: String, in app: AppID) -> Statement {
        Statement("DELETE FROM member_identity WHERE app_id = $1 AND member_id = $2", [.text(app.rawValue), .text(id)])
    }

    static let anyMember = "SELECT 1 AS found FROM member WHERE app_id = $1 LIMIT 1"
    static let selection = "SELECT member_id, email, name, role, password, created_at_ms FROM member"
}

extension Member {
    /// A role of a newer release gives no rights here but those of the weakest.
    init(_ row: Row) throws {
        self.init(
            id: try row.text("member_id"), email: MemberEmail(stored: try row.text("email")), name: try row.text("name"),
            role: Role(rawValue: try row.text("role")) ?? .viewer, password: try row.text("password"),
            createdAtMs: try row.integer("created_at_ms"))
    }

    func insertion(into app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO member (app_id, member_id, email, name, role, password, created_at_ms)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(id), .text(email.text), .text(name), .text(role.rawValue), .text(password),
                .integer(createdAtMs),
            ])
    }
}

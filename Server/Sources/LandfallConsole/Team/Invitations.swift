// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
package import LandfallStore
import LandfallWire

/// A link that makes a member, once.
struct Invitation: Hashable, Sendable {
    static let setUpMs: Int64 = 3_600_000
    static let usualMs: Int64 = 24 * 3_600_000
    /// The most that are open at once; a further one ends the oldest.
    static let most = 200

    /// Nil: it is the first owner's, who chooses the address.
    let email: MemberEmail?
    let role: Role
    /// The address of the member who invited: the invitation ends when they lose the right to it. Nil: the operator of the
    /// server, who may also replace a lost password.
    let invitedBy: String?
    let expiresAtMs: Int64

    var isSetUp: Bool { email == nil }
}

/// Who joins by an invitation.
struct JoiningPerson: Sendable {
    let email: MemberEmail
    let name: String
    /// Hashed. Empty where passwords are off.
    let password: String
}

/// Keeps invitations and takes them. Only the hash of a token is stored.
package struct Invitations: Sendable {
    package let database: any Database
    package let app: AppID

    package init(database: any Database, app: AppID) {
        (self.database, self.app) = (database, app)
    }

    /// `ended` also where there are as many members as may be.
    enum Joining: Hashable, Sendable { case joined, ended, emailTaken }

    /// - Parameters:
    ///   - node: that makes it; nil if no other node works on the store.
    ///   - others: the nodes that live besides it. One of them may have shown its link.
    /// - Returns: nil if a member exists, or one of the others has made one that is still good.
    func setUp(_ token: SessionToken, by node: NodeName? = nil, beside others: Set<NodeName> = [], nowMs: Int64) async throws -> Invitation? {
        let invitation = Invitation(email: nil, role: .owner, invitedBy: nil, expiresAtMs: nowMs + Invitation.setUpMs)
        return try await database.write(.interactive, locking: [MemberStore.lock]) { [app] connection in
            guard try connection.row(MemberStore.anyMember, [.text(app.rawValue)]) == nil else { return nil }
            let makers = try connection.rows(
                "SELECT made_by FROM console_invitation WHERE app_id = $1 AND email IS NULL AND expires_at_ms > $2",
                [.text(app.rawValue), .integer(nowMs)]
            ).compactMap { $0.optionalText("made_by") }
            guard !makers.contains(where: { others.contains(NodeName($0)) }) else { return nil }
            try connection.run(Self.endingSetUp, [.text(app.rawValue)])
            try connection.run(insertion(of: invitation, token, by: node))
            return invitation
        }
    }

    /// An invitation of an address replaces earlier ones: only those to a role that the member who invites may give.
    /// - Returns: false if the address has another one, or if that member has lost the right to this one. Then nothing changes.
    func invite(_ invitation: Invitation, _ token: SessionToken, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        guard let email = invitation.email else { return false }
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return try await database.write(.interactive, locking: [MemberStore.lock]) { [app] connection in
            func role(of member: String?) throws -> Role? { try member.flatMap { try Self.role(of: $0, in: app, connection) } }
            let inviter = try role(of: invitation.invitedBy)
            func mayEnd(_ role: Role) -> Bool { invitation.invitedBy == nil || Invitation.mayGive(role, inviter) }
            guard mayEnd(invitation.role) else { return false }
            for row in try connection.rows(Self.openText, [.text(app.rawValue), .text(email.text), .integer(nowMs)]) {
                let other = try Invitation(row)
                guard try mayEnd(other.role) || !other.isGood(by: role(of: other.invitedBy)) else { return false }
            }
            _ = try connection.batch([Self.ending(of: email, in: app), insertion(of: invitation, token), entry])
            let all = try connection.rows(
                "SELECT token_hash, role FROM console_invitation WHERE app_id = $1 AND email IS NOT NULL ORDER BY expires_at_ms",
                [.text(app.rawValue)])
            let ended = try all.filter { mayEnd(Role(rawValue: try $0.text("role")) ?? .viewer) }
            for row in ended.prefix(max(0, all.count - Invitation.most)) {
                try connection.run(Self.ending, [.text(app.rawValue), .blob(try row.blob("token_hash"))])
            }
            return true
        }
    }

    /// The invitations of addresses that can still be taken, those that end last first.
    func open(nowMs: Int64) async throws -> [Invitation] {
        try await database.read { [app] connection in
            let roles = try connection.rows(
                "SELECT email, role FROM member WHERE app_id = $1 LIMIT $2", [.text(app.rawValue), .integer(Int64(MemberStore.most))]
            ).map { (try $0.text("email"), Role(rawValue: try $0.text("role")) ?? .viewer) }
            let inviters = Dictionary(roles) { first, _ in first }
            return try connection.rows(
                """
                SELECT email, role, invited_by, expires_at_ms FROM console_invitation
                WHERE app_id = $1 AND email IS NOT NULL AND expires_at_ms > $2 ORDER BY expires_at_ms DESC LIMIT $3
                """, [.text(app.rawValue), .integer(nowMs), .integer(Int64(Invitation.most))]
            ).map { try Invitation($0) }.filter { $0.isGood(by: $0.invitedBy.flatMap { inviters[$0] }) }
        }
    }

    /// - Parameter role: the role that the caller has seen, and may give.
    /// - Returns: false if the address has no invitation to that role.
    func cancel(_ email: MemberEmail, to role: Role, _ line: AuditLine, nowMs: Int64) async throws -> Bool {
        let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        return try await database.write(.interactive, locking: [MemberStore.lock]) { [app] connection in
            let ended = try connection.run(
                "DELETE FROM console_invitation WHERE app_id = $1 AND email = $2 AND role = $3",
                [.text(app.rawValue), .text(email.text), .text(role.rawValue)])
            guard ended > 0 else { return false }
            try connection.run(entry)
            return true
        }
    }

    /// Nil if the token is unknown, used or too old.
    func invitation(_ token: SessionToken, nowMs: Int64) async throws -> Invitation? {
        try await database.read { [app] in try Self.invitation(token, of: app, $0, nowMs: nowMs) }
    }

    /// Makes the member, with a fresh id. The operator's invitation of a member replaces their password and role instead.
    func join(_ person: JoiningPerson, by token: SessionToken, network: String?, nowMs: Int64) async throws -> Joining {
        let id = RandomText.draw(22, of: RandomText.base58), line = UUIDv7.make(nowMs: nowMs), failing = UUIDv7.make(nowMs: nowMs)
        return try await database.write(.interactive, locking: [MemberStore.lock]) { [app] connection in
            guard let invitation = try Self.invitation(token, of: app, connection, nowMs: nowMs) else { return .ended }
            let email = invitation.email ?? person.email
            if invitation.isSetUp, try connection.row(MemberStore.anyMember, [.text(app.rawValue)]) != nil { return .ended }
            let there = try connection.row(
                MemberStore.selection + "\nWHERE app_id = $1 AND email = $2", [.text(app.rawValue), .text(email.text)]
            ).map { try Member($0) }
            if let there {
                guard invitation.invitedBy == nil else { return .emailTaken }
                try connection.run(
                    "UPDATE member SET name = $3, role = $4, password = $5 WHERE app_id = $1 AND member_id = $2",
                    [
                        .text(app.rawValue), .text(there.id), .text(person.name), .text(invitation.role.rawValue),
                        // Where passwords are off, the one of before stays.
                        .text(person.password.isEmpty ? there.password : person.password),
                    ])
                try connection.run(SessionStore.ending(member: there.id, of: app))
                try MemberStore.failVersions(of: there, keeping: invitation.role, in: app, line: failing, nowMs: nowMs, connection)
            } else {
                let count = try connection.row("SELECT COUNT(*) AS members FROM member WHERE app_id = $1", [.text(app.rawValue)])
                guard try count?.integer("members") ?? 0 < Int64(MemberStore.most) else { return .ended }
                let member = Member(
                    id: id, email: email, name: person.name, role: invitation.role, password: person.password, createdAtMs: nowMs)
                guard try connection.run(member.insertion(into: app)) > 0 else { return .emailTaken }
            }
            try connection.run(Self.ending, [.text(app.rawValue), .blob(token.hash)])
            if invitation.isSetUp { try connection.run(Self.endingSetUp, [.text(app.rawValue)]) }
            try connection.run(
                AuditLine(
                    action: invitation.isSetUp ? .ownerCreated : .joined, member: email.text, subject: invitation.role.rawValue,
                    network: network
                ).insertion(into: app, id: line, nowMs: nowMs))
            return .joined
        }
    }

    /// The invitation of an address that can still be taken, as part of a unit.
    static func open(for email: MemberEmail, in app: AppID, _ connection: any ReadConnection, nowMs: Int64) throws -> Invitation? {
        try connection.rows(openText, [.text(app.rawValue), .text(email.text), .integer(nowMs)]).map { try Invitation($0) }.first { invitation in
            try invitation.isGood(by: invitation.invitedBy.flatMap { try role(of: $0, in: app, connection) })
        }
    }

    /// Ends the open invitation of an address, as part of a change of its member.
    static func ending(of email: MemberEmail, in app: AppID) -> Statement {
        Statement("DELETE FROM console_invitation WHERE app_id = $1 AND email = $2", [.text(app.rawValue), .text(email.text)])
    }

    private static let ending = "DELETE FROM console_invitation WHERE app_id = $1 AND token_hash = $2"
    private static let endingSetUp = "DELETE FROM console_invitation WHERE app_id = $1 AND email IS NULL"

    private static func invitation(
        _ token: SessionToken, of app: AppID, _ connection: any ReadConnection, nowMs: Int64
    ) throws -> Invitation? {
        let found = try connection.row(
            """
            SELECT email, role, invited_by, expires_at_ms FROM console_invitation
            WHERE app_id = $1 AND token_hash = $2 AND expires_at_ms > $3
            """, [.text(app.rawValue), .blob(token.hash), .integer(nowMs)]
        ).map { try Invitation($0) }
        guard let found, let inviter = found.invitedBy else { return found }
        return found.isGood(by: try role(of: inviter, in: app, connection)) ? found : nil
    }

    /// - Parameter email: of a member; nil is returned if there is none.
    private static func role(of email: String, in app: AppID, _ connection: any ReadConnection) throws -> Role? {
        try connection.row(MemberStore.selection + "\nWHERE app_id = $1 AND email = $2", [.text(app.rawValue), .text(email)])
            .map { try Member($0).role }
    }

    /// The one of an address that can still be taken.
    private static let openText = """
        SELECT email, role, invited_by, expires_at_ms FROM console_invitation
        WHERE app_id = $1 AND email = $2 AND expires_at_ms > $3
        """

    private func insertion(of invitation: Invitation, _ token: SessionToken, by node: NodeName? = nil) -> Statement {
        Statement(
            """
            INSERT INTO console_invitation (app_id, token_hash, email, role, invited_by, expires_at_ms, made_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(app.rawValue), .blob(token.hash), .text(invitation.email?.text), .text(invitation.role.rawValue),
                .text(invitation.invitedBy), .integer(invitation.expiresAtMs), .text(node?.text),
            ])
    }
}

extension Invitation {
    /// Whether the one who invited has the right to it: the operator has it, a member as their role says.
    /// - Parameter inviter: the role of the member who invited; nil if there is no such member.
    fileprivate func isGood(by inviter: Role?) -> Bool { invitedBy == nil || Self.mayGive(role, inviter) }

    /// Whether a member may invite to this role, and end such an invitation.
    /// - Parameter inviter: nil if there is no such member.
    fileprivate static func mayGive(_ role: Role, _ inviter: Role?) -> Bool {
        let rights = inviter?.rights ?? []
        return rights.contains(.members) && (role != .owner || rights.contains(.owners))
    }

    fileprivate init(_ row: Row) throws {
        self.init(
            email: row.optionalText("email").map { MemberEmail(stored: $0) }, role: Role(rawValue: try row.text("role")) ?? .viewer,
            invitedBy: row.optionalText("invited_by"), expiresAtMs: try row.integer("expires_at_ms"))
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Finds or makes the member of a person whom the provider has named: by issuer and subject, and only the first time by address.
struct OpenIDMembers: Sendable {
    let database: any Database
    let app: AppID

    enum Entry: Hashable, Sendable {
        case member(Member)
        case refused(OpenIDRefusal)
    }

    /// Sets the role anew where groups have roles. Everything happens in one unit, with its lines of the audit log.
    func enter(_ person: OpenIDPerson, by rules: OpenIDRules, network: String?, nowMs: Int64) async throws -> Entry {
        let id = RandomText.draw(22, of: RandomText.base58)
        let lines = (0..<3).map { _ in UUIDv7.make(nowMs: nowMs) }
        return try await database.write(.interactive, locking: [MemberStore.lock]) { [app] connection in
            let unit = EnteringUnit(app: app, person: person, rules: rules, network: network, nowMs: nowMs, lines: lines, connection: connection)
            return try unit.run(newID: id)
        }
    }
}

/// The unit of one sign-in.
private struct EnteringUnit {
    let app: AppID
    let person: OpenIDPerson
    let rules: OpenIDRules
    let network: String?
    let nowMs: Int64
    /// Ids of lines, drawn before: an engine may repeat the unit.
    let lines: [String]
    let connection: any WriteConnection

    /// Nil: groups have no roles. `.some(nil)`: the person is in no group with one.
    private var groupRole: Role?? {
        rules.groups.map { groups in groups.role(of: person.groups ?? []).flatMap { Role(rawValue: $0.rawValue) } }
    }

    func run(newID id: String) throws -> OpenIDMembers.Entry {
        let linked = try connection.row(
            """
            SELECT m.member_id, m.email, m.name, m.role, m.password, m.created_at_ms
            FROM member_identity i JOIN member m ON m.app_id = i.app_id AND m.member_id = i.member_id
            WHERE i.app_id = $1 AND i.issuer = $2 AND i.subject = $3
            """, [.text(app.rawValue), .text(rules.issuer), .text(person.subject)]
        ).map { try Member($0) }
        if let linked { return try known(linked) }
        let there = try connection.row(
            MemberStore.selection + "\nWHERE app_id = $1 AND email = $2", [.text(app.rawValue), .text(person.email.text)]
        ).map { try Member($0) }
        if let there { return try link(there) }
        return try join(id)
    }

    private func known(_ member: Member) throws -> OpenIDMembers.Entry {
        guard let named = groupRole else { return .member(member) }
        guard let role = named else {
            try connection.run("DELETE FROM member WHERE app_id = $1 AND member_id = $2", [.text(app.rawValue), .text(member.id)])
            try end(member, keeping: nil)
            try note(.memberRemoved, member, member.email.text)
            return .refused(.noGroup)
        }
        return .member(try give(role, to: member))
    }

    /// - Returns: the member with that role. Their sessions end if it is another one.
    private func give(_ role: Role, to member: Member) throws -> Member {
        guard role != member.role else { return member }
        try connection.run(
            "UPDATE member SET role = $3 WHERE app_id = $1 AND member_id = $2", [.text(app.rawValue), .text(member.id), .text(role.rawValue)])
        try end(member, keeping: role)
        try note(.roleChanged, member, "\(member.email.text): \(member.role.rawValue) → \(role.rawValue)")
        return Member(
            id: member.id, email: member.email, name: member.name, role: role, password: member.password, createdAtMs: member.createdAtMs)
    }

    /// What a lost role, or the lost membership, takes with it.
    private func end(_ member: Member, keeping role: Role?) throws {
        var ended = [SessionStore.ending(member: member.id, of: app), Invitations.ending(of: member.email, in: app)]
        if role == nil { ended.append(MemberStore.endingIdentity(of: member.id, in: app)) }
        _ = try connection.batch(ended)
        try MemberStore.failVersions(of: member, keeping: role, in: app, line: lines[1], nowMs: nowMs, connection)
    }

    /// A member who had no identity yet: the address is verified, and below an allowed domain.
    private func link(_ member: Member) throws -> OpenIDMembers.Entry {
        let other = try connection.row(
            "SELECT issuer FROM member_identity WHERE app_id = $1 AND member_id = $2", [.text(app.rawValue), .text(member.id)])
        // An identity of an issuer that is configured no longer makes room.
        if let issuer = try other?.text("issuer"), issuer.hasSameBytes(as: rules.issuer) { return .refused(.taken) }
        if case .some(.none) = groupRole { return .refused(.noGroup) }
        try connection.run(MemberStore.endingIdentity(of: member.id, in: app))
        try insertIdentity(of: member.id)
        try note(.identityLinked, member, rules.host, line: 2)
        guard let named = groupRole, let role = named else { return .member(member) }
        return .member(try give(role, to: member))
    }

    private func join(_ id: String) throws -> OpenIDMembers.Entry {
        let role: Role
        if let named = groupRole {
            guard let named else { return .refused(.noGroup) }
            role = named
        } else {
            guard let invitation = try Invitations.open(for: person.email, in: app, connection, nowMs: nowMs) else { return .refused(.notInvited) }
            role = invitation.role
        }
        let count = try connection.row("SELECT COUNT(*) AS members FROM member WHERE app_id = $1", [.text(app.rawValue)])
        guard try count?.integer("members") ?? 0 < Int64(MemberStore.most) else { return .refused(.full) }
        // No password: none matches it.
        let member = Member(id: id, email: person.email, name: person.name, role: role, password: "", createdAtMs: nowMs)
        guard try connection.run(member.insertion(into: app)) > 0 else { return .refused(.taken) }
        try insertIdentity(of: id)
        try connection.run(Invitations.ending(of: person.email, in: app))
        try note(.joined, member, role.rawValue)
        return .member(member)
    }

    private func insertIdentity(of member: String) throws {
        // A node of an older release may have removed the member, and left the identity.
        try connection.run(
            """
            INSERT INTO member_identity (app_id, issuer, subject, member_id, linked_at_ms) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app_id, issuer, subject) DO UPDATE SET member_id = excluded.member_id, linked_at_ms = excluded.linked_at_ms
            """,
            [.text(app.rawValue), .text(rules.issuer), .text(person.subject), .text(member), .integer(nowMs)])
    }

    private func note(_ action: AuditAction, _ member: Member, _ subject: String, line: Int = 0) throws {
        let entry = AuditLine(action: action, member: member.email.text, subject: subject, network: network)
        try connection.run(entry.insertion(into: app, id: lines[line], nowMs: nowMs))
    }
}

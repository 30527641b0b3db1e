// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallPages
import LandfallWire

/// Members, their roles, and the audit log.
struct TeamRoutes: Sendable {
    let members: MemberStore
    let invitations: Invitations
    let audit: AuditLog
    let console: ConsoleParts

    /// `GET /console/settings/members`
    @Sendable func members(_ call: ConsoleCall) async throws -> Response { ConsoleAnswer.page(try await page(call).html) }

    private func page(_ call: ConsoleCall) async throws -> MembersPage {
        let entries = try await members.list().map { member, seenAtMs in
            MemberEntry(id: member.id, name: member.name, email: member.email.text, role: member.role, lastSeenMs: seenAtMs)
        }
        let own = try call.member.member
        return MembersPage(frame: try call.frame, members: entries, own: own.id, roles: Self.roles(given: own.role))
    }

    /// Only an owner makes owners, and changes or removes them.
    static func roles(given role: Role) -> [Role] {
        Role.allCases.filter { $0 != .owner || role.rights.contains(.owners) }
    }

    /// `POST /console/settings/members/invite`: shows the link once.
    @Sendable func invite(_ call: ConsoleCall) async throws -> Response {
        let own = try call.member.member
        var page = try await page(call)
        page.email = call.field("email")
        let role = Role(rawValue: call.field("role"))
        guard let role, page.roles.contains(role) else {
            return ConsoleAnswer.page(MessagePage.forbidden(call.words, needs: .owners).html, .forbidden)
        }
        guard let email = MemberEmail(page.email) else {
            page.problems = [FieldProblem("email", call.words.wrongEmail)]
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
        guard try await members.member(email: email) == nil, page.members.count < MemberStore.most else {
            page.problems = [FieldProblem("email", call.words.takenEmail)]
            return ConsoleAnswer.page(page.html, .conflict)
        }
        let token = SessionToken.drawn()
        let invitation = Invitation(
            email: email, role: role, invitedBy: own.email.text, expiresAtMs: call.nowMs + Invitation.usualMs)
        try await invitations.invite(invitation, token, call.line(.invited, "\(email.text) (\(role.rawValue))"), nowMs: call.nowMs)
        page.email = ""
        page.invitation = (email.text, Self.address(of: call, console) + "/console/join?token=" + token.text)
        return ConsoleAnswer.page(page.html)
    }

    /// The address under which the browser knows this console.
    private static func address(of call: ConsoleCall, _ console: ConsoleParts) -> String {
        if let origin = call.request.headers[.origin], origin != "null" { return origin }
        return console.place.address
    }

    /// `POST /console/settings/members/{id}/role`
    @Sendable func changeRole(_ call: ConsoleCall) async throws -> Response {
        guard let role = Role(rawValue: call.field("role")) else { throw RequestError.invalid("role", "one of the list.") }
        let (member, refusal) = try await changeable(call, to: role)
        if let refusal { return refusal }
        guard try await members.change(
            member.id, to: role, call.line(.roleChanged, "\(member.email.text): \(member.role.rawValue) → \(role.rawValue)"), nowMs: call.nowMs)
        else { throw RequestError.notFound }
        return ConsoleAnswer.see(Place("/console/settings/members"))
    }

    /// `POST /console/settings/members/{id}/remove`
    @Sendable func remove(_ call: ConsoleCall) async throws -> Response {
        let (member, refusal) = try await changeable(call)
        if let refusal { return refusal }
        guard try await members.remove(member.id, call.line(.memberRemoved, member.email.text), nowMs: call.nowMs) else {
            throw RequestError.notFound
        }
        return ConsoleAnswer.see(Place("/console/settings/members"))
    }

    /// - Throws: `not_found` for an unknown member, and for oneself: nobody locks themselves out by mistake.
    private func changeable(_ call: ConsoleCall, to role: Role? = nil) async throws -> (Member, refusal: Response?) {
        let own = try call.member.member, id = call.context.parameters.get("id") ?? ""
        guard id != own.id, let member = try await members.list().first(where: { $0.member.id == id })?.member else {
            throw RequestError.notFound
        }
        let roles = Self.roles(given: own.role)
        guard roles.contains(member.role), role.map(roles.contains) ?? true else {
            return (member, ConsoleAnswer.page(MessagePage.forbidden(call.words, needs: .owners).html, .forbidden))
        }
        return (member, nil)
    }

    /// `GET /console/settings/audit?before=`
    @Sendable func auditLog(_ call: ConsoleCall) async throws -> Response {
        let before = call.query("before").flatMap { $0.utf8.count <= 64 ? $0 : nil }
        let lines = try await audit.page(before: before)
        let next = lines.count == AuditLog.pageLength ? lines.last?.id : nil
        return ConsoleAnswer.page(AuditPage(frame: try call.frame, entries: lines.map(\.entry), before: next).html)
    }
}

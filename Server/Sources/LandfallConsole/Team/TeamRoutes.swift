// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallServer
import LandfallWire

/// Members, their roles, sessions and invitations.
struct TeamRoutes: Sendable {
    let members: MemberStore
    let invitations: Invitations
    let console: ConsoleParts

    /// `GET /console/settings/members`
    @Sendable func members(_ call: ConsoleCall) async throws -> Response { ConsoleAnswer.page(try await page(call).html) }

    private func page(_ call: ConsoleCall) async throws -> MembersPage {
        let entries = try await members.list(nowMs: call.nowMs).map { listed in
            MemberEntry(
                id: listed.member.id, name: listed.member.name, email: listed.member.email.text, role: listed.member.role,
                lastSeenMs: listed.seenAtMs, sessions: listed.sessions)
        }
        let own = try call.member.member
        var page = MembersPage(frame: try call.frame, members: entries, own: own.id, roles: Self.roles(given: own.role))
        page.invitations = try await invitations.open(nowMs: call.nowMs).map { invitation in
            MembersPage.Open(
                email: invitation.email?.text ?? "", role: invitation.role, invitedBy: invitation.invitedBy, expiresAtMs: invitation.expiresAtMs)
        }
        return page
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
        let isTaken = try await members.member(email: email) != nil
        guard !isTaken, page.members.count < MemberStore.most else {
            page.problems = [FieldProblem("email", isTaken ? call.words.takenEmail : call.words.fullTeam(MemberStore.most))]
            return ConsoleAnswer.page(page.html, .conflict)
        }
        let token = SessionToken.drawn()
        let invitation = Invitation(
            email: email, role: role, invitedBy: own.email.text, expiresAtMs: call.nowMs + Invitation.usualMs)
        let line = call.line(.invited, "\(email.text) (\(role.rawValue))")
        // Only an owner replaces an invitation to the role of an owner.
        guard try await invitations.invite(invitation, token, line, nowMs: call.nowMs) else {
            return ConsoleAnswer.page(MessagePage.forbidden(call.words, needs: .owners).html, .forbidden)
        }
        page = try await self.page(call)
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
            member.id, from: member.role, to: role, call.line(.roleChanged, "\(member.email.text): \(member.role.rawValue) → \(role.rawValue)"), nowMs: call.nowMs)
        else { throw RequestError.notFound }
        return ConsoleAnswer.see(Place("/console/settings/members"))
    }

    /// `POST /console/settings/members/{id}/remove`
    @Sendable func remove(_ call: ConsoleCall) async throws -> Response {
        let (member, refusal) = try await changeable(call)
        if let refusal { return refusal }
        guard try await members.remove(member.id, as: member.role, call.line(.memberRemoved, member.email.text), nowMs: call.nowMs) else {
            throw RequestError.notFound
        }
        return ConsoleAnswer.see(Place("/console/settings/members"))
    }

    /// `POST /console/settings/members/{id}/sessions/end`: signs a member out of every browser.
    @Sendable func endSessions(_ call: ConsoleCall) async throws -> Response {
        let (member, refusal) = try await changeable(call)
        if let refusal { return refusal }
        guard try await members.endSessions(
            of: member.id, as: member.role, call.line(.sessionsEnded, member.email.text), nowMs: call.nowMs)
        else { throw RequestError.notFound }
        return ConsoleAnswer.see(Place("/console/settings/members"))
    }

    /// `POST /console/settings/members/invitations/cancel`: the link of an invitation ends.
    @Sendable func cancelInvitation(_ call: ConsoleCall) async throws -> Response {
        let email = call.field("address")
        guard let open = try await invitations.open(nowMs: call.nowMs).first(where: { $0.email?.text.hasSameBytes(as: email) == true }),
            let address = open.email
        else { throw RequestError.notFound }
        guard Self.roles(given: try call.member.member.role).contains(open.role) else {
            return ConsoleAnswer.page(MessagePage.forbidden(call.words, needs: .owners).html, .forbidden)
        }
        let line = call.line(.invitationCancelled, "\(address.text) (\(open.role.rawValue))")
        guard try await invitations.cancel(address, to: open.role, line, nowMs: call.nowMs) else { throw RequestError.notFound }
        return ConsoleAnswer.see(Place("/console/settings/members"))
    }

    /// - Throws: `not_found` for an unknown member, and for oneself: nobody locks themselves out by mistake.
    private func changeable(_ call: ConsoleCall, to role: Role? = nil) async throws -> (Member, refusal: Response?) {
        let own = try call.member.member, id = call.context.parameters.get("id") ?? ""
        guard id != own.id, let member = try await members.member(id) else {
            throw RequestError.notFound
        }
        let roles = Self.roles(given: own.role)
        guard roles.contains(member.role), role.map(roles.contains) ?? true else {
            return (member, ConsoleAnswer.page(MessagePage.forbidden(call.words, needs: .owners).html, .forbidden))
        }
        return (member, nil)
    }
}

extension ConsoleRoute {
    static func team(_ team: TeamRoutes) -> [ConsoleRoute] {
        [
            get("/console/settings/members", .proven(.members), team.members),
            post("/console/settings/members/invite", .proven(.members), team.invite),
            post("/console/settings/members/{id}/role", .proven(.members), team.changeRole),
            post("/console/settings/members/{id}/remove", .proven(.members), team.remove),
            post("/console/settings/members/{id}/sessions/end", .proven(.members), team.endSessions),
            post("/console/settings/members/invitations/cancel", .proven(.members), team.cancelInvitation),
        ]
    }
}

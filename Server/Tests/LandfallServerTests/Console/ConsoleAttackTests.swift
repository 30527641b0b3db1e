// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LandfallTesting
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("What strangers and former members try in the console", .timeLimit(.minutes(2)))
struct ConsoleAttackTests {
    @Test("A sign-in that was checked against an old password begins no session")
    func stale() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let member = try #require(try await server.members.member(email: MemberEmail(stored: "maya@example.com")))
            let sessions = SessionStore(database: server.services.database, app: server.services.snapshot.app.id)
            let line = AuditLine(action: .passwordChanged, member: nil, subject: "", network: nil)

            _ = try await server.members.change(member, password: "another", line, nowMs: 1)
            let isOpen = try await sessions.begin(.drawn(), of: member, from: .init(agent: "–", network: nil), nil, nowMs: 1)

            #expect(!isOpen)
            #expect(try await sessions.list(of: member.id, nowMs: 1).isEmpty)
        }
    }

    @Test("A password change that was checked before the operator's link set another password changes nothing")
    func changeAfterReset() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let email = MemberEmail(stored: "maya@example.com"), token = SessionToken.drawn(), nowMs = server.services.time.nowMs()
            let checked = try #require(try await server.members.member(email: email))
            let line = AuditLine(action: .passwordChanged, member: nil, subject: "", network: nil)
            let invitation = Invitation(email: email, role: .owner, invitedBy: nil, expiresAtMs: nowMs + 1)
            #expect(try await server.invitations.invite(invitation, token, line, nowMs: nowMs))
            let person = JoiningPerson(email: email, name: "Maya", password: "the operator's")
            #expect(try await server.invitations.join(person, by: token, network: nil, nowMs: nowMs) == .joined)

            let isChanged = try await server.members.change(checked, password: "the thief's", line, nowMs: nowMs)

            #expect(!isChanged)
            #expect(try await server.members.member(email: email)?.password == "the operator's")
            #expect(try await server.actions().filter { $0 == "password_changed" }.count == 1, "That of the invitation.")
        }
    }

    @Test("The operator's link to a member ends with their role and with their membership")
    func linkOfFormerMember() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let email = MemberEmail(stored: "maya@example.com"), nowMs = server.services.time.nowMs()
            let line = AuditLine(action: .invited, member: nil, subject: "", network: nil)
            try await server.addMember("maya@example.com", .viewer)
            let token = SessionToken.drawn()
            let invitation = Invitation(email: email, role: .viewer, invitedBy: nil, expiresAtMs: nowMs + 60_000)
            #expect(try await server.invitations.invite(invitation, token, line, nowMs: nowMs))

            #expect(try await owner.post("/console/settings/members/m-maya/role", ["role": "support"]).status == .seeOther)
            #expect(try await ConsoleBrowser(server).get("/console/join?token=" + token.text).status == .gone, "It would bring the old role back.")

            let second = SessionToken.drawn()
            #expect(try await server.invitations.invite(invitation, second, line, nowMs: nowMs))
            #expect(try await owner.post("/console/settings/members/m-maya/remove").status == .seeOther)
            #expect(try await ConsoleBrowser(server).get("/console/join?token=" + second.text).status == .gone, "It would make a member again.")
        }
    }

    @Test("An admin replaces and crowds out no invitation to the role of an owner; an owner does, and a dead one is anybody's")
    func ownersInvitation() async throws {
        try await TestServer.run { server in
            let admin = try await ConsoleBrowser.signedIn(server, as: .admin, "admin@example.com")
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            try await server.addMember("gone@example.com", .owner)
            let path = "/console/settings/members/invite", nowMs = server.services.time.nowMs()
            let line = AuditLine(action: .invited, member: nil, subject: "", network: nil)
            func invite(_ email: String, _ role: Role, by inviter: String?, _ token: SessionToken = .drawn(), inMs: Int64 = 60_000) async throws -> Bool {
                let invitation = Invitation(email: MemberEmail(email), role: role, invitedBy: inviter, expiresAtMs: nowMs + inMs)
                return try await server.invitations.invite(invitation, token, line, nowMs: nowMs)
            }
            func works(_ token: SessionToken) async throws -> Bool { try await server.invitations.invitation(token, nowMs: nowMs) != nil }
            let zoes = SessionToken.drawn()
            #expect(try await invite("zoe@example.com", .owner, by: "owner@example.com", zoes))
            #expect(try await invite("eve@example.com", .owner, by: "gone@example.com"))

            #expect(try await admin.post(path, ["email": "zoe@example.com", "role": "viewer"]).status == .forbidden)
            #expect(try await works(zoes))
            #expect(try await !invite("omar@example.com", .owner, by: "admin@example.com"), "Nor may an admin invite to it.")
            for number in 0..<Invitation.most {
                #expect(try await invite("m\(number)@example.com", .viewer, by: "admin@example.com", inMs: 120_000 + Int64(number)))
            }
            #expect(try await works(zoes), "It is the oldest, and not the admin's to end.")
            #expect(try await server.invitations.open(nowMs: nowMs).count == Invitation.most)

            #expect(try await owner.post("/console/settings/members/m-gone/remove").status == .seeOther)
            #expect(try await admin.post(path, ["email": "eve@example.com", "role": "viewer"]).status == .ok)
            #expect(try await owner.post(path, ["email": "zoe@example.com", "role": "viewer"]).status == .ok)
            #expect(try await !works(zoes))
        }
    }

    @Test("A form whose body comes after its member was removed does nothing")
    func slowForm() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let maya = try await ConsoleBrowser.signedIn(server, as: .owner)
            let (parts, body) = AsyncStream.makeStream(of: ByteBuffer.self)
            let path = "/console/settings/members/invite", cookie = "__Host-landfall=\(maya.cookie ?? "")"
            let head = HTTPRequest(
                method: .post, scheme: "http", authority: "localhost", path: path,
                headerFields: [.cookie: cookie, .secFetchSite: "same-origin"])
            let responder = Routes.router(server.services).buildResponder()
            let asked = AsyncStream.makeStream(of: Void.self)
            let waiting = AskedBody(parts: parts, asked: asked.continuation)
            let form = "csrf=\(maya.formToken ?? "")&email=omar%40example.com&role=owner"

            let answer = Task {
                let channel = NIOAsyncTestingChannel()
                try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 50_000))
                let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let context = AppContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
                return try await responder.respond(to: Request(head: head, body: RequestBody(asyncSequence: waiting)), context: context)
            }
            for await _ in asked.stream { break }
            #expect(try await owner.post("/console/settings/members/m-maya/remove").status == .seeOther)
            body.yield(ByteBuffer(string: form))
            body.finish()

            #expect(try await answer.value.status == .seeOther)
            #expect(try await server.invitations.open(nowMs: server.services.time.nowMs()).isEmpty)
        }
    }

    @Test("An open page that only listens keeps no session open")
    func listening() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let token = try #require(browser.cookie.flatMap { SessionToken($0) }), nowMs = server.services.time.nowMs()
            let sessions = SessionStore(database: server.services.database, app: server.services.snapshot.app.id)

            #expect(try await sessions.find(token, nowMs: nowMs + ConsoleSession.idleMs - 1, renews: false) != nil)
            #expect(try await sessions.find(token, nowMs: nowMs + ConsoleSession.idleMs, renews: false) == nil)
        }
    }

    @Test("A removed or weakened member's invitations end with their right to invite")
    func formerMember() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            try await server.addMember("maya@example.com", .admin)
            let nowMs = server.services.time.nowMs(), token = SessionToken.drawn(), high = SessionToken.drawn()
            let line = AuditLine(action: .invited, member: nil, subject: "", network: nil)
            for (token, email, role) in [(token, "omar@example.com", Role.viewer), (high, "otto@example.com", .owner)] {
                let invitation = Invitation(
                    email: MemberEmail(stored: email), role: role, invitedBy: "maya@example.com", expiresAtMs: nowMs + 60_000)
                _ = try await server.invitations.invite(invitation, token, line, nowMs: nowMs)
            }

            #expect(try await ConsoleBrowser(server).get("/console/join?token=" + high.text).status == .gone)
            #expect(try await ConsoleBrowser(server).get("/console/join?token=" + token.text).status == .ok)
            _ = try await owner.post("/console/settings/members/m-maya/role", ["role": "editor"])
            let form = ["token": token.text, "name": "Omar", "password": ConsoleBrowser.password]
            #expect(try await ConsoleBrowser(server).post("/console/join", form).status == .gone)
        }
    }

    @Test("There are at most 200 open invitations, the newest, and nobody joins as the 201st member")
    func bounds() async throws {
        try await TestServer.run { server in
            let nowMs = server.services.time.nowMs(), line = AuditLine(action: .invited, member: nil, subject: "", network: nil)
            let tokens = (0...Invitation.most).map { _ in SessionToken.drawn() }
            for (number, token) in tokens.enumerated() {
                let invitation = Invitation(
                    email: MemberEmail(stored: "m\(number)@example.com"), role: .viewer, invitedBy: nil,
                    expiresAtMs: nowMs + 60_000 + Int64(number))
                _ = try await server.invitations.invite(invitation, token, line, nowMs: nowMs)
            }

            #expect(try await server.invitations.invitation(tokens[0], nowMs: nowMs) == nil)
            #expect(try await server.invitations.invitation(tokens[1], nowMs: nowMs) != nil)
            for (number, token) in tokens.enumerated().dropFirst() {
                let person = JoiningPerson(email: MemberEmail(stored: "m\(number)@example.com"), name: "M", password: "p")
                #expect(try await server.invitations.join(person, by: token, network: nil, nowMs: nowMs) == .joined)
            }
            let last = SessionToken.drawn(), email = MemberEmail(stored: "last@example.com")
            let invitation = Invitation(email: email, role: .viewer, invitedBy: nil, expiresAtMs: nowMs + 60_000)
            _ = try await server.invitations.invite(invitation, last, line, nowMs: nowMs)
            let person = JoiningPerson(email: email, name: "M", password: "p")
            #expect(try await server.invitations.join(person, by: last, network: nil, nowMs: nowMs) == .ended)
        }
    }

    @Test("The operator's link keeps a member's role, and makes anybody else a viewer")
    func operatorsLink() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            try await Application(router: Routes.commandRouter(server.services)).test(.router) { client in
                for (email, role) in [("maya@example.com", Role.owner), ("omar@example.com", .viewer)] {
                    let answer = try await client.execute(
                        uri: InvitationRoutes.path, method: .post, body: ByteBuffer(string: #"{"email":"\#(email)"}"#)) { $0 }
                    let made = try JSONDecoder().decode(InvitationAnswer.self, from: Data(answer.body.readableBytesView))
                    let token = try #require(SessionToken(made.url.suffix(43)))
                    let invitation = try await server.invitations.invitation(token, nowMs: server.services.time.nowMs())
                    #expect(invitation?.role == role)
                }
            }
        }
    }

    @Test("A password in the field of the address is not in the audit log, and a wrong password of a signed-in browser is")
    func log() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            _ = try await browser.post("/console/confirm", ["password": "wrong"])
            _ = try await ConsoleBrowser(server).signIn(ConsoleBrowser.password, "")

            let entries = try await server.audit.page(before: nil).map(\.entry)
            #expect(Set(entries.map(\.action)) == ["signed_in", "confirm_failed", "sign_in_failed"])
            #expect(!entries.contains { $0.subject.contains("herons") })
        }
    }

    @Test("A proxy that tells of itself, and not of https, is not this machine's browser", arguments: ["Via", "X-Real-IP", "Forwarded"])
    func plainProxy(field: String) async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let browser = ConsoleBrowser(server), fields = ["email": "maya@example.com", "password": ConsoleBrowser.password]
            var headers: HTTPFields = [.origin: "http://localhost"]
            let name = try #require(HTTPField.Name(field))
            headers[name] = "192.0.2.7"

            #expect(try await browser.post("/console/sign-in", fields, headers).status == .forbidden)
            headers[.xForwardedProto] = "https"
            #expect(try await browser.post("/console/sign-in", fields, headers).status == .seeOther)
        }
    }
}

/// Says when somebody begins to read it.
private struct AskedBody: AsyncSequence, Sendable {
    let parts: AsyncStream<ByteBuffer>
    let asked: AsyncStream<Void>.Continuation

    func makeAsyncIterator() -> AsyncStream<ByteBuffer>.AsyncIterator {
        asked.yield()
        return parts.makeAsyncIterator()
    }
}

// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Signing in to the console", .timeLimit(.minutes(2)))
struct SignInTests {
    @Test("The first link makes the owner once, and signs them in")
    func setUp() async throws {
        try await TestServer.run { server in
            let token = SessionToken.drawn(), nowMs = server.services.time.nowMs()
            _ = try #require(try await server.invitations.setUp(token, nowMs: nowMs))
            let browser = ConsoleBrowser(server)
            let fields = ["token": token.text, "name": "Maya", "email": " Maya@Example.com ", "password": ConsoleBrowser.password]

            #expect(try await browser.get("/console/setup?token=" + token.text).status == .ok)
            let joined = try await browser.post("/console/setup", fields)

            #expect(joined.status == .seeOther)
            #expect(try await browser.get("/console").status == .ok)
            #expect(try await server.members.list(nowMs: nowMs).map(\.member.email.text) == ["maya@example.com"])
            #expect(try await ConsoleBrowser(server).post("/console/setup", fields).status == .gone)
            #expect(try await server.invitations.setUp(.drawn(), nowMs: nowMs) == nil)
            #expect(try await server.actions() == ["owner_created"])
        }
    }

    @Test("The first link ends after an hour, and with the next one")
    func oldLink() async throws {
        try await TestServer.run { server in
            let first = SessionToken.drawn(), second = SessionToken.drawn(), nowMs = server.services.time.nowMs()
            for token in [first, second] { _ = try await server.invitations.setUp(token, nowMs: nowMs) }
            let browser = ConsoleBrowser(server)

            #expect(try await browser.get("/console/setup?token=" + first.text).status == .gone)
            #expect(try await browser.get("/console/setup?token=" + second.text).status == .ok)
            server.clock.advance(by: .seconds(3600))
            #expect(try await browser.get("/console/setup?token=" + second.text).status == .gone)
        }
    }

    @Test("A node makes no first link while another one that lives has made one that is good")
    func otherNode() async throws {
        try await TestServer.run { server in
            let first = NodeName("first"), second = NodeName("second"), nowMs = server.services.time.nowMs()
            func setUp(by node: NodeName, beside others: Set<NodeName>, atMs: Int64) async throws -> Bool {
                try await server.invitations.setUp(.drawn(), by: node, beside: others, nowMs: atMs) != nil
            }

            let made = [
                try await setUp(by: first, beside: [], atMs: nowMs),
                try await setUp(by: second, beside: [first], atMs: nowMs),
                try await setUp(by: second, beside: [first], atMs: nowMs + 3_600_001),
                // The second one is gone.
                try await setUp(by: first, beside: [NodeName("third")], atMs: nowMs + 3_600_002),
            ]

            #expect(made == [true, false, true, true])
        }
    }

    @Test("A weak password, a missing name and a wrong address stay with the form", arguments: ["short", "passwordpassword1234", "aaaaaaaaaaaaaaaaaaaa"])
    func weak(password: String) async throws {
        try await TestServer.run { server in
            let token = SessionToken.drawn()
            _ = try await server.invitations.setUp(token, nowMs: server.services.time.nowMs())

            let answer = try await ConsoleBrowser(server).post(
                "/console/setup", ["token": token.text, "name": "", "email": "nobody", "password": password])

            #expect(answer.status == .unprocessableContent)
            #expect(answer.page.ranges(of: "aria-invalid=\"true\"").count == 3)
        }
    }

    @Test("A wrong password and an unknown address get the same answer, and both are in the audit log")
    func wrong() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let browser = ConsoleBrowser(server)

            let known = try await browser.signIn("maya@example.com", "a wrong password")
            let unknown = try await browser.signIn("nobo@example.com", "a wrong password")

            #expect(known.status == unknown.status)
            #expect(known.page.replacing("maya@", with: "nobo@") == unknown.page)
            #expect(browser.cookie == nil)
            #expect(try await server.actions() == ["sign_in_failed", "sign_in_failed"])
        }
    }

    @Test("The eleventh try within 15 minutes fails even with the right password, with the same page")
    func limits() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let browser = ConsoleBrowser(server)
            var last: TestResponse?
            for _ in 0..<10 { last = try await browser.signIn("maya@example.com", "a wrong password") }

            let limited = try await browser.signIn("maya@example.com")

            #expect(limited.page == last?.page)
            #expect(limited.headers[.retryAfter] == "900")
            server.clock.advance(by: .seconds(15 * 60))
            #expect(try await browser.signIn("maya@example.com").status == .seeOther)
        }
    }

    @Test("A token that somebody planted opens nothing: signing in makes a fresh one")
    func fixation() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let planted = SessionToken.drawn().text, browser = ConsoleBrowser(server)
            browser.cookie = planted

            #expect(try await browser.signIn("maya@example.com").status == .seeOther)

            #expect(browser.cookie != planted)
            let thief = ConsoleBrowser(server)
            thief.cookie = planted
            #expect(try await thief.get("/console/account").status == .seeOther)
        }
    }

    @Test(
        "After signing in, nobody is led to another site",
        arguments: ["https://evil.example", "//evil.example", "/\\evil.example", "/console//evil.example", "/consoles", "/v1/links", "/console/\n"])
    func next(place: String) async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)

            #expect(try await ConsoleBrowser(server).signIn("maya@example.com", next: place).headers[.location] == "/console")
        }
    }

    @Test("After signing in, the page that was wanted comes")
    func wanted() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let browser = ConsoleBrowser(server)

            let away = try await browser.get("/console/live?kind=tap")
            #expect(away.headers[.location] == "/console/sign-in?next=%2Fconsole%2Flive%3Fkind%3Dtap")
            #expect(try await browser.signIn("maya@example.com", next: "/console/live?kind=tap").headers[.location] == "/console/live?kind=tap")
        }
    }

    @Test("Over plain http from elsewhere nobody signs in")
    func plain() async throws {
        try await TestServer.run { server in
            try await server.addMember("maya@example.com", .owner)
            let browser = ConsoleBrowser(server)
            let fields: HTTPFields = [.origin: "http://localhost", .xForwardedFor: "192.0.2.7"]

            let answer = try await browser.post(
                "/console/sign-in", ["email": "maya@example.com", "password": ConsoleBrowser.password], fields)

            #expect(answer.status == .forbidden)
            #expect(browser.cookie == nil)
        }
    }

    @Test("Over plain http from elsewhere a link shows no field for a password, and its form makes nobody", arguments: ["setup", "join"])
    func plainLink(name: String) async throws {
        try await TestServer.run { server in
            let token = SessionToken.drawn(), nowMs = server.services.time.nowMs()
            if name == "setup" {
                _ = try #require(try await server.invitations.setUp(token, nowMs: nowMs))
            } else {
                let invitation = Invitation(
                    email: MemberEmail("omar@example.com"), role: .viewer, invitedBy: nil, expiresAtMs: nowMs + 60_000)
                let line = AuditLine(action: .invited, member: nil, subject: "omar@example.com", network: nil)
                _ = try await server.invitations.invite(invitation, token, line, nowMs: nowMs)
            }
            let browser = ConsoleBrowser(server), path = "/console/" + name
            let plain: HTTPFields = [.origin: "http://localhost", .xForwardedFor: "192.0.2.7"]
            let fields = ["token": token.text, "name": "Omar", "email": "omar@example.com", "password": ConsoleBrowser.password]

            let page = try await browser.get(path + "?token=" + token.text, plain)
            let joined = try await browser.post(path, fields, plain)

            #expect(page.status == .forbidden && !page.page.contains("password\""))
            #expect(joined.status == .forbidden && browser.cookie == nil)
            #expect(try await server.members.list(nowMs: server.services.time.nowMs()).isEmpty)
            // The link is still good.
            #expect(try await browser.get(path + "?token=" + token.text, [.secFetchSite: "same-origin"]).page.contains("type=\"password\""))
        }
    }

    @Test("A try that is answered busy does not count", arguments: ["/console/sign-in", "/console/confirm"])
    func busy(path: String) async throws {
        try await TestServer.run(passwords: PasswordHasher(cost: .quick, mostWaiting: 0)) { server in
            try await server.addMember("maya@example.com", .owner)
            let email = try #require(MemberEmail("maya@example.com")), nowMs = server.services.time.nowMs()
            let browser = ConsoleBrowser(server), token = SessionToken.drawn()
            if path == "/console/confirm" {
                let member = try #require(try await server.members.member(email: email))
                let sessions = SessionStore(database: server.services.database, app: server.services.snapshot.app.id)
                #expect(try await sessions.begin(token, of: member, from: .init(agent: "–", network: nil), nil, nowMs: nowMs))
                browser.cookie = token.text
            }

            for _ in 0..<20 {
                let answer = try await browser.post(
                    path, ["email": email.text, "password": ConsoleBrowser.password], csrf: token.formToken)
                #expect(answer.status == .serviceUnavailable)
            }

            let counted = try await server.services.database.read { try $0.rows("SELECT place FROM sign_in_failure") }
            #expect(counted.isEmpty)
        }
    }

    @Test("Signing out, a new role and a new password end sessions; the member who changed the password stays")
    func ends() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let one = try await ConsoleBrowser.signedIn(server, as: .viewer), two = ConsoleBrowser(server)
            _ = try await two.signIn("maya@example.com")

            let changed = try await one.post(
                "/console/account/password", ["current": ConsoleBrowser.password, "password": "seven black rooks at dawn"])
            #expect(changed.status == .seeOther)
            #expect(try await one.get("/console/account").status == .ok)
            #expect(try await two.get("/console/account").status == .seeOther)

            #expect(try await owner.post("/console/settings/members/m-maya/role", ["role": "editor"]).status == .seeOther)
            #expect(try await one.get("/console/account").status == .seeOther)

            let cookie = owner.cookie
            #expect(try await owner.post("/console/sign-out").status == .seeOther)
            owner.cookie = cookie
            #expect(try await owner.get("/console/account").status == .seeOther)
            #expect(Set(try await server.actions()) == ["signed_in", "password_changed", "role_changed", "signed_out"])
        }
    }

    @Test("A session ends after 12 hours without a request, and after 14 days with them")
    func ages() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            for _ in 0..<27 {
                server.clock.advance(by: .seconds(12 * 3600 - 1))
                #expect(try await browser.get("/console/account").status == .ok)
            }
            server.clock.advance(by: .seconds(12 * 3600 - 1))
            _ = try await browser.get("/console/account")
            server.clock.advance(by: .seconds(60))
            #expect(try await browser.get("/console/account").status == .seeOther)

            _ = try await browser.signIn("maya@example.com")
            server.clock.advance(by: .seconds(12 * 3600))
            #expect(try await browser.get("/console/account").status == .seeOther)
        }
    }

    @Test("An admin makes no owner and changes none, and the last owner stays")
    func owners() async throws {
        try await TestServer.run { server in
            let admin = try await ConsoleBrowser.signedIn(server, as: .admin, "admin@example.com")
            try await server.addMember("maya@example.com", .owner)

            #expect(try await admin.post("/console/settings/members/invite", ["email": "a@example.com", "role": "owner"]).status == .forbidden)
            #expect(try await admin.post("/console/settings/members/m-maya/role", ["role": "viewer"]).status == .forbidden)
            #expect(try await admin.post("/console/settings/members/m-maya/remove").status == .forbidden)
            let line = AuditLine(action: .memberRemoved, member: nil, subject: "", network: nil)
            #expect(try await !server.members.remove("m-maya", as: .owner, line, nowMs: 1))
            #expect(try await !server.members.change("m-maya", from: .owner, to: .viewer, line, nowMs: 1))
        }
    }

    @Test("An invitation works once, and the operator's sets a new password")
    func invitation() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner)
            let page = try await owner.post("/console/settings/members/invite", ["email": "omar@example.com", "role": "support"]).page
            let token = String(try #require(page.firstRange(of: "join?token=")).upperBound.in(page).prefix(43))
            let omar = ConsoleBrowser(server)
            let fields = ["token": token, "name": "Omar", "password": "nine white swans at dusk"]

            #expect(try await omar.post("/console/join", fields).status == .seeOther)
            #expect(try await omar.get("/console").headers[.location] == "/console/live")
            #expect(try await ConsoleBrowser(server).post("/console/join", fields).status == .gone)

            let again = SessionToken.drawn()
            let invitation = Invitation(
                email: MemberEmail("omar@example.com"), role: .support, invitedBy: nil, expiresAtMs: server.services.time.nowMs() + 1)
            let line = AuditLine(action: .invited, member: nil, subject: "omar@example.com", network: nil)
            _ = try await server.invitations.invite(invitation, again, line, nowMs: 1)
            let new = ["token": again.text, "name": "Omar", "password": "two small wrens at night"]
            #expect(try await ConsoleBrowser(server).post("/console/join", new).status == .seeOther)
            #expect(try await omar.get("/console/live").status == .seeOther)
            #expect(try await ConsoleBrowser(server).signIn("omar@example.com", "two small wrens at night").status == .seeOther)
        }
    }
}

extension String.Index {
    fileprivate func `in`(_ text: String) -> Substring { text[self...] }
}

// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The members' page and the audit log", .timeLimit(.minutes(1)))
struct TeamTests {
    private let line = AuditLine(action: .roleChanged, member: nil, subject: "", network: nil)

    @Test("The list counts open sessions, and one form ends all of a member's; an admin ends none of an owner's")
    func sessions() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let admin = try await ConsoleBrowser.signedIn(server, as: .admin, "admin@example.com")
            let one = try await ConsoleBrowser.signedIn(server, as: .viewer), two = ConsoleBrowser(server)
            _ = try await two.signIn("maya@example.com")
            let nowMs = server.services.time.nowMs()
            #expect(try await server.members.list(nowMs: nowMs).map(\.sessions) == [1, 2, 1])
            #expect(try await server.members.list(nowMs: nowMs + ConsoleSession.idleMs).map(\.sessions) == [0, 0, 0])

            for _ in 0..<2 {
                #expect(try await owner.post("/console/settings/members/m-maya/sessions/end").status == .seeOther)
            }

            for browser in [one, two] { #expect(try await browser.get("/console/account").status == .seeOther) }
            #expect(try await server.actions().filter { $0 == "sessions_ended" }.count == 1)
            #expect(try await admin.post("/console/settings/members/m-owner/sessions/end").status == .forbidden)
            #expect(try await owner.post("/console/settings/members/m-owner/sessions/end").status == .notFound)
            server.clock.advance(by: .seconds(15 * 60))
            let late = try await owner.post("/console/settings/members/m-admin/sessions/end")
            #expect(late.headers[.location]?.hasPrefix("/console/confirm") == true)
        }
    }

    @Test("The id of another member's session ends nothing")
    func strangeSession() async throws {
        try await TestServer.run { server in
            let maya = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let sessions = SessionStore(database: server.services.database, app: server.services.snapshot.app.id)
            let id = try #require(try await sessions.list(of: "m-maya", nowMs: server.services.time.nowMs()).first?.id)

            let answer = try await owner.post("/console/account/sessions/\(id)/end")

            #expect(answer.status == .notFound)
            #expect(try await maya.get("/console/account").status == .ok)
            #expect(try await !server.actions().contains("session_ended"))
        }
    }

    @Test("Open invitations are listed and cancelled: the link ends. An admin cancels none to the role of an owner")
    func invitations() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let admin = try await ConsoleBrowser.signedIn(server, as: .admin, "admin@example.com")
            let nowMs = server.services.time.nowMs(), tokens = [SessionToken.drawn(), .drawn(), .drawn()]
            let invited: [(String, Role, String?)] = [
                ("omar@example.com", .viewer, "admin@example.com"), ("zoe@example.com", .owner, nil),
                ("eve@example.com", .viewer, "gone@example.com"),
            ]
            for (token, (email, role, inviter)) in zip(tokens, invited) {
                let invitation = Invitation(email: MemberEmail(email), role: role, invitedBy: inviter, expiresAtMs: nowMs + 60_000)
                _ = try await server.invitations.invite(invitation, token, line, nowMs: nowMs)
            }
            let page = try await admin.get("/console/settings/members").page
            #expect(page.contains("Open invitations") && page.contains("omar@example.com") && page.contains("zoe@example.com"))
            #expect(page.contains("Operator of the server"))
            #expect(!page.contains("eve@example.com"), "Her invitation ended with the member who invited her.")
            #expect(page.ranges(of: "/invitations/cancel").count == 1)

            let path = "/console/settings/members/invitations/cancel"
            #expect(try await admin.post(path, ["address": "zoe@example.com"]).status == .forbidden)
            #expect(try await admin.post(path, ["address": "omar@example.com"]).status == .seeOther)
            #expect(try await admin.post(path, ["address": "omar@example.com"]).status == .notFound)
            #expect(try await owner.post(path, ["address": "zoe@example.com"]).status == .seeOther)

            for token in tokens { #expect(try await ConsoleBrowser(server).get("/console/join?token=" + token.text).status == .gone) }
            let lines = try await server.audit.page(before: nil).map(\.entry).filter { $0.action == "invitation_cancelled" }
            #expect(lines.map(\.subject).sorted() == ["omar@example.com (viewer)", "zoe@example.com (owner)"])
            #expect(try await !owner.get("/console/settings/members").page.contains("Open invitations"))
        }
    }

    @Test("A full team is called that")
    func full() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner)
            let app = server.services.snapshot.app.id
            try await server.services.database.write { connection in
                for number in 1..<MemberStore.most {
                    let member = Member(
                        id: "m\(number)", email: MemberEmail(stored: "m\(number)@example.com"), name: "M", role: .viewer, password: "",
                        createdAtMs: 1)
                    _ = try connection.run(member.insertion(into: app))
                }
            }

            let answer = try await owner.post("/console/settings/members/invite", ["email": "omar@example.com", "role": "viewer"])
            let taken = try await owner.post("/console/settings/members/invite", ["email": "m1@example.com", "role": "viewer"])

            #expect(answer.status == .conflict && answer.page.contains("There are 200 members already"))
            #expect(taken.status == .conflict && taken.page.contains("A member has this address."))
        }
    }

    @Test("A member whose role changed meanwhile is neither changed nor removed, and keeps their sessions")
    func roleChangedMeanwhile() async throws {
        try await TestServer.run { server in
            try await server.addMember("owner@example.com", .owner)
            let maya = try await ConsoleBrowser.signedIn(server, as: .owner)

            #expect(try await !server.members.change("m-maya", from: .viewer, to: .editor, line, nowMs: 1))
            #expect(try await !server.members.remove("m-maya", as: .viewer, line, nowMs: 1))
            #expect(try await !server.members.endSessions(of: "m-maya", as: .viewer, line, nowMs: 1))

            #expect(try await maya.get("/console/settings/members").status == .ok)
            #expect(try await server.actions() == ["signed_in"])
        }
    }

    @Test("A member's scheduled versions end with the membership, and with the operator's invitation to a weaker role")
    func scheduled() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner, "owner@example.com")
            let schedule = server.services.publishing.schedule, nowMs = server.services.time.nowMs()
            for name in ["maya", "omar"] {
                try await server.addMember("\(name)@example.com", .editor)
                for _ in 0..<2 {
                    let draft = ConfigurationStore.Draft(text: "apps: []", author: "\(name)@example.com")
                    _ = try await schedule.add(draft, base: 0, atMs: nowMs + 60_000, nowMs: nowMs)
                }
            }
            let token = SessionToken.drawn(), email = MemberEmail(stored: "omar@example.com")
            let invitation = Invitation(email: email, role: .viewer, invitedBy: nil, expiresAtMs: nowMs + 60_000)
            _ = try await server.invitations.invite(invitation, token, line, nowMs: nowMs)

            #expect(try await owner.post("/console/settings/members/m-maya/remove").status == .seeOther)
            let person = JoiningPerson(email: email, name: "Omar", password: "p")
            #expect(try await server.invitations.join(person, by: token, network: nil, nowMs: nowMs) == .joined)

            #expect(try await schedule.list().map(\.state) == Array(repeating: ScheduledVersion.State.failed, count: 4))
            let lines = try await server.audit.page(before: nil).map(\.entry).filter { $0.action == "version_failed" }
            #expect(lines.compactMap(\.member).sorted() == ["maya@example.com", "omar@example.com"])
            #expect(lines.allSatisfy { $0.subject.hasPrefix("2: ") })
        }
    }

    @Test("The audit log is filtered by member and action, as a page and as files, and says roles in the reader's language")
    func filtered() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner)
            let strange = "=1+1, \"x\""
            for (member, action, subject) in [
                ("maya@example.com", AuditAction.invited, "omar@example.com (viewer)"), ("omar@example.com", .joined, "viewer"),
                ("maya@example.com", .roleChanged, "omar@example.com: viewer → editor"), ("key CI", .versionPublished, strange),
                ("operator", .personForgotten, "installs: 3"),
            ] {
                let line = AuditLine(action: action, member: member, subject: subject, network: nil)
                try await server.note(line, nowMs: server.services.time.nowMs())
                server.clock.advance(by: .seconds(1))
            }
            let path = "/console/settings/audit"

            let all = try await owner.get(path, [.acceptLanguage: "ja"]).page
            for text in ["omar@example.com (閲覧者)", "omar@example.com: 閲覧者 → 編集者", "キー CI", "サーバーの運用担当者", "インストール: 3"] {
                #expect(all.contains(text), "\(text)")
            }
            let one = try await owner.get(path + "?member=Omar@example.com").page
            #expect(one.ranges(of: "<tr ").count == 2 && one.contains("Joined"))
            #expect(try await owner.get(path + "?action=invited&member=omar@example.com").page.contains("No entry is like this."))

            for (language, name) in [
                ("en", "Key+CI"), ("en", "key+CI"), ("ja", "%E3%82%AD%E3%83%BC+CI"), ("zh-Hans", "%E5%AF%86%E9%92%A5+CI"), ("ja", "key+CI"),
            ] {
                let found = try await owner.get(path + "?member=" + name, [.acceptLanguage: language]).page
                #expect(found.ranges(of: "<tr ").count == 2 && found.contains("member=key%20CI"), "\(language) \(name)")
            }
            for name in ["Operator+of+the+server", "operator"] {
                let found = try await owner.get(path + "?member=" + name).page
                #expect(found.ranges(of: "<tr ").count == 2 && found.contains("value=\"Operator of the server\""), "\(name)")
            }

            let csv = try CSVTable(try await owner.get(path + ".csv?action=version_published").page).rows.map { $0.fields.map(\.text) }
            #expect(csv.count == 2 && csv.first == ["id", "at", "atMilliseconds", "member", "action", "subject", "network"])
            #expect(csv.last.map { Array($0[3...5]) } == ["key CI", "version_published", "'" + strange])
            let json = try await owner.get(path + ".json?action=role_changed").object
            #expect(json["entries"]?[0]?["subject"] == "omar@example.com: viewer → editor")
            #expect(json["next"] == nil)
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer, "v@example.com")
            for end in ["", ".csv", ".json"] { #expect(try await viewer.get(path + end).status == .forbidden) }
        }
    }

    @Test("A filter looks at a bounded number of lines for a page; the next page goes on there, and the file has all")
    func bounded() async throws {
        try await TestServer.run { server in
            let app = server.services.snapshot.app.id
            let rare = AuditLine(action: .joined, member: "omar@example.com", subject: "viewer", network: nil)
            try await server.note(rare, nowMs: 1)
            let usual = (0...AuditLog.mostLooked).map { line.insertion(into: app, id: UUIDv7.make(nowMs: 2 + Int64($0)), nowMs: 2) }
            try await server.services.database.write { _ = try $0.batch(usual) }
            let filter = AuditPage.Filter(action: "joined")

            let first = try await server.audit.page(filter, before: nil)
            let second = try await server.audit.page(filter, before: first.next)

            #expect(first.lines.isEmpty && first.next != nil)
            #expect(second.lines.count == 1 && second.next == nil)
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner)
            #expect(try await owner.get("/console/settings/audit?action=joined").page.contains("Look at older ones."))
            #expect(try CSVTable(try await owner.get("/console/settings/audit.csv?action=joined").page).rows.count == 2)
        }
    }
}

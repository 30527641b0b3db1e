// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Signing in by an OpenID provider", .timeLimit(.minutes(2)))
struct OpenIDTests {
    @Test("makes a member with the strongest role of their groups, follows the groups at each sign-in, and removes who has none")
    func groups() async throws {
        try await ProviderVisitor.run { visitor, provider in
            provider.signsIn("u1", "Maya@Example.com", groups: ["everyone", "owners", "other"])
            let first = try await visitor.signIn(next: "/console/links")
            #expect(first.status == .seeOther && first.headers[.location] == "/console/links")
            #expect(try await visitor.role() == .owner)
            #expect(try await visitor.browser.get("/console/links").status == .ok)
            let cookies = first.headers[values: .setCookie]
            #expect(cookies.count == 2 && cookies.contains(OpenIDFlow.noCookie))

            provider.signsIn("u1", "maya@example.com", groups: ["editors"])
            let other = ProviderVisitor(visitor.server, provider)
            #expect(try await other.signIn().status == .seeOther)
            #expect(try await visitor.role() == .editor)
            #expect(try await visitor.browser.get("/console/links").status == .seeOther, "the session with the old role has ended")

            provider.signsIn("u1", "maya@example.com", groups: [])
            let last = try await other.signIn()
            #expect(last.status == .forbidden && last.page.contains("no_group"))
            #expect(try await visitor.role() == nil)
            #expect(try await other.browser.get("/console/links").status == .seeOther)
            let actions = try await visitor.server.actions()
            #expect(Set(actions) == ["joined", "signed_in", "role_changed", "member_removed", "sign_in_failed"])
        }
    }

    /// What the provider does, and the code that the page shows.
    struct Refused: Sendable, CustomTestStringConvertible {
        let code: String
        let change: @Sendable (inout ScriptedProvider.Script) -> Void

        init(_ code: String, _ change: @escaping @Sendable (inout ScriptedProvider.Script) -> Void) { (self.code, self.change) = (code, change) }

        var testDescription: String { code }
    }

    private static func claim(_ code: String, _ name: String, _ value: JSONValue?) -> Refused {
        Refused(code) { $0.changes = [name: value] }
    }

    private static let noon = Int64(ManualClock().nowMs / 1000)

    static let refusedAnswers: [Refused] = [
        claim("claims", "iss", .string("https://login.example.com/")), claim("claims", "aud", .string("other")), claim("claims", "aud", nil),
        claim("claims", "aud", .array([.string("landfall"), .string("other")])), claim("claims", "azp", .string("other")),
        claim("claims", "exp", .integer(noon - 61)), claim("claims", "exp", nil), claim("claims", "iat", .integer(noon + 61)),
        claim("claims", "iat", .integer(noon - 601)), claim("claims", "nbf", .integer(noon + 61)), claim("claims", "sub", nil),
        claim("claims", "sub", .string(String(repeating: "s", count: 256))), claim("nonce", "nonce", .string("other")), claim("nonce", "nonce", nil),
        claim("unverified", "email_verified", .bool(false)), claim("unverified", "email_verified", nil), claim("unverified", "email", nil),
        claim("foreign", "email", .string("maya@example.org")), claim("foreign", "email", .string("maya@sub.example.com")),
        claim("no_group", "groups", nil), claim("no_group", "groups", .array([.string("Owners")])),
        Refused("many_groups") { $0.changes = ["groups": nil, "_claim_names": .object(["groups": .string("src1")])] },
        Refused("signature") { $0.shown = ["k1": P256.Signing.PrivateKey()] },
        Refused("signature") { $0.shown = ["k2": $0.key] },
        Refused("signature") { $0.token = "eyJhbGciOiJub25lIn0.e30." },
        Refused("signature") { $0.token = "eyJhbGciOiJIUzI1NiJ9.e30.AA" },
        Refused("signature") { $0.token = "eyJhbGciOiJFUzI1NiIsIngiOjFlMzAwfQ.e30.AA" },
        Refused("code") { $0.tokenStatus = 400 }, Refused("unreachable") { $0.tokenStatus = 302 }, Refused("unreachable") { $0.tokenStatus = 500 },
    ]

    @Test("is refused by a page with a reason, and begins no session", arguments: refusedAnswers)
    func refusal(refused: Refused) async throws {
        try await ProviderVisitor.run { visitor, provider in
            provider.signsIn("u1", "maya@example.com", groups: ["owners"])
            try await visitor.begin()
            provider.change(refused.change)

            let answer = try await visitor.finish()

            #expect(answer.status == (refused.code == "unreachable" ? .serviceUnavailable : .forbidden))
            #expect(answer.page.contains("<code>\(refused.code)</code>"), "\(answer.page)")
            #expect(visitor.browser.cookie == nil)
            #expect(try await visitor.role() == nil)
            let counts = try #require(OpenIDRefusal(rawValue: refused.code)).counts
            #expect(try await visitor.server.actions() == (counts ? ["sign_in_failed"] : []))
        }
    }

    @Test("comes back to the browser in which it began, once, within ten minutes, and from its own issuer")
    func binding() async throws {
        try await ProviderVisitor.run { visitor, provider in
            provider.signsIn("u1", "maya@example.com", groups: ["owners"])
            try await visitor.begin()
            let flow = visitor.flow, state = visitor.sent["state"] ?? ""
            func page(_ answer: TestResponse) -> String? { answer.page.firstMatch(of: /<code>([a-z_]+)<\/code>/).map { String($0.1) } }

            let other = try await visitor.finish(state: String(state.reversed()))
            visitor.flow = nil
            let without = try await visitor.finish(state: state)
            visitor.flow = flow
            let foreign = try await visitor.finish(more: "&iss=https%3A%2F%2Fevil.example")
            let cancelled = try await visitor.finish(more: "&error=access_denied")
            visitor.server.clock.advance(by: .seconds(600))
            let late = try await visitor.finish()

            #expect([other, without, foreign, cancelled, late].map(page) == ["state", "state", "issuer", "cancelled", "state"])
            #expect(provider.calls(of: "/token").isEmpty && visitor.browser.cookie == nil)
        }
    }

    @Test("asks with PKCE, keeps the secret to itself, and leads nobody elsewhere")
    func request() async throws {
        try await ProviderVisitor.run { visitor, provider in
            provider.signsIn("u1", "maya@example.com", groups: ["owners"])
            let begun = try await visitor.begin(next: "https://evil.example/console")
            let finished = try await visitor.finish()

            let location = try #require(begun.headers[.location])
            #expect(location.hasPrefix(ScriptedProvider.issuer + "/authorize?tenant=1&") && !location.contains("s3cret"))
            #expect(visitor.sent["code_challenge_method"] == "S256" && visitor.sent["redirect_uri"] == "http://localhost/console/sign-in/callback")
            let call = try #require(provider.calls(of: "/token").first)
            let form = try #require(FormText.fields(String(decoding: call.body ?? [], as: UTF8.self), most: 20))
            let challenge = Data(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))).base64URL
            #expect(challenge == visitor.sent["code_challenge"] && form["redirect_uri"] == visitor.sent["redirect_uri"])
            #expect(call.headers["Authorization"] == "Basic " + Data("landfall:s3cret%2F%2B".utf8).base64EncodedString())
            #expect(form["client_secret"] == nil && finished.headers[.location] == "/console")
            #expect(visitor.flow?.contains(visitor.sent["state"] ?? "?") == false && visitor.flow?.contains(form["code_verifier"] ?? "?") == false)
        }
    }

    @Test("follows a new key at once, and reads the keys again for unknown ones at most once a minute")
    func rotation() async throws {
        try await ProviderVisitor.run { visitor, provider in
            provider.signsIn("u1", "maya@example.com", groups: ["owners"])
            var statuses: [HTTPResponse.Status] = []
            for (id, seconds) in [("k1", 0), ("k2", 0), ("k3", 59), ("k3", 1)] {
                provider.change { ($0.key, $0.keyID) = (P256.Signing.PrivateKey(), id) }
                visitor.server.clock.advance(by: .seconds(seconds))
                statuses.append(try await visitor.signIn().status)
            }

            #expect(statuses == [.seeOther, .seeOther, .forbidden, .seeOther])
            #expect(provider.calls(of: "/keys").count == 3 && provider.calls(of: "/openid-configuration").count == 1)
        }
    }

    @Test(
        "does not begin where the discovery document is of another issuer, has plain addresses or those of this machine, or does not come; and asks again after ten seconds",
        arguments: [("discovery", 0), ("discovery", 1), ("unreachable", 2), ("discovery", 3)])
    func discovery(code: String, kind: Int) async throws {
        try await ProviderVisitor.run { visitor, provider in
            provider.change { script in
                switch kind {
                case 0: script.issuer += "/"
                case 1: script.tokenAddress = "http://login.example.com/token"
                case 3: script.tokenAddress = "http://127.0.0.1:8080/token"
                default: script.isAway = true
                }
            }
            for _ in 0..<2 {
                let answer = try await visitor.begin()
                #expect(answer.status == .serviceUnavailable && visitor.flow == OpenIDFlow.cookie + "=")
            }
            #expect(provider.calls(of: "/openid-configuration").count == 1)
            provider.change { ($0.issuer, $0.tokenAddress, $0.isAway) = (ScriptedProvider.issuer, ScriptedProvider.issuer + "/token", false) }
            visitor.server.clock.advance(by: .seconds(10))
            #expect(try await visitor.begin().status == .seeOther)
        }
    }

    @Test("comes back to a node whose clock is behind, and a clock that was ahead while the provider was away keeps nobody out")
    func clocks() async throws {
        try await ProviderVisitor.run { visitor, provider in
            let clock = visitor.server.clock
            provider.signsIn("u1", "maya@example.com", groups: ["owners"])
            provider.change { $0.isAway = true }
            clock.moveCalendar(by: .seconds(86_400))
            let away = try await visitor.begin()

            provider.change { $0.isAway = false }
            clock.moveCalendar(by: .seconds(-86_400))
            let begun = try await visitor.begin()
            clock.moveCalendar(by: .seconds(-60))
            let finished = try await visitor.finish()

            #expect([away, begun, finished].map(\.status) == [.serviceUnavailable, .seeOther, .seeOther])
            #expect(finished.headers[.location] == "/console")
        }
    }

    @Test("reads keys again after the clock went back")
    func keysAfterClock() async throws {
        try await ProviderVisitor.run { visitor, provider in
            provider.signsIn("u1", "maya@example.com", groups: ["owners"])
            var statuses: [HTTPResponse.Status] = []
            for (id, seconds) in [("k1", 86_400), ("k2", 0), ("k3", -86_400)] {
                provider.change { ($0.key, $0.keyID) = (P256.Signing.PrivateKey(), id) }
                visitor.server.clock.moveCalendar(by: .seconds(seconds))
                statuses.append(try await visitor.signIn().status)
            }

            #expect(statuses == [.seeOther, .seeOther, .seeOther])
        }
    }

    @Test("knows people by issuer and subject: an address links a member once, and never a second identity")
    func identity() async throws {
        try await ProviderVisitor.run(groups: nil) { visitor, provider in
            try await visitor.server.addMember("maya@example.com", .admin)
            provider.signsIn("u1", "maya@example.com")
            #expect(try await visitor.signIn().status == .seeOther)

            provider.signsIn("u1", "new@example.com")
            #expect(try await visitor.signIn().status == .seeOther)
            #expect(try await visitor.server.members.list(nowMs: visitor.server.services.time.nowMs()).map(\.member.email.text) == ["maya@example.com"])

            provider.signsIn("u2", "maya@example.com")
            let second = try await visitor.signIn()
            #expect(second.status == .forbidden && second.page.contains("<code>taken</code>"))
            provider.signsIn("u3", "omar@example.com")
            let stranger = try await visitor.signIn()
            #expect(stranger.page.contains("<code>not_invited</code>"))

            let nowMs = visitor.server.services.time.nowMs()
            let invitation = Invitation(email: MemberEmail(stored: "omar@example.com"), role: .support, invitedBy: nil, expiresAtMs: nowMs + 1_000)
            let line = AuditLine(action: .invited, member: nil, subject: "o", network: nil)
            _ = try await visitor.server.invitations.invite(invitation, .drawn(), line, nowMs: nowMs)
            #expect(try await visitor.signIn().status == .seeOther)
            #expect(try await visitor.role(of: "omar@example.com") == .support)
            #expect(try await visitor.role() == .admin)
        }
    }

    @Test("confirms who it is only with a sign-in of now; what the provider knew before opens no dangerous page")
    func confirming() async throws {
        try await ProviderVisitor.run { visitor, provider in
            let members = "/console/settings/members", began = visitor.server.services.time.nowMs() / 1000
            provider.signsIn("u1", "maya@example.com", groups: ["owners"], more: ["auth_time": .integer(began - 3_600)])
            _ = try await visitor.signIn()
            #expect(try await visitor.browser.get(members).headers[.location]?.hasPrefix("/console/confirm") == true)
            let page = try await visitor.browser.get("/console/confirm?next=" + members)
            #expect(page.page.contains("/console/confirm/provider?next=") && !page.page.contains("type=\"password\""))

            let before = visitor.browser.cookie
            try await visitor.begin("/console/confirm/provider", next: members)
            #expect(visitor.sent["max_age"] == "0")
            let old = try await visitor.finish()
            #expect(old.page.contains("<code>not_fresh</code>") && visitor.browser.cookie == before)

            provider.signsIn("u1", "maya@example.com", groups: ["owners"], more: ["auth_time": .integer(began)])
            try await visitor.begin("/console/confirm/provider", next: members)
            #expect(try await visitor.finish().headers[.location] == members)
            #expect(visitor.browser.cookie != before)
            #expect(try await visitor.browser.get(members).status == .ok)
            #expect(try await visitor.server.actions().contains("confirmed"))
        }
    }

    @Test("can be the only way in: passwords open nothing, and the operator's link still lets an owner in")
    func passwordsOff() async throws {
        try await ProviderVisitor.run({ $0.allowsPasswords = false }) { visitor, provider in
            let server = visitor.server, nowMs = server.services.time.nowMs()
            try await server.addMember("maya@example.com", .owner)
            let page = try await visitor.browser.get("/console/sign-in")
            #expect(page.page.contains("/console/sign-in/provider") && !page.page.contains("type=\"password\"") && page.page.contains("landfall console invite"))
            #expect(try await visitor.browser.signIn("maya@example.com").status == .forbidden)

            provider.change { $0.isAway = true }
            func link(to email: String, by inviter: String?) async throws -> SessionToken {
                let token = SessionToken.drawn()
                let invitation = Invitation(email: MemberEmail(stored: email), role: .owner, invitedBy: inviter, expiresAtMs: nowMs + 60_000)
                let line = AuditLine(action: .invited, member: inviter, subject: email, network: nil)
                #expect(try await server.invitations.invite(invitation, token, line, nowMs: nowMs))
                return token
            }
            let ofMember = try await link(to: "omar@example.com", by: "maya@example.com").text
            let invited = try await visitor.browser.get("/console/join?token=" + ofMember)
            #expect(invited.page.contains("/console/sign-in/provider") && !invited.page.contains("<form method"))
            #expect(try await visitor.browser.post("/console/join", ["token": ofMember, "name": "Omar"]).status == .forbidden)

            let ofOperator = try await link(to: "maya@example.com", by: nil).text
            #expect(try await visitor.browser.post("/console/join", ["token": ofOperator, "name": "Maya"]).status == .seeOther)
            #expect(try await visitor.browser.get("/console/settings/members").status == .ok)
            #expect(try await visitor.browser.post("/console/confirm", ["password": ConsoleBrowser.password]).status == .unprocessableContent)
            #expect(try await visitor.browser.post("/console/account/password", ["current": ConsoleBrowser.password]).status == .forbidden)
            #expect(try await visitor.browser.get("/console/account").page.contains("name=\"current\"") == false)
        }
    }

    @Test("is not there unless the configuration names a provider")
    func none() async throws {
        try await TestServer.run { server in
            let browser = ConsoleBrowser(server)
            for path in ["/console/sign-in/provider", "/console/sign-in/callback?code=a&state=b"] {
                #expect(try await browser.get(path).status == .notFound)
            }
            let page = try await browser.get("/console/sign-in").page
            #expect(!page.contains("/console/sign-in/provider"))
        }
    }
}

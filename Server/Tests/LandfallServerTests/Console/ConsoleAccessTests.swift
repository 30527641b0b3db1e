// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("Who may do what in the console", .timeLimit(.minutes(2)))
struct ConsoleAccessTests {
    @Test("Every route of the table answers every role as its right says", arguments: Role.allCases)
    func roles(role: Role) async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: role)
            for route in server.services.consoleRoutes where !route.path.hasSuffix("/stream") && route.path != "/console/sign-out" {
                guard let right = route.access.right else { continue }
                let path = route.path.replacing(/\{[a-zA-Z]+\}/, with: "nobody")
                // A member with the right reads what is wrong with the form, or that nothing has this name.
                let form = path.hasSuffix("/invite") || path.hasSuffix("/role") ? ["email": "nobody", "role": "viewer"] : [:]
                let answer = route.method == .get ? try await browser.get(path) : try await browser.post(path, form)

                if role.rights.contains(right) {
                    #expect(answer.status != .forbidden, "\(route.method) \(path)")
                    if route.path.contains("{") { #expect(answer.status == .notFound, "\(route.method) \(path)") }
                } else {
                    #expect(answer.status == .forbidden, "\(route.method) \(path)")
                    #expect(answer.page.contains(Words(.english).role(right.roles[0])))
                }
            }
        }
    }

    @Test("Without a session every route that needs a member leads to the sign-in")
    func signedOut() async throws {
        try await TestServer.run { server in
            for route in server.services.consoleRoutes where route.access.right != nil {
                let browser = ConsoleBrowser(server)
                let path = route.path.replacing(/\{[a-zA-Z]+\}/, with: "nobody")
                let answer = route.method == .get ? try await browser.get(path) : try await browser.post(path, csrf: "x")

                #expect(answer.status == .seeOther, "\(path)")
                #expect(answer.headers[.location]?.hasPrefix("/console/sign-in") == true)
            }
        }
    }

    @Test(
        "A form without its proof, with another session's, or from elsewhere changes nothing",
        arguments: [
            (nil, [.secFetchSite: "same-origin"]), ("0123", [.secFetchSite: "same-origin"]), ("own", [.secFetchSite: "cross-site"]),
            ("own", [.secFetchSite: "same-site"]), ("own", [.secFetchSite: "none"]), ("own", [:]), ("own", [.origin: "null"]),
            ("own", [.origin: "https://evil.example"]),
        ] as [(String?, HTTPFields)])
    func forged(proof: String?, fields: HTTPFields) async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let answer = try await browser.post("/console/sign-out", csrf: proof == "own" ? nil : proof ?? "", fields)

            #expect(answer.status == .forbidden)
            #expect(try await browser.get("/console/account").status == .ok)
        }
    }

    @Test("Every form of the table without its proof, or from elsewhere, is refused by the same page")
    func everyForm() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner), stranger = try await ConsoleBrowser.signedIn(server, as: .owner, "o@example.com")
            for route in server.services.consoleRoutes where route.method == .post {
                let path = route.path.replacing(/\{[a-zA-Z]+\}/, with: "nobody")
                var answers = [try await browser.post(path, csrf: nil, [.secFetchSite: "cross-site"])]
                if route.access.right != nil {
                    for proof in ["", stranger.formToken ?? ""] { answers.append(try await browser.post(path, csrf: proof)) }
                }
                for answer in answers {
                    #expect(answer.status == .forbidden, "\(path)")
                    #expect(answer.page.contains("The form could not be checked"), "\(path)")
                }
            }
            #expect(try await browser.get("/console/account").status == .ok)
        }
    }

    @Test("A form that is too large or cannot be read has its own page, not the page of a forged form")
    func unusable() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let large = try await browser.post("/console/account/shortcuts", ["x": String(repeating: "a", count: ConsoleCall.formLimit)])
            #expect(large.status == .contentTooLarge)
            #expect(large.page.contains("The form is too large") && large.page.contains("256 KiB"))

            let fields = Dictionary(uniqueKeysWithValues: (0..<ConsoleCall.mostFields).map { ("f\($0)", "") })
            let many = try await browser.post("/console/account/shortcuts", fields)
            #expect(many.status == .contentTooLarge)
            #expect(many.page.contains("The form is too large") && many.page.contains("It may have \(ConsoleCall.mostFields) fields"))

            // Commas and line ends are three bytes each on their way.
            let row = "https://example.com/summer,,Summer,\n"
            let rows = String(repeating: row, count: 400_000 / row.utf8.count)
            let imported = try await browser.post("/console/links/import", ["text": rows, "format": "csv"])
            #expect(![.contentTooLarge, .badRequest].contains(imported.status))
        }
    }

    @Test("The page of a refused form exists in every language")
    func languages() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            var refused = 0
            for route in server.services.consoleRoutes where route.method == .post && route.path != "/console/sign-out" {
                let answer = try await browser.post(route.path.replacing(/\{[a-zA-Z]+\}/, with: "nobody"))
                guard answer.status == .unprocessableContent else { continue }
                refused += 1
                let link = try #require(answer.page.firstMatch(of: /href="(\/console\/language\/ja[^"]*)"/)).1
                let next = try #require(try await browser.get(String(link).replacing("&amp;", with: "&")).headers[.location])
                #expect(try await browser.get(next).status == .ok, "\(route.path) leads to \(next)")
                _ = try await browser.get("/console/language/en")
            }
            #expect(refused > 4)
        }
    }

    @Test("An unknown address is answered with a page", arguments: ["/console/nowhere", "/console/links/a/b/c"])
    func nowhere(path: String) async throws {
        try await TestServer.run { server in
            let answer = try await ConsoleBrowser(server).get(path + "?x", [.acceptLanguage: "ja"])

            #expect(answer.status == .notFound)
            #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true)
            #expect(answer.page.contains(#"lang="ja""#))
            #expect(answer.headers[.landfallVersion] == LandfallVersion.current && answer.headers[.landfallRequestID] != nil)
        }
    }

    @Test("A slash at the end is the same address: without a session it leads to the sign-in")
    func slash() async throws {
        try await TestServer.run { server in
            let answer = try await ConsoleBrowser(server).get("/console/?x")

            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location]?.hasPrefix("/console/sign-in") == true)
        }
    }

    @Test("A brand domain has no console")
    func brand() async throws {
        try await TestServer.runBrand { server in
            for route in server.services.consoleRoutes {
                let path = route.path.replacing("{", with: "").replacing("}", with: "")
                let browser = Browser(address: "127.0.0.1", method: route.method, headers: [.secFetchSite: "same-origin"])
                let answer = try await browser.send(path, host: "go.example.com", to: server)

                // A link takes no forms.
                #expect(answer.status == (route.method == .get ? 404 : 405), "\(route.method) \(path)")
                #expect(answer.headers[.setCookie] == nil && answer.headers[.location] == nil)
                #expect(!answer.body.contains("/console/assets"))
            }
            #expect(try await Browser(address: "127.0.0.1").send("/console/sign-in", host: "localhost", to: server).status == 200)
        }
    }

    @Test("A page has the strict policy, is kept nowhere, and escapes what strangers wrote")
    func page() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            server.services.console.live.add(.tap, atMs: 1, "<script>alert(1)</script>\"'&", [.init(.link, "<img src=x>")])

            let answer = try await browser.get("/console/live")

            #expect(answer.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
            #expect(answer.headers[.referrerPolicy] == "same-origin")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(!answer.page.contains("<script>alert") && !answer.page.contains("<img"))
            #expect(answer.page.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test("After 15 minutes dangerous pages ask for the password, and the session goes on under a fresh token")
    func proven() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let open = try #require(try await browser.get("/console/account").formToken)
            server.clock.advance(by: .seconds(15 * 60))

            #expect(try await browser.get("/console/settings/members").headers[.location]?.hasPrefix("/console/confirm") == true)
            let before = browser.cookie
            #expect(try await browser.post("/console/confirm", ["password": "wrong", "next": "/console"]).status == .unprocessableContent)
            let right = try await browser.post("/console/confirm", ["password": ConsoleBrowser.password, "next": "/console/settings/members"])

            #expect(right.headers[.location] == "/console/settings/members")
            #expect(browser.cookie != before)
            #expect(try await browser.get("/console/settings/members").status == .ok)
            // A form that was open before, in this window or another, is still good.
            #expect(try await browser.get("/console/account").formToken == open)
            let form = ["email": "omar@example.com", "role": "viewer"]
            #expect(try await browser.post("/console/settings/members/invite", form, csrf: open).status == .ok)
            // A copy of the old cookie is not.
            let thief = ConsoleBrowser(server)
            thief.cookie = before
            #expect(try await thief.get("/console/account").status == .seeOther)
        }
    }

    @Test("A password that is confirmed twice at the same time signs nobody out: each answer has a session that is good")
    func provenTwice() async throws {
        let meeting = Meeting()
        let passwords = PasswordHasher(cost: .quick) { password, salt, cost in
            meeting.arrive()
            return try PasswordHash.scrypt(password, salt, cost)
        }
        try await TestServer.run(passwords: passwords) { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            server.clock.advance(by: .seconds(15 * 60))
            let headers: HTTPFields = [.cookie: "__Host-landfall=" + (browser.cookie ?? ""), .secFetchSite: "same-origin"]
            let before = try #require(browser.formToken)
            let form = "csrf=\(before)&password=" + ConsoleBrowser.password.replacing(" ", with: "+")
            meeting.expectTwo()

            let cookies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let answer = try await server.client.execute(
                            uri: "/console/confirm", method: .post, headers: headers, body: ByteBuffer(string: form))
                        #expect(answer.headers[.location] == "/console")
                        let cookie = answer.headers[.setCookie] ?? ""
                        return String(cookie.dropFirst("__Host-landfall=".count).prefix { $0 != ";" })
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(Set(cookies).count == 2)
            for cookie in cookies {
                browser.cookie = cookie
                #expect(try await browser.get("/console/settings/members").status == .ok)
                #expect(try await browser.post("/console/account/shortcuts", csrf: before).status == .seeOther)
            }
            #expect(try await server.actions() == ["confirmed", "confirmed", "signed_in"])
        }
    }

    @Test("A new sign-in has new forms")
    func signedInAgain() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let before = try #require(try await browser.get("/console/account").formToken)
            _ = try await browser.signIn("maya@example.com")

            #expect(try await browser.get("/console/account").formToken != before)
            #expect(try await browser.post("/console/account/shortcuts", csrf: before).status == .forbidden)
        }
    }
}

/// Lets two threads go on only together, once they are expected.
private final class Meeting: @unchecked Sendable {  // `condition` guards both values.
    private let condition = NSCondition()
    private var isExpected = false
    private var arrived = 0

    func expectTwo() { condition.withLock { isExpected = true } }

    func arrive() {
        condition.lock()
        defer { condition.unlock() }
        guard isExpected else { return }
        arrived += 1
        condition.broadcast()
        let latest = Date(timeIntervalSinceNow: 30)
        while arrived < 2, condition.wait(until: latest) {}
    }
}

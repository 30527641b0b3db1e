// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The link that was tapped before the app was installed", .timeLimit(.minutes(1)))
struct DeferredLinkRouteTests {
    private static let beach = DeferredLink(
        original: "https://brandname.go.link/beach", resolved: "https://brandname.go.link/summer-clothes?promo=beach",
        matchedBy: .pasteboard, ageMilliseconds: 60_000
    )

    @Test("An install gets the link of its token, and the same again with it, without it and with another token")
    func taken() async throws {
        try await TestServer.run { server in
            try await server.handOver(t1, minutesAgo: 1)
            try await server.handOver(t2, minutesAgo: 1)

            for body in [#"{"token":"\#(t1)"}"#, #"{"token":"\#(t1)"}"#, "{}", #"{"token":"\#(t2)"}"#] {
                #expect(try await server.claim(body) == .link(Self.beach))
            }
        }
    }

    @Test("One install takes a link: another gets none")
    func once() async throws {
        try await TestServer.run { server in
            try await server.handOver(t1, minutesAgo: 1)
            _ = try await server.claim(#"{"token":"\#(t1)"}"#)

            #expect(try await server.claim(#"{"token":"\#(t1)"}"#, phone: Phone(2)) == .none)
            #expect(try await server.claim("{}", phone: Phone(2)) == .none)
        }
    }

    @Test("Of many installs that send the same token at once, one gets the link")
    func race() async throws {
        try await TestServer.run { server in
            try await server.handOver(t1, minutesAgo: 1)

            let answers = try await withThrowingTaskGroup(of: DeferredLinkAnswer.self) { group in
                for number in 1...20 {
                    group.addTask { try await server.claim(#"{"token":"\#(t1)"}"#, phone: Phone(number)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.filter { $0 == .link(Self.beach) }.count == 1)
            #expect(answers.filter { $0 == .none }.count == 19)
        }
    }

    @Test("One tap opens for one install, by its code or by the pasteboard", arguments: [true, false])
    func oneTap(codeFirst: Bool) async throws {
        try await TestServer.runBrand { server in
            let tap = try await server.tapOfBoth()
            let (first, second) = codeFirst ? (tap.code, tap.copied) : (tap.copied, tap.code)

            guard case .link = try await server.claim(#"{"token":"\#(first)"}"#) else { throw Missing() }

            #expect(try await server.claim(#"{"token":"\#(second)"}"#, phone: Phone(2)) == .none)
            #expect(try await server.firstOpen(#"{"deferred":{"token":"\#(second)"}}"#, phone: Phone(3)).deferred == DeferredLinkAnswer.none)
            // For the install that has it, the other token is its own too.
            guard case .link = try await server.claim(#"{"token":"\#(second)"}"#) else { throw Missing() }
            // Another tap of the same link is another one.
            let other = try await server.tapOfBoth()
            guard case .link = try await server.claim(#"{"token":"\#(other.code)"}"#, phone: Phone(2)) else { throw Missing() }
        }
    }

    @Test("Of many installs that send code and pasteboard of one tap at once, one gets the link")
    func bothAtOnce() async throws {
        try await TestServer.runBrand { server in
            let tap = try await server.tapOfBoth()

            let answers = try await withThrowingTaskGroup(of: DeferredLinkAnswer.self) { group in
                for number in 1...20 {
                    let token = number.isMultiple(of: 2) ? tap.code : tap.copied
                    group.addTask { try await server.claim(#"{"token":"\#(token)"}"#, phone: Phone(number)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.count { $0 == .none } == 19)
        }
    }

    @Test("A link waits until it expires, to the millisecond; once taken it stays")
    func expiry() async throws {
        try await TestServer.run { server in
            for token in [t1, t2] { try await server.handOver(token, minutesAgo: 0, expiresInMs: 60_000) }
            server.clock.advance(by: .milliseconds(59_999))
            guard case .link = try await server.claim(#"{"token":"\#(t1)"}"#) else { throw Missing() }
            server.clock.advance(by: .milliseconds(1))

            #expect(try await server.claim(#"{"token":"\#(t2)"}"#, phone: Phone(2)) == .none)
            guard case .link = try await server.claim(#"{"token":"\#(t1)"}"#) else { throw Missing() }
        }
    }

    @Test("A page's code opens for an hour and its text for the pasteboard for a week, to the millisecond", arguments: [true, false])
    func lives(isCode: Bool) async throws {
        try await TestServer.runBrand { server in
            let first = try await server.tapOfBoth(), second = try await server.tapOfBoth()
            let lifeMs: Int64 = isCode ? 3_600_000 : 7 * 86_400_000
            server.clock.advance(by: .milliseconds(lifeMs - 1))
            guard case .link = try await server.claim(#"{"token":"\#(isCode ? first.code : first.copied)"}"#) else { throw Missing() }

            server.clock.advance(by: .milliseconds(1))

            #expect(try await server.claim(#"{"token":"\#(isCode ? second.code : second.copied)"}"#, phone: Phone(2)) == .none)
        }
    }

    @Test("The token itself is not in the store")
    func hashed() async throws {
        try await TestServer.run { server in
            let secret = token("secret")
            try await server.handOver(secret, minutesAgo: 1)
            _ = try await server.claim(#"{"token":"\#(secret)"}"#)

            let rows = try await server.services.database.read { try $0.rows("SELECT * FROM deferred_link") }
            #expect(!"\(rows)".contains(secret))
        }
    }

    @Test("The answers 'none' and 'the same link again' do not wait for the disk", .embedded("commits are counted"))
    func readOnly() async throws {
        let store = try await TestStore()
        try await store.handOver(t1, in: TestStore.app, nowMs: TestStore.noon)
        func claim(_ token: String) async throws -> DeferredLinkAnswer {
            let claim = DeferredClaim(DeferredLinkRequest(token: token), windows: AttributionWindows(), place: nil)
            return try await store.installs.claim(TestStore.app, .mayasPhone, claim, nowMs: TestStore.noon)
        }
        try await store.open(.mayasPhone)
        let before = store.commitCount

        #expect(try await claim(token("wrong")) == .none)
        #expect(store.commitCount == before)
        guard case .link = try await claim(t1), case .link = try await claim(t1) else { throw Missing() }
        #expect(store.commitCount == before + 1)
    }

    @Test("Its click acquired the install")
    func attributes() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            try await server.handOver(t1, minutesAgo: 30)
            _ = try await server.claim(#"{"token":"\#(t1)"}"#)

            let answer: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()

            guard case .attributed(let details) = answer.attribution else { throw Missing() }
            #expect(details.source == .link)
            #expect(details.campaign == "summer")
        }
    }

    @Test("Ten wrong tokens within an hour are the limit, for that install only and for an hour")
    func tooMany() async throws {
        try await TestServer.run { server in
            let right = token("right")
            try await server.handOver(right, minutesAgo: 1)
            for number in 0..<WrongTokens.most {
                #expect(try await server.claim(#"{"token":"\#(token("wrong\(number + 1)"))"}"#) == .none)
                server.clock.advance(by: .seconds(1))
            }

            let refused = try await server.send(.post, WirePath.deferredLink, #"{"token":"\#(right)"}"#)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.problem?.code == .rateLimited)
            #expect(refused.headers[.retryAfter] == "3590")
            // A first open is still answered, without looking up the token.
            let lines = try await server.firstOpen(#"{"deferred":{"token":"\#(right)"},"placements":[{"id":"offer"}]}"#)
            #expect(lines.deferred == DeferredLinkAnswer.none)
            #expect(lines.paywalls.count == 1)
            #expect(try await server.claim("{}") == .none)
            #expect(try await server.claim(#"{"token":"\#(token("wrong"))"}"#, phone: Phone(2)) == .none)

            server.clock.advance(by: .seconds(3590))
            guard case .link = try await server.claim(#"{"token":"\#(right)"}"#) else { throw Missing() }
        }
    }

    @Test(
        "The whole link from the pasteboard is accepted, and a code in any typed form, in a first open too",
        arguments: [
            ("ABCD2345EFGH", "abcd-2345-efgh"), ("ABCD2345EFGH", "ABCD 2345 EFGH"), ("ABCD2345EFGH", " abcd2345efgh "),
            ("ABCD2345EFGH", "ＡＢＣＤ－２３４５　ＥＦＧＨ"), (t1, "https://brandname.go.link/beach?lf_token=\(t1)"),
            (t1, "\(t1.prefix(11)) \(t1.dropFirst(11))"),
        ], [true, false])
    func presented(shown: (token: String, as: String), inFirstOpen: Bool) async throws {
        try await TestServer.run { server in
            try await server.handOver(shown.token, minutesAgo: 1)
            let asked = #"{"token":"\#(shown.as)"}"#

            let answer =
                try await inFirstOpen
                ? server.firstOpen(#"{"deferred":\#(asked)}"#).deferred : server.claim(asked)

            #expect(answer == .link(Self.beach))
        }
    }

    @Test("A text that cannot be a token is refused", arguments: ["", " - ", "é", String(repeating: "x", count: 513)])
    func invalid(token: String) async throws {
        try await TestServer.run { server in
            let response = try await server.send(.post, WirePath.deferredLink, #"{"token":"\#(token)"}"#)

            #expect(response.status == .badRequest)
            #expect(response.problem?.code == .invalidValue)
        }
    }

    @Test("Searching for an install's link uses the index, and so does taking one", .sqlitePlans)
    func plan() async throws {
        let store = try await TestStore()
        let texts = [
            DeferredClaim.text,
            "UPDATE deferred_link SET taken_by_install = 'i' WHERE app_id = $1 AND token_hash = $2 AND taken_by_install IS NULL",
            FoundLink.tokensText,
        ]
        for text in texts {
            let plan = try await store.database.read { connection in
                try connection.rows(
                    "EXPLAIN QUERY PLAN " + text,
                    [.text("a"), .text("b")] + (text == DeferredClaim.text ? [.text("c"), .integer(1)] : [])
                ).map { try $0.text("detail") }.filter { !$0.contains("COMPOUND") && !$0.contains("UNION") && !$0.contains("LEFT-MOST") }
            }

            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH deferred_link USING INDEX") }, "\(plan)")
        }
    }

    struct Missing: Error {}
}

/// 22 characters of base58, as pages make them.
private func token(_ name: String) -> String {
    String(name.replacing("0", with: "z").replacing("l", with: "L").prefix(22))
        + String(repeating: "z", count: max(0, 22 - name.count))
}
private let t1 = token("t1")
private let t2 = token("t2")

extension TestServer {
    func claim(_ body: String, phone: Phone = Phone()) async throws -> DeferredLinkAnswer {
        try await send(.post, WirePath.deferredLink, body, phone: phone).decoded()
    }

    /// Taps a link whose page hands over both a code and a text for the pasteboard.
    fileprivate func tapOfBoth() async throws -> (code: String, copied: String) {
        var newLink = NewLink(to: "https://example.com/offers")
        (newLink.suffix, newLink.pasteboard, newLink.code) = ("both", true, true)
        _ = try await LinkCreation(links: services.links, snapshot: services.snapshot).make([newLink], nowMs: services.time.nowMs())
        let page = try await Browser.onPhone.open("https://go.example.com/both", in: self)
        let code = try #require(page.body.firstMatch(of: /class="code"[^>]*>([^<]+)</)?.output.1)
        return (String(code), try #require(page.copied))
    }

    /// Stores what a page of the link `/beach` stores when it writes this token to the pasteboard.
    func handOver(_ token: String, minutesAgo: Int64, expiresInMs: Int64 = 86_400_000) async throws {
        let nowMs = services.time.nowMs()
        try await services.database.handOver(
            token, in: AppID("example"), clickedAtMs: nowMs - minutesAgo * 60_000, expiresAtMs: nowMs + expiresInMs)
    }
}

extension TestStore {
    func handOver(_ token: String, in app: AppID, nowMs: Int64) async throws {
        try await database.handOver(token, in: app, clickedAtMs: nowMs, expiresAtMs: nowMs + 1)
    }
}

extension Database {
    fileprivate func handOver(_ token: String, in app: AppID, clickedAtMs: Int64, expiresAtMs: Int64) async throws {
        let hash = Array(SHA256.hash(data: Data(token.utf8)))
        let clickID = UUIDv7.make(nowMs: clickedAtMs)
        _ = try await write { connection in
            try connection.run(
                """
                INSERT INTO deferred_link (app_id, token_hash, kind, click_id, original, resolved, campaign, link_host,
                  link_path, created_at_ms, expires_at_ms)
                VALUES ($1, $2, 'pasteboard', $3, 'https://brandname.go.link/beach',
                  'https://brandname.go.link/summer-clothes?promo=beach', 'summer', 'brandname.go.link', '/beach', $4, $5)
                """,
                [
                    .text(app.rawValue), .blob(hash), .text(clickID), .integer(clickedAtMs),
                    .integer(expiresAtMs),
                ]
            )
        }
    }
}

extension [FirstOpenLine] {
    var deferred: DeferredLinkAnswer? { lazy.compactMap { if case .deferred(let answer) = $0 { answer } else { nil } }.first }
    var paywalls: [PaywallAnswer] { compactMap { if case .paywall(let answer) = $0 { answer } else { nil } } }
    var attributions: [Attribution] { compactMap { if case .attribution(let value) = $0 { value } else { nil } } }
}

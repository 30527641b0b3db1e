// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

@testable import LandfallSimulator

@Suite("The simulated Platform API of Apple Ads", .timeLimit(.minutes(1)))
struct AppleAdsPlatformTests {
    /// A platform at an instant that a test moves, and who asks it.
    private struct Caller {
        let platform: AppleAdsPlatform
        let moment: Moment
        let client: any TestClientProtocol

        func token(_ secret: String? = nil) async throws -> (status: Int, body: String) {
            let form = "grant_type=client_credentials&scope=searchadsorg&client_id=\(AppleAdsPlatform.clientID)&client_secret=\(try secret ?? self.secret())"
            return try await client.execute(uri: "/auth/oauth2/token", method: .post, body: ByteBuffer(string: form)) {
                (Int($0.status.code), String(buffer: $0.body))
            }
        }

        /// - Parameter key: nil for the user's own.
        func secret(_ key: P256.Signing.PrivateKey? = nil, id: String = AppleAdsPlatform.keyID) throws -> String {
            let seconds = moment.nowMs / 1_000
            let header = Data("{\"alg\":\"ES256\",\"kid\":\"\(id)\"}".utf8).base64URL
            let claims = "{\"iss\":\"\(AppleAdsPlatform.teamID)\",\"sub\":\"\(AppleAdsPlatform.clientID)\",\"aud\":\"https://appleid.apple.com\",\"iat\":\(seconds),\"exp\":\(seconds + 300)}"
            let content = header + "." + Data(claims.utf8).base64URL
            let key = try key ?? P256.Signing.PrivateKey(pemRepresentation: platform.keyText)
            return try content + "." + key.signature(for: Data(content.utf8)).rawRepresentation.base64URL
        }

        @discardableResult
        func ask(
            _ path: String, _ body: String? = nil, token: String = "sim-token-1-1", account: String = "adAccountId=123456789",
            _ check: @escaping (TestResponse) throws -> Void = { _ in }
        ) async throws -> String {
            try await client.execute(
                uri: path, method: body == nil ? .get : .post,
                headers: [.authorization: "Bearer \(token)", .init("X-AP-Context")!: account], body: body.map { ByteBuffer(string: $0) }
            ) { answer in
                try check(answer)
                return String(buffer: answer.body)
            }
        }

        func report(_ campaign: Int64, _ days: ClosedRange<Int>) async throws -> String {
            try await ask(
                "/v1/reports/apps/campaigns/query",
                """
                {"filters":[{"field":"campaignId","operator":"EQUALS","value":["\(campaign)"]}],"groupBy":["countryOrRegion"],
                 "timeRange":{"start":"\(PlatformQuery.text(ofDay: days.lowerBound))","end":"\(PlatformQuery.text(ofDay: days.upperBound))","timeZone":"UTC","granularity":"DAILY"}}
                """)
        }
    }

    private final class Moment: Sendable {
        private let now = Mutex<Int64>(1_790_000_000_000)
        var nowMs: Int64 { now.withLock(\.self) }
        var today: Int { Int(nowMs / 86_400_000) }
        func advance(seconds: Int64) { now.withLock { $0 += seconds * 1_000 } }
    }

    private func asking(_ behaviour: AppleAdsPlatform.Behaviour = .init(), _ body: @escaping @Sendable (Caller) async throws -> Void) async throws {
        let moment = Moment()
        let platform = AppleAdsPlatform(seed: 1, behaviour: behaviour, clock: { moment.nowMs })
        try await AppleAdsSimulator(platform: platform).application().test(.router) { client in
            try await body(Caller(platform: platform, moment: moment, client: client))
        }
    }

    @Test("gives a token for a secret that the user's key has signed, and for no other")
    func tokens() async throws {
        try await asking { caller in
            #expect(try await caller.token().status == 200)
            let other = P256.Signing.PrivateKey()
            let refused = try await caller.token(caller.secret(other))
            #expect(refused.status == 400)
            #expect(refused.body == #"{"error":"invalid_client"}"#)
            #expect(try await caller.token(caller.secret(id: "other")).status == 400)
            let old = try caller.secret()
            caller.moment.advance(seconds: 300)
            #expect(try await caller.token(old).status == 400)

            caller.platform.change { $0.isRevoked = true }
            #expect(try await caller.token().status == 400)
        }
    }

    @Test("answers 401 when a token is over, and without one")
    func expired() async throws {
        try await asking { caller in
            _ = try await caller.token()
            try await caller.ask("/v1/acls") { #expect($0.status == .ok) }
            try await caller.ask("/v1/acls", token: "other") { #expect($0.status == .unauthorized) }

            caller.moment.advance(seconds: 3_600)
            try await caller.ask("/v1/acls") { #expect($0.status == .unauthorized) }
        }
    }

    @Test("says in each answer what is left of the quota, and when it has passed how long to wait")
    func quota() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.quota = 2
        try await asking(behaviour) { caller in
            _ = try await caller.token()
            for left in ["1", "0"] {
                try await caller.ask("/v1/acls") { answer in
                    #expect(answer.status == .ok)
                    #expect(answer.headers[.init("RateLimit-Limit")!] == "2")
                    #expect(answer.headers[.init("RateLimit-Remaining")!] == left)
                }
            }
            caller.moment.advance(seconds: 20)
            try await caller.ask("/v1/acls") { answer in
                #expect(answer.status == .tooManyRequests)
                #expect(answer.headers[.retryAfter] == "40")
                #expect(String(buffer: answer.body).contains("rate_limit_exceeded"))
            }
            caller.moment.advance(seconds: 40)
            try await caller.ask("/v1/acls") { #expect($0.status == .ok) }
        }
    }

    @Test("hides what is deleted unless a filter asks for it")
    func deleted() async throws {
        try await asking { caller in
            _ = try await caller.token()
            let all = try await caller.ask("/v1/campaigns/query", #"{"pagination":{"pageSize":100,"fetchTotalCount":true}}"#)
            #expect(all.contains(#""totalCount":4"#) && !all.contains("Autumn"))
            let deleted = try await caller.ask("/v1/campaigns/query", #"{"filters":[{"field":"deleted","operator":"EQUALS","value":["true"]}]}"#)
            #expect(deleted.contains("Autumn") && !deleted.contains("Brand"))
        }
    }

    @Test("gives lists by pages, in the order of the ids")
    func pages() async throws {
        try await asking { caller in
            _ = try await caller.token()
            var names: [String] = []
            for offset in 0..<4 {
                let page = try await caller.ask("/v1/campaigns/query", "{\"pagination\":{\"offset\":\(offset),\"pageSize\":1}}")
                names += ["Brand", "Competitors", "Category", "Discovery"].filter { page.contains("\"\($0)\"") }
            }
            #expect(names == ["Brand", "Competitors", "Category", "Discovery"])
        }
    }

    @Test(
        "refuses what Apple refuses",
        arguments: [
            ("/v1/keywords/query", "{}"), ("/v1/campaigns/query", #"{"pagination":{"pageSize":1001}}"#), ("/v1/campaigns/query", "no JSON"),
            ("/v1/reports/apps/campaigns/query", #"{"groupBy":["countryOrRegion"]}"#),
        ])
    func refused(path: String, body: String) async throws {
        try await asking { caller in
            _ = try await caller.token()
            try await caller.ask(path, body) { #expect($0.status == .badRequest) }
        }
    }

    @Test("reports the same days for the same seed, the newest of them growing for three days")
    func restated() async throws {
        try await asking { caller in
            _ = try await caller.token()
            let campaign: Int64 = 542_370_539, days = caller.moment.today - 5...caller.moment.today
            let first = try await caller.report(campaign, days)
            #expect(try await caller.report(campaign, days) == first)
            let before = days.map { caller.platform.milliunits(on: $0...$0) }

            caller.moment.advance(seconds: 3 * 86_400)
            let after = days.map { caller.platform.milliunits(on: $0...$0) }

            #expect(before.prefix(3) == after.prefix(3))
            #expect(zip(before, after).suffix(3).allSatisfy { $0 < $1 })
            #expect(first.contains(#""currency":"USD""#))
        }
    }

    @Test("refuses days that are older than ninety, and one single day")
    func days() async throws {
        try await asking { caller in
            _ = try await caller.token()
            let today = caller.moment.today
            #expect(try await caller.report(1, today - 90...today).contains("VALIDATION_ERROR"))
            #expect(try await caller.report(1, today...today).contains("VALIDATION_ERROR"))
            #expect(try await !caller.report(542_370_539, today - 89...today).contains("VALIDATION_ERROR"))
        }
    }

    @Test("answers 403 for another ad account, and for a user without the role")
    func forbidden() async throws {
        try await asking { caller in
            _ = try await caller.token()
            try await caller.ask("/v1/campaigns/query", "{}", account: "adAccountId=1") { #expect($0.status == .forbidden) }

            caller.platform.change { $0.lacksRole = true }
            try await caller.ask("/v1/campaigns/query", "{}") { #expect($0.status == .forbidden) }
            try await caller.ask("/v1/acls") { #expect($0.status == .ok) }
        }
    }

    @Test("fails in the same places for the same seed")
    func failures() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.failures = 0.5
        let runs = try await [run(behaviour), run(behaviour)]

        #expect(runs[0] == runs[1])
        #expect(Set(runs[0]) == [200, 500])
    }

    private func run(_ behaviour: AppleAdsPlatform.Behaviour) async throws -> [Int] {
        let kept = Statuses()
        try await asking(behaviour) { caller in
            _ = try await caller.token()
            for _ in 0..<20 { try await caller.ask("/v1/acls") { answer in kept.add(Int(answer.status.code)) } }
        }
        return kept.all
    }

    private final class Statuses: Sendable {
        private let list = Mutex<[Int]>([])
        var all: [Int] { list.withLock(\.self) }
        func add(_ status: Int) { list.withLock { $0.append(status) } }
    }
}

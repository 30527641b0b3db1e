// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallSimulator

@Suite("Where Apple Ads refuses, waits or fails", .timeLimit(.minutes(2)))
struct AppleAdsTroubleTests {
    /// How many requests a whole first read takes.
    private func requestsOfOneRead() async throws -> Int {
        let counted = Requests()
        try await AdsBench.run { bench in
            try await bench.work.look()
            await counted.set(bench.platform.asked.count)
        }
        return await counted.count
    }

    private actor Requests {
        var count = 0
        func set(_ count: Int) { self.count = count }
    }

    @Test("A small quota is never exceeded: the server waits for the next window before Apple refuses")
    func quota() async throws {
        let whole = try await requestsOfOneRead()
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.quota = 10
        try await AdsBench.run(behaviour: behaviour) { bench in
            try await bench.work.look()

            // A request that was refused would have been sent again. Tokens are not the API's, and some more are needed in the longer time.
            let tokens = bench.requests("/auth/oauth2/token")
            #expect(bench.platform.asked.count - tokens == whole - 1)
            #expect(bench.time.waits.count >= (whole - 1) / 10)
            #expect(bench.time.waits.allSatisfy { $0 == .seconds(60) })
            #expect(try await bench.reading()?.trouble == nil)
        }
    }

    @Test("After 429 the server waits as long as Retry-After says")
    func retryAfter() async throws {
        try await AdsBench.run { bench in
            // Another program has used up the quota.
            for _ in 0..<600 { _ = bench.platform.count("/other") }
            bench.time.advance(.seconds(13))

            try await bench.work.look()

            #expect(bench.time.waits.first == .seconds(47))
            #expect(bench.requests("/v1/acls") == 2)
            #expect(try await bench.reading()?.trouble == nil)
        }
    }

    @Test("A token is renewed a minute before its end, so that none is refused")
    func renewal() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        (behaviour.quota, behaviour.tokenSeconds) = (10, 100)
        try await AdsBench.run(behaviour: behaviour) { bench in
            try await bench.work.look()

            // A window of the quota is a minute, so each token is over after one.
            #expect(bench.time.waits.count >= 2)
            #expect(bench.requests("/auth/oauth2/token") == bench.time.waits.count + 1)
            #expect(bench.requests("/v1/acls") == 1)
            #expect(try await bench.reading()?.trouble == nil)
        }
    }

    @Test("A token that ends in the middle is replaced, and the read goes on where it was")
    func unauthorized() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.quota = 20
        try await AdsBench.run(behaviour: behaviour) { bench in
            bench.time.atNextWait { [platform = bench.platform] in platform.endTokens() }

            try await bench.work.look()

            // The one at the end of the window, and the one that is needed instead.
            #expect(bench.requests("/auth/oauth2/token") == 2)
            #expect(bench.requests("/v1/acls") == 1)
            #expect(try await bench.reading()?.trouble == nil)
            #expect(try await bench.milliunits(.campaign, on: 0...100_000) == bench.platform.milliunits(on: bench.today - 89...bench.today))
        }
    }

    @Test("A revoked key is told from ids that never fitted, is logged once, and deletes nothing")
    func revoked() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            let readAtMs = try await bench.reading()?.readAtMs
            bench.platform.change { $0.isRevoked = true }
            for _ in 0..<3 {
                bench.time.advance(.seconds(3_600))
                try await bench.work.look()
            }

            let reading = try #require(try await bench.reading())
            #expect(reading.trouble?.kind == .invalidClient)
            #expect(reading.failures == 3)
            #expect(reading.readAtMs == readAtMs)
            #expect(reading.failingSinceMs == bench.time.nowMs - 2 * 3_600_000)
            #expect(bench.log.levels == [.warning])
            #expect(bench.count("landfall_apple_ads_reports_failing") == 1)
            #expect(try await bench.name(.campaign, AdsBench.campaign) == "Brand")

            bench.platform.change { $0.isRevoked = false }
            bench.time.advance(.seconds(3_600))
            try await bench.work.look()
            #expect(bench.log.levels == [.warning, .notice])
            #expect(bench.count("landfall_apple_ads_reports_failing") == 0)
        }
    }

    @Test("A key whose id is another one never gets a token")
    func otherKey() async throws {
        try await AdsBench.run(access: { AdsBench.access($0, keyID: "other") }) { bench in
            try await bench.work.look()

            let reading = try #require(try await bench.reading())
            #expect(reading.trouble == AppleAdsTrouble(.invalidClient, "Apple gives no token: 400 invalid_client."))
            #expect(reading.readAtMs == nil)
            // No pause makes it right.
            #expect(bench.requests("/auth/oauth2/token") == 1)
            #expect(reading.nextAtMs == bench.time.nowMs + 600_000)
        }
    }

    @Test("A missing role is the ad account's trouble, with Apple's words")
    func role() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.lacksRole = true
        try await AdsBench.run(behaviour: behaviour) { bench in
            try await bench.work.look()

            let trouble = AppleAdsTrouble(
                .roleMissing, "Apple says 403 FORBIDDEN (The user's role does not allow this.) for /campaigns/query of the ad account 123456789.")
            #expect(try await bench.reading()?.trouble == trouble)
            let store = AppleAdsReportStore(bench.store.database, app: bench.app)
            #expect(try await store.accounts().map(\.trouble) == [trouble])

            bench.platform.change { $0.lacksRole = false }
            bench.time.advance(.seconds(600))
            try await bench.work.look()
            #expect(try await bench.reading()?.trouble == nil)
            #expect(try await store.accounts().map(\.trouble) == [nil])
        }
    }

    @Test("Ad accounts of the file that Apple does not list are named with those that it lists")
    func accounts() async throws {
        try await AdsBench.run(access: { AdsBench.access($0, accounts: [77]) }) { bench in
            try await bench.work.look()

            #expect(
                try await bench.reading()?.trouble
                    == AppleAdsTrouble(.noAccount, "The user of the API may read none of the file's ad accounts, but 123456789."))
        }
    }

    @Test("Answers of 500 are asked again with doubled pauses of at most 16 seconds, and nothing is lost")
    func failures() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.failures = 0.3
        try await AdsBench.run(behaviour: behaviour) { bench in
            try await bench.work.look()

            let pauses: Set<Duration> = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16)]
            #expect(!bench.time.waits.isEmpty)
            #expect(bench.time.waits.allSatisfy(pauses.contains))
            #expect(try await bench.reading()?.trouble == nil)
            #expect(try await bench.milliunits(.campaign, on: 0...100_000) == bench.platform.milliunits(on: bench.today - 89...bench.today))
        }
    }

    @Test("If Apple fails for long, the server comes back after a minute, then after two")
    func down() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.failures = 1
        try await AdsBench.run(behaviour: behaviour) { bench in
            try await bench.work.look()

            #expect(bench.time.waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16)])
            #expect(try await bench.reading()?.trouble?.kind == .failing)
            #expect(try await bench.reading()?.nextAtMs == bench.time.nowMs + 60_000)

            bench.time.advance(.seconds(60))
            try await bench.work.look()
            #expect(try await bench.reading()?.nextAtMs == bench.time.nowMs + 120_000)
            #expect(bench.log.levels == [.warning])
        }
    }

    @Test("A huge answer is refused before it is in memory")
    func huge() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.isHuge = true
        try await AdsBench.run(behaviour: behaviour) { bench in
            try await bench.work.look()

            #expect(
                try await bench.reading()?.trouble
                    == AppleAdsTrouble(
                        .unexpected, "Apple's answer about /acls is of another kind. The answer has more than 16777216 bytes. Nothing of it is used."))
        }
    }

    @Test("While Apple hangs, phones open, names are read, and the read ends by its limits")
    func hanging() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            bench.platform.change { $0.hangs = true }
            bench.time.advance(.seconds(3_600))
            let hung = Task { try await bench.work.look() }

            try await bench.store.open(.mayasPhone)
            #expect(try await bench.name(.campaign, AdsBench.campaign) == "Brand")
            hung.cancel()
            await #expect(throws: CancellationError.self) { try await hung.value }

            bench.time.endCalls()
            try await bench.work.look()
            #expect(try await bench.reading()?.trouble == AppleAdsTrouble(.unreachable, "Apple does not answer a token within 120 s."))
        }
    }

    @Test(
        "A report without its rows is not one without spend: what is known stays, and the next read replaces it",
        arguments: [
            ("{}", "has no result"), (#"{"result":null}"#, "has no result"),
            (#"{"result":{"rows":[]},"pagination":{"totalCount":3}}"#, "ends before its total"),
        ])
    func cutReport(body: String, problem: String) async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            let kept = try await bench.store.count(of: "apple_ads_spend")
            bench.http.answerReports(body)
            bench.time.advance(.seconds(86_400))

            try await bench.work.look()

            #expect(
                try await bench.reading()?.trouble
                    == AppleAdsTrouble(.unexpected, "Apple's report /reports/apps/campaigns/query \(problem)."))
            #expect(kept > 0)
            #expect(try await bench.store.count(of: "apple_ads_spend") == kept)

            bench.http.answerReports(nil)
            bench.time.advance(.seconds(3_600))
            try await bench.work.look()
            #expect(try await bench.reading()?.trouble == nil)
            #expect(try await bench.milliunits(.campaign, on: 0...100_000) == bench.platform.milliunits(on: bench.today - 90...bench.today))
        }
    }

    @Test("A trouble's text keeps no control characters and at most 300 bytes")
    func detail() {
        let trouble = AppleAdsTrouble(.unexpected, "a\nb" + String(repeating: "x", count: 1_000))

        #expect(trouble.detail.hasPrefix("a bx"))
        #expect(trouble.detail.utf8.count == 300)
    }
}

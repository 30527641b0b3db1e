// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallServer
@testable import LandfallStore

@Suite("Every ad token gets its answer from Apple, once", .timeLimit(.minutes(1)))
struct AppleAdsExchangerTests {
    @Test("An attributed token becomes a verified fact with all of Apple's fields, and its text is deleted")
    func attributed() async throws {
        let bench = try await ExchangeBench(["t": [ScriptedAppleAds.attributed]])
        let before = try await bench.store.open(.mayasPhone, token: .value("t"))
        #expect(before.attribution(nowMs: bench.nowMs) == .pending(nextAnswerNotBefore: 0))

        try await bench.running { _ in await bench.waitForChange() }

        let after = try await bench.store.install(.mayasPhone)
        guard case .attributed(let details) = after.attribution(nowMs: bench.nowMs) else {
            Issue.record("got \(after.attribution(nowMs: bench.nowMs))")
            return
        }
        #expect(details.source == .appleAds)
        #expect(details.verified)
        #expect(!details.test)
        #expect(details.attributedAtMilliseconds == TestStore.noon)
        #expect(details.appleAds?.campaignId == 542_370_539)
        #expect(details.appleAds?.keywordId == 87_675_432)
        #expect(details.appleAds?.supplyPlacement == "APPSTORE_SEARCH_RESULTS")
        #expect(after.appliedSources == [.appleAds])
        #expect(after.version == before.version + 1)
        #expect(after.attributionVersion == before.attributionVersion + 1)
        #expect(try await bench.storedTokens() == [])
        #expect(bench.store.tokensQueued.value == 1)
    }

    @Test(
        "The result of one answer",
        arguments: [
            (ScriptedAppleAds.organic, .notAttributed),
            (.reply(400), .unavailable(.invalidToken)),
        ] as [(ScriptedAppleAds.Answer, Attribution)])
    func finalAnswers(answer: ScriptedAppleAds.Answer, expected: Attribution) async throws {
        let bench = try await ExchangeBench(["t": [answer]])
        try await bench.store.open(.mayasPhone, token: .value("t"))

        try await bench.running { _ in await bench.waitForChange() }

        #expect(try await bench.attribution() == expected)
        #expect(try await bench.storedTokens() == [])
        #expect(bench.apple.asked == ["t"])
    }

    @Test("Apple's developer-mode answer is marked as a test")
    func developerMode() async throws {
        let bench = try await ExchangeBench(["t": [ScriptedAppleAds.developerMode]])
        try await bench.store.open(.mayasPhone, token: .value("t"))

        try await bench.running { _ in await bench.waitForChange() }

        guard case .attributed(let details) = try await bench.attribution() else { return #expect(Bool(false)) }
        #expect(details.test)
    }

    @Test("After three times 404, 5 s apart, nothing waits any more; the next launch's fresh token is asked again")
    func notFound() async throws {
        let bench = try await ExchangeBench(["old": [.reply(404)], "fresh": [.reply(404), ScriptedAppleAds.attributed]])
        try await bench.store.open(.mayasPhone, token: .value("old"))

        try await bench.running { signals in
            for attempt in 1...2 {
                await bench.waitForChange()
                #expect(bench.apple.asked.count == attempt)
                #expect(try await bench.attribution() == .pending(nextAnswerNotBefore: 5_000))
                await bench.waitForAlarm(in: .seconds(5))
                bench.clock.advance(by: .milliseconds(4_999))
                #expect(bench.apple.asked.count == attempt)
                bench.clock.advance(by: .milliseconds(1))
            }
            await bench.waitForChange()
            #expect(bench.apple.asked == ["old", "old", "old"])
            #expect(try await bench.attribution() == .unavailable(.notFound))

            _ = try await bench.store.open(.mayasPhone, token: .value("fresh"), nowMs: bench.nowMs + TestStore.hour)
            await bench.waitForChange()
            signals.send()
            bench.clock.advance(by: .seconds(3_600))
            await bench.waitForChange()
            bench.clock.advance(by: .seconds(5))
            await bench.waitForQuestions(5)
            await bench.waitForChange()
        }

        guard case .attributed = try await bench.attribution() else { return #expect(Bool(false)) }
    }

    @Test(
        "After silence of any kind Apple is asked again a second later, plus or minus a fifth",
        arguments: [
            .reply(500), .reply(503), .reply(429), .reply(302), .reply(200, "<html>"), .reply(200, "{}"), .reply(200, ""),
            .brokenConnection, .reply(200, #"{"attribution":true,"x":""# + String(repeating: "x", count: 65_536) + #""}"#),
        ] as [ScriptedAppleAds.Answer])
    func silence(answer: ScriptedAppleAds.Answer) async throws {
        let bench = try await ExchangeBench(["t": [answer, ScriptedAppleAds.attributed]])
        try await bench.store.open(.mayasPhone, token: .value("t"))

        try await bench.running { _ in
            await bench.waitForChange()
            guard case .pending(let milliseconds) = try await bench.attribution() else { return #expect(Bool(false)) }
            #expect((800...1_200).contains(milliseconds))
            await bench.waitForAlarm(in: .milliseconds(milliseconds))
            bench.clock.advance(by: .milliseconds(milliseconds))
            await bench.waitForChange()
        }

        guard case .attributed = try await bench.attribution() else { return #expect(Bool(false)) }
        #expect(bench.apple.asked.count == 2)
    }

    @Test("Retry-After of a 429 is heeded: nobody asks before that time, about any token")
    func rest() async throws {
        let bench = try await ExchangeBench(["t": [.rest(seconds: 40), ScriptedAppleAds.organic]])
        try await bench.store.open(.mayasPhone, token: .value("t"))

        try await bench.running { _ in
            await bench.waitForChange()
            guard case .pending(let milliseconds) = try await bench.attribution() else { return #expect(Bool(false)) }
            #expect(milliseconds == 40_000)
            await bench.waitForAlarm(in: .seconds(40))
            bench.clock.advance(by: .seconds(39))
            #expect(bench.apple.asked.count == 1)
            bench.clock.advance(by: .seconds(1))
            await bench.waitForChange()
        }

        #expect(bench.apple.asked.count == 2)
        #expect(try await bench.attribution() == .notAttributed)
    }

    @Test("A rest is bounded, and a clock that goes back does not lengthen it")
    func restBound() {
        let rest = AppleAdsRest()
        rest.heed(AppleAdsReply(status: 429, body: [], retryAfter: 86_400), nowMs: 1_000_000)

        #expect(rest.untilMs(nowMs: 1_000_000) == 1_900_000)
        #expect(rest.untilMs(nowMs: 1_900_000) == 0)
        rest.heed(AppleAdsReply(status: 503, body: [], retryAfter: 10), nowMs: 1_000_000)
        #expect(rest.untilMs(nowMs: 0) == 0)
        rest.heed(AppleAdsReply(status: 200, body: [], retryAfter: 10), nowMs: 0)
        #expect(rest.untilMs(nowMs: 0) == 0)
    }

    @Test("A question that hangs is abandoned after its time limit")
    func hang() async throws {
        let bench = try await ExchangeBench(["t": [.silence, ScriptedAppleAds.organic]])
        try await bench.store.open(.mayasPhone, token: .value("t"))

        try await bench.running { _ in
            await bench.waitForQuestions(1)
            await bench.clock.waitForSleepers(2)
            bench.clock.advance(by: .seconds(10))
            await bench.waitForChange()
            guard case .pending = try await bench.attribution() else { return #expect(Bool(false)) }
            await bench.clock.waitForSleepers(2)
            bench.clock.advance(by: .milliseconds(1_200))
            await bench.waitForChange()
        }

        #expect(try await bench.attribution() == .notAttributed)
    }

    @Test("A token without an answer for 24 h is given up")
    func expired() async throws {
        let bench = try await ExchangeBench(["t": [.reply(500)]])
        try await bench.store.open(.mayasPhone, token: .value("t"), nowMs: TestStore.noon - ExchangeStep.tokenLife + 100)

        try await bench.running { _ in await bench.waitForChange() }

        #expect(try await bench.attribution() == .unavailable(.expired))
        #expect(try await bench.storedTokens() == [])
    }

    @Test("A token that comes while the queue is idle is asked for at once")
    func wake() async throws {
        let bench = try await ExchangeBench()
        try await bench.running { signals in
            signals.send()
            _ = try await bench.store.installs.report(TestStore.app, .mayasPhone, .value("t"), nowMs: bench.nowMs)

            signals.send()

            // The report and Apple's answer.
            await bench.waitForChange(2)
            #expect(try await bench.attribution() == .notAttributed)
        }
    }

    @Test("The number of questions at a time is limited, and fresh tokens go before retries")
    func concurrency() async throws {
        let bench = try await ExchangeBench()
        bench.apple.script("retry", .reply(500), .silence)
        try await bench.store.open(.omarsPhone, token: .value("retry"))
        try await bench.running { _ in await bench.waitForChange() }
        bench.clock.advance(by: .seconds(2))
        for number in 1...5 {
            bench.apple.script("t\(number)", .silence)
            try await bench.store.open(.mayasPhone, token: .value("t\(number)"), nowMs: bench.nowMs)
        }

        try await bench.running(limits: .init(concurrency: 4)) { signals in
            await bench.waitForQuestions(1 + 4)
            signals.send()
            await bench.clock.waitForSleepers(4)
            #expect(bench.apple.asked.count == 1 + 4)
            #expect(Set(bench.apple.asked.dropFirst()).isSubset(of: ["t1", "t2", "t3", "t4", "t5"]))

            bench.clock.advance(by: .seconds(10))
            await bench.waitForChange(4)
            await bench.waitForQuestions(1 + 4 + 2)
            #expect(bench.apple.asked.contains("t5"))
        }
    }

    @Test("A restart in the middle of a question loses nothing and makes no second fact")
    func restart() async throws {
        let bench = try await ExchangeBench(["t": [.silence, ScriptedAppleAds.attributed]])
        try await bench.store.open(.mayasPhone, token: .value("t"))
        try await bench.running { _ in await bench.waitForQuestions(1) }

        try await bench.running { _ in await bench.waitForChange() }

        #expect(try await bench.store.install(.mayasPhone).facts.count == 1)
        #expect(bench.apple.asked == ["t", "t"])
    }

    @Test("A result that the store refuses is kept and stored as soon as possible; Apple is not asked again")
    func storeRefuses() async throws {
        let faults = StoreFaults()
        let bench = try await ExchangeBench(["t": [ScriptedAppleAds.attributed]], faults: faults)
        try await bench.store.open(.mayasPhone, token: .value("t"))
        // Old leases and waits are ended, and one lease is taken.
        faults.writes(.refuseAfter(3, .diskLow))

        try await bench.running { _ in
            // Apple has answered, and the result was refused.
            await bench.waitForAlarm(in: .milliseconds(250))
            await bench.clock.waitForSleepers(2)
            for _ in 0..<3 {
                bench.clock.advance(by: .seconds(1))
                await bench.clock.waitForSleepers(2)
            }
            let before = try await bench.attribution()
            #expect(before.isPending)
            faults.heal()
            bench.clock.advance(by: .seconds(8))
            await bench.waitForChange()
        }

        guard case .attributed = try await bench.attribution() else { return #expect(Bool(false)) }
        #expect(bench.apple.asked == ["t"])
    }

    @Test("If the lease ends without a stored result, Apple is asked again")
    func storeRefusesForLong() async throws {
        let faults = StoreFaults()
        let bench = try await ExchangeBench(["t": [ScriptedAppleAds.attributed]], faults: faults)
        try await bench.store.open(.mayasPhone, token: .value("t"))
        faults.writes(.refuseAfter(3, .busy))

        try await bench.running { _ in
            await bench.waitForQuestions(1)
            await bench.clock.pass(.seconds(40))
            #expect(bench.apple.asked == ["t"])
            faults.heal()
            await bench.clock.pass(.seconds(3))
            await bench.waitForQuestions(2)
            await bench.waitForChange()
        }

        guard case .attributed = try await bench.attribution() else { return #expect(Bool(false)) }
        #expect(bench.apple.asked == ["t", "t"])
    }

    @Test("One of several nodes waits for the leases of others")
    func otherNodes() async throws {
        let bench = try await ExchangeBench(isShared: true)
        try await bench.store.open(.mayasPhone, token: .value("t"))
        _ = try await bench.store.lease(1, nowMs: bench.nowMs)

        try await bench.running { _ in
            await bench.clock.waitForSleeper()
            bench.clock.advance(by: .milliseconds(29_999))
            #expect(bench.apple.asked.isEmpty)
            await bench.clock.waitForSleeper()
            bench.clock.advance(by: .milliseconds(1))
            await bench.waitForChange()
        }

        #expect(try await bench.attribution() == .notAttributed)
    }
}

extension ExchangeBench {
    /// The stored text of every token that waits.
    func storedTokens() async throws -> [String] {
        try await store.database.read { connection in
            try connection.rows("SELECT payload FROM job").map { try $0.text("payload") }
        }
    }
}

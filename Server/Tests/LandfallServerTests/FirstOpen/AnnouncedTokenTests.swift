// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A token that a first open announces", .timeLimit(.minutes(1)))
struct AnnouncedTokenTests {
    private static let open = #"{"adToken":"coming","holdMilliseconds":3000,"placements":[{"id":"onboarding"}]}"#
    private static let now = TestStore.noon

    @Test("Calls to another node wait for it, and every node hears that it does not come")
    func otherNode() async throws {
        try await TestServer.run(isShared: true) { server in
            try await server.beside { other in
                async let lines = server.firstOpen(Self.open)
                await server.clock.waitForSleeper()

                let waiting = try await other.send(.get, WirePath.profile).decoded(ProfileAnswer.self)
                #expect(waiting.attribution == .pending(nextAnswerNotBefore: 0))
                let path = WirePath.paywall(of: "onboarding") + "?after=\(waiting.profile.version)&wait=2000&attribution=true"
                async let paywall = other.send(.get, path)
                await server.clock.waitForSleepers(2)
                _ = try await other.send(.post, WirePath.adToken, #"{"none":"unsupported"}"#)

                let shown = try await paywall.decoded(PaywallAnswer.self)
                #expect(shown.final)
                #expect(shown.attribution == .unavailable(.unsupported))
                let here = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self)
                #expect(here.attribution == .unavailable(.unsupported))
                server.clock.advance(by: .seconds(3))
                _ = try await lines
            }
        }
    }

    @Test("It is awaited after a restart too, and no longer than its stream was to be held")
    func restart() async throws {
        try await TestServer.run { server in
            async let lines = server.firstOpen(Self.open)
            await server.clock.waitForSleeper()
            server.services.holds.stop()
            let last = try await lines.last
            #expect(last == .end(.stopping))

            try await server.beside { restarted in
                let early = try await restarted.send(.get, WirePath.profile).decoded(ProfileAnswer.self)
                server.clock.advance(by: .seconds(3))
                let late = try await restarted.send(.get, WirePath.profile).decoded(ProfileAnswer.self)

                #expect(early.attribution == .pending(nextAnswerNotBefore: 0))
                #expect(late.attribution == .unavailable(.noToken))
            }
        }
    }

    @Test(
        "It is awaited while something in the held answer depends on it",
        arguments: [
            (["onboarding"], 3_000, true), (["settings"], 3_000, false), (["settings", "onboarding"], 3_000, true), ([], 3_000, true),
            (["nowhere"], 3_000, false), (["onboarding"], 0, false),
        ] as [([PlacementID], Int64, Bool)])
    func rule(placements: [PlacementID], holdMs: Int64, isAwaited: Bool) {
        let announced = Self.announced(placements, holdMs: holdMs)

        #expect(announced.awaitedUntilMs(by: .sample(), nowMs: Self.now) == (isAwaited ? Self.now + holdMs : nil))
    }

    @Test("After Apple's answer no other token is awaited, nor one that is here already")
    func known() {
        let announced = Self.announced(["onboarding"])
        var answered = Install.sample(), fresh = Install.sample()
        answered.answered(campaign: nil, atMs: Self.now - 1)
        fresh.exchange = AppleAdsExchange(
            tokenHash: TokenHash(of: "t"), state: .unavailable(.invalidToken), receivedAtMs: Self.now - 1_000)

        for install in [answered, fresh] { #expect(announced.awaitedUntilMs(by: install, nowMs: Self.now) == nil) }
    }

    @Test("A known install is written once for it; the token clears it, and so does a repeated reason", .embedded("commits are counted"), arguments: [
        AdToken.value("t"), .none(.noToken),
    ])
    func writes(report: AdToken) async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let commits = store.commitCount

        for _ in 0..<2 { try await store.announce(nowMs: Self.now) }
        #expect(store.commitCount == commits + 1)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == Self.now + 3_000)

        let told = try await store.installs.report(TestStore.app, .mayasPhone, report, nowMs: Self.now + 1)
        #expect(told.tokenComingUntilMs == nil)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == nil)
    }

    @Test("An install with Apple's answer is not written for it", .embedded("commits are counted"))
    func unwritten() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))
        let leased = try #require(try await store.lease(1, nowMs: Self.now).first)
        try await store.answers.record(.organic, .finish(.organic), of: leased, nowMs: Self.now + 200)
        let commits = store.commitCount

        try await store.announce(nowMs: Self.now + 600_000)

        #expect(store.commitCount == commits)
    }

    @Test(
        "An open that is stored after the phone called its token off announces none; the next open announces one again",
        arguments: [nil, .noToken, .unsupported] as [UnavailableReason?])
    func overtaken(earlier: UnavailableReason?) async throws {
        let store = try await TestStore()
        if let earlier { try await store.open(.mayasPhone, token: .none(earlier), nowMs: Self.now - TestStore.hour) }

        _ = try await store.installs.report(TestStore.app, .mayasPhone, .none(.noToken), nowMs: Self.now + 500)
        try await store.announce(nowMs: Self.now)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == nil)
        try await store.announce(nowMs: Self.now + 501)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == Self.now + 3_501)
    }

    @Test(
        "Which of the two came first is told by the clock of all nodes: this one's clock may be five seconds wrong, in either direction",
        arguments: [5_000, -5_000] as [Int64])
    func otherClock(aheadMs: Int64) async throws {
        let store = try await TestStore(isShared: true), wrong = StoreClock { aheadMs }
        let there = SQLInstallStore(store.database, store.mark, clock: wrong)

        _ = try await there.report(TestStore.app, .mayasPhone, .none(.noToken), nowMs: Self.now + 500 + aheadMs)
        try await store.announce(nowMs: Self.now)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == nil)
        try await store.announce(nowMs: Self.now + 501)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == Self.now + 3_501)

        _ = try await store.installs.report(TestStore.app, .mayasPhone, .none(.noToken), nowMs: Self.now + 600)
        try await store.announce(nowMs: Self.now + 599 + aheadMs, by: wrong)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == nil)
        try await store.announce(nowMs: Self.now + 601 + aheadMs, by: wrong)
        #expect(try await store.install(.mayasPhone).tokenComingUntilMs == Self.now + 3_601 + aheadMs)
    }

    @Test("A reason that opens repeat is not written", .embedded("commits are counted"))
    func repeated() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let commits = store.commitCount

        try await store.open(.mayasPhone, nowMs: Self.now + 1_000)

        #expect(store.commitCount == commits)
        try await store.open(.mayasPhone, attributes: ["plan": "gold"], nowMs: Self.now + 2_000)
        #expect(try await store.install(.mayasPhone).tokenCalledOffAtMs == Self.now)
    }

    @Test(
        "A stream whose open the store has refused waits for it all the same, until the phone says that none comes",
        arguments: [UnavailableReason.unsupported, .noToken])
    func refused(reason: UnavailableReason) async throws {
        let faults = StoreFaults()
        try await TestServer.run(faults: faults) { server in
            _ = try await server.firstOpen("{}")
            faults.writes(.refuse(.diskLow))
            async let lines = server.firstOpen(Self.open)
            await server.clock.waitForSleeper()
            let sleeps = server.clock.begunSleepCount
            faults.heal()

            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"gold"}}"#)
            while server.clock.begunSleepCount == sleeps { await Task.yield() }
            server.clock.advance(by: .milliseconds(1))
            _ = try await server.send(.post, WirePath.adToken, #"{"none":"\#(reason.rawValue)"}"#)

            let all = try await lines
            #expect(all.attributions == [.pending(nextAnswerNotBefore: 0), .unavailable(reason)])
            #expect(all.last == .end(.final))
        }
    }

    @Test("Of an open that is not stored, a token is coming until the store has it, its announcement, or another reason")
    func unstored() {
        let endsAtMs = Self.now + 3_000, before = Install.sample(tokenNone: .noToken)
        let announced = UnstoredToken(.coming, of: before, openedAtMs: Self.now, holdEndsAtMs: endsAtMs)
        let sent = UnstoredToken(.value("t"), of: before, openedAtMs: Self.now, holdEndsAtMs: endsAtMs)
        var stored = before, earlier = before, calledOff = before
        stored.tokenComingUntilMs = endsAtMs
        (earlier.tokenCalledOffAtMs, calledOff.tokenCalledOffAtMs) = (Self.now, Self.now + 1)

        for token in [announced, sent] {
            #expect(token.isComing(to: before) && token.isComing(to: earlier) && !token.isComing(to: calledOff))
            #expect(!token.isComing(to: .sample(tokenNone: .unsupported)))
        }
        let answered = Install.sample(exchange: .organic, tokenNone: .noToken)
        #expect(announced.isKnown(to: stored) && sent.isKnown(to: answered))
        #expect(!announced.isKnown(to: answered) && !announced.isKnown(to: before) && !sent.isKnown(to: before))
    }

    @Test("Once the store was seen to know of it, the phone's word ends the wait, also if it says the same as before")
    func calledOff() {
        let endsAtMs = Self.now + 3_000, before = Install.sample(tokenNone: .noToken)
        var session = FirstOpenSession(
            snapshot: Snapshot(.sample(), revision: 7), wanted: [], tokens: PurchaseTokens(key: []), standing: .unstored,
            unstoredToken: UnstoredToken(.coming, of: before, openedAtMs: Self.now, holdEndsAtMs: endsAtMs), holdEndsAtMs: endsAtMs)
        var stored = before
        stored.tokenComingUntilMs = endsAtMs

        let waits = [before, stored, before].map { session.isTokenComing(to: $0) }

        #expect(waits == [true, false, false])
    }

    private static func announced(_ placements: [PlacementID], holdMs: Int64 = 3_000) -> AnnouncedToken {
        AnnouncedToken(snapshot: Snapshot(.sample(), revision: 7), placements: placements, holdEndsAtMs: now + holdMs, openedAtMs: now)
    }
}

extension TestServer {
    /// Another node on the same store, with nothing in its memory.
    fileprivate func beside(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        let mark = try await StoreMark.load(from: services.database, nowMs: services.time.nowMs())
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = ServingNode(services.snapshot, services.database, mark, ScriptedAppleAds(), time: services.time, logger: logger)
        try await Application(router: Routes.router(node.services), logger: logger).test(.router) { client in
            try await body(TestServer(services: node.services, clock: clock, client: client))
        }
    }
}

extension TestStore {
    /// An open whose stream is held for three seconds.
    fileprivate func announce(nowMs: Int64, by clock: StoreClock = .own) async throws {
        let announced = AnnouncedToken(
            snapshot: Snapshot(.sample(), revision: 7), placements: ["onboarding"], holdEndsAtMs: nowMs + 3_000, openedAtMs: clock.ms(at: nowMs))
        let opening = Opening(device: DeviceFacts(), adToken: .coming, announced: announced)
        _ = try await installs.open(Self.app, .mayasPhone, opening, nowMs: nowMs)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("The ad token", .timeLimit(.minutes(1)))
struct AdTokenTests {
    let phone = Phone()

    private func acceptsTokens(saying attribution: LandfallWire.Attribution = .pending) throws {
        phone.server.on("POST", WirePath.adToken) { _ in
            try .json(ProfileAnswer(profile: .anna(), attribution: attribution))
        }
    }

    @Test("There at once: it is part of the first open")
    func rides() async throws {
        try phone.streams(.undecided)
        let client = phone.app(tokens: ScriptedAdTokens(.token("t")))
        client.start()

        await phone.waitForFirstOpen()

        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).adToken == .value("t"))
        await client.shutdown()
    }

    @Test("In a new installation it is asked for once, while the installation is being stored")
    func ahead() async throws {
        var phone = phone
        phone.storage = MemoryStorage()
        phone.storage.isFull = true
        phone.firstOpen { [phone] in try await phone.never() }
        let tokens = ScriptedAdTokens(.held)
        let client = phone.app(tokens: tokens)
        client.start()

        await tokens.waitForAsks()

        #expect(phone.storage.files[.install] == nil)
        phone.storage.isFull = false
        tokens.release(.token("t"))
        await phone.pass(.milliseconds(1_500))
        await phone.waitForFirstOpen()
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).adToken == .value("t"))
        #expect(tokens.askCount == 1)
        await client.shutdown()
    }

    @Test("It is not asked for if stored files or the app say that collection is not full", arguments: [true, false])
    func notAhead(isStored: Bool) async throws {
        var phone = phone
        var earlier = StoredProfileState()
        earlier.collection = isStored ? .essential : .full
        phone.storage = MemoryStorage([.profile: try WireCoding.encode(earlier)])
        phone.firstOpen { [phone] in try await phone.never() }
        let tokens = ScriptedAdTokens(.held)
        let client = phone.app(tokens: tokens) { if !isStored { $0.collection = .off } }
        client.start()

        await phone.waitForFirstOpen()

        #expect(tokens.askCount == 0)
        await client.shutdown()
    }

    @Test("Late: announced after 350 ms, posted when it arrives")
    func comesLate() async throws {
        try phone.streams(.undecided)
        try acceptsTokens()
        let tokens = ScriptedAdTokens(.held)
        let client = phone.app(tokens: tokens)
        client.start()
        await tokens.waitForAsks()
        await phone.pass(.milliseconds(349))
        #expect(phone.firstOpenRequests.isEmpty)
        await phone.pass(.milliseconds(1))
        await phone.waitForFirstOpen()
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).adToken == .coming)

        tokens.release(.token("late"))

        await phone.server.waitForRequests("POST", WirePath.adToken)
        #expect(try phone.sent(AdToken.self, phone.server.requests("POST", WirePath.adToken).first) == .value("late"))
        await client.shutdown()
    }

    @Test("The first open failed: the token goes along with the next one, and not in a request of its own")
    func goesAlong() async throws {
        phone.firstOpen { throw TransportError(.connectionFailed) }
        try acceptsTokens()
        let tokens = ScriptedAdTokens(.held)
        let client = phone.app(tokens: tokens)
        client.start()
        await tokens.waitForAsks()
        await phone.pass(.milliseconds(350))
        await phone.waitForFirstOpen()

        tokens.release(.token("t"))
        await phone.pass(.seconds(8))

        #expect(phone.firstOpenRequests.count > 2)
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).adToken == .value("t"))
        #expect(phone.server.requests("POST", WirePath.adToken).isEmpty)
        await client.shutdown()
    }

    @Test("An urgent caller waits an eighth of its time for it, not longer")
    func hurry() async throws {
        try phone.streams(.undecided)
        let tokens = ScriptedAdTokens(.held)
        let client = phone.app(tokens: tokens)
        client.start()
        await tokens.waitForAsks()
        let shown = Task { try await client.paywall(for: "onboarding", within: .milliseconds(800)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }

        await phone.pass(.milliseconds(99))
        #expect(phone.firstOpenRequests.isEmpty)
        await phone.pass(.milliseconds(1))

        await phone.waitForFirstOpen()
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).adToken == .coming)
        shown.cancel()
        await client.shutdown()
    }

    @Test("It hangs: after ten seconds the server is told that there is none; its late value still counts")
    func hangs() async throws {
        try phone.streams(.undecided)
        try acceptsTokens()
        let tokens = ScriptedAdTokens(.hung)
        let client = phone.app(tokens: tokens)
        client.start()
        await tokens.waitForAsks()

        await phone.pass(.seconds(11))

        await phone.server.waitForRequests("POST", WirePath.adToken)
        #expect(try phone.sent(AdToken.self, phone.server.requests("POST", WirePath.adToken).first) == .none(.noToken))
        #expect(tokens.askCount == 1, "A call that hangs is not made twice.")
        tokens.release(.token("very late"))
        await phone.server.waitForRequests("POST", WirePath.adToken, count: 2)
        #expect(try phone.sent(AdToken.self, phone.server.requests("POST", WirePath.adToken).last) == .value("very late"))
        await client.shutdown()
    }

    @Test("The network is away for longer than ten seconds: a first open that has not left asks for the token once more")
    func awayUnsaid() async throws {
        try acceptsTokens()
        phone.server.isOffline = true
        let tokens = ScriptedAdTokens(.failure(.network), .failure(.network), .failure(.network), .failure(.network), .token("t"))
        let client = phone.app(tokens: tokens)
        client.start()
        await phone.pass(.seconds(20))
        #expect(tokens.askCount == 4)

        phone.server.isOffline = false
        try phone.streams(.undecided)
        client.networkPathChanged(isSatisfied: true)
        await phone.pass(.seconds(1))

        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).adToken == .value("t"))
        await client.shutdown()
    }

    @Test("The server was told that there is none: the source is asked when the app comes back, once, and its token is posted")
    func awaySaid() async throws {
        try phone.streams(.undecided)
        try acceptsTokens()
        let tokens = ScriptedAdTokens(
            .failure(.network), .failure(.network), .failure(.network), .failure(.network), .failure(.network), .token("t"))
        let client = phone.app(tokens: tokens)
        client.start()
        await phone.pass(.seconds(60))
        #expect(tokens.askCount == 4)
        #expect(try phone.sent(AdToken.self, phone.server.requests("POST", WirePath.adToken).last) == .none(.noToken))

        client.enteredForeground()
        await phone.pass(.seconds(60))
        #expect(tokens.askCount == 5)
        client.enteredForeground()
        await phone.server.waitForRequests("POST", WirePath.adToken, count: 2)

        #expect(tokens.askCount == 6)
        #expect(try phone.sent(AdToken.self, phone.server.requests("POST", WirePath.adToken).last) == .value("t"))
        await client.shutdown()
    }

    @Test("A token that could not be delivered for an hour is replaced when the network comes back")
    func old() async throws {
        try acceptsTokens()
        phone.server.isOffline = true
        let tokens = ScriptedAdTokens(.token("old"), .token("fresh"))
        let client = phone.app(tokens: tokens)
        client.start()
        await phone.pass(.seconds(5))
        client.networkPathChanged(isSatisfied: true)
        await phone.pass(.seconds(4_000), in: .seconds(20))
        #expect(tokens.askCount == 1)

        phone.server.isOffline = false
        try phone.streams(.undecided)
        client.networkPathChanged(isSatisfied: true)
        await phone.pass(.seconds(1))

        #expect(tokens.askCount == 2)
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).adToken == .value("fresh"))
        await client.shutdown()
    }

    @Test("Launches that do not reach the server use up none of the three fresh tokens")
    func unspent() async throws {
        try acceptsTokens(saying: .unavailable(.notFound))
        try phone.streams([
            .profile(.anna()), .attribution(.unavailable(.notFound)), .paywall(.untargeted(final: true)), .end(.final),
        ])
        for launch in 0..<5 {
            phone.server.isOffline = (1...3).contains(launch)
            let client = phone.app(tokens: ScriptedAdTokens(.token("token-\(launch)")))
            client.start()
            client.collection = .full
            await phone.pass(.seconds(2))
            await phone.storageHolds(.profile) { $0.contains("notFound") }
            await client.shutdown()
        }

        let posted = try phone.server.requests("POST", WirePath.adToken).map { try phone.sent(AdToken.self, $0) }
        #expect(posted.last == .value("token-4"))
    }

    @Test("A temporary failure: asked again after a second")
    func asksAgain() async throws {
        try phone.streams(.undecided)
        try acceptsTokens()
        let tokens = ScriptedAdTokens(.failure(.network), .token("second"))
        let client = phone.app(tokens: tokens)
        client.start()
        await tokens.waitForAsks()

        await phone.pass(.milliseconds(1_300))

        await phone.server.waitForRequests("POST", WirePath.adToken)
        #expect(tokens.askCount == 2)
        await client.shutdown()
    }

    @Test("A platform without tokens: the first open reports it")
    func unsupported() async throws {
        try phone.streams(.undecided)
        let client = phone.app(tokens: ScriptedAdTokens(.failure(.unsupported)))
        client.start()

        await phone.waitForFirstOpen()

        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).adToken == .none(.unsupported))
        await client.shutdown()
    }

    @Test("A token that brought no attribution: each of the next three launches sends a fresh one after the answer")
    func freshTokens() async throws {
        try acceptsTokens(saying: .unavailable(.notFound))
        try phone.streams([
            .profile(.anna()), .attribution(.unavailable(.notFound)), .paywall(.untargeted(final: true)), .end(.final),
        ])
        for launch in 0..<5 {
            let client = phone.app(tokens: ScriptedAdTokens(.token("token-\(launch)")))
            client.start()
            _ = try await client.paywall(for: .onboarding)
            await phone.storageHolds(.profile) { $0.contains("notFound") }
            await phone.server.waitForRequests("POST", WirePath.adToken, count: min(launch, 3))
            if launch > 0 { await phone.storageHolds(.profile) { $0.contains("\"freshTokenLaunchesLeft\":\(max(0, 3 - launch))") } }
            await phone.settle()
            await client.shutdown()
        }

        let posted = try phone.server.requests("POST", WirePath.adToken).map { try phone.sent(AdToken.self, $0) }
        #expect(posted == [.value("token-1"), .value("token-2"), .value("token-3")])
    }

    @Test("While a fresh token is tried, the earlier attribution stays, and nothing waits")
    func background() async throws {
        try acceptsTokens(saying: .pending)
        try phone.streams([
            .profile(.anna()), .attribution(.unavailable(.notFound)), .paywall(.untargeted(final: true)), .end(.final),
        ])
        let first = phone.app(tokens: ScriptedAdTokens(.token("first")))
        first.start()
        _ = try await first.paywall(for: .onboarding)
        await phone.storageHolds(.profile) { $0.contains("notFound") }
        await first.shutdown()
        let later = phone.app(tokens: ScriptedAdTokens(.token("later")), preparing: [])
        later.start()
        await phone.pass(.milliseconds(50))
        await phone.server.waitForRequests("POST", WirePath.adToken)
        await phone.settle()
        phone.plain { _ in try .json(PaywallAnswer.untargeted(final: false)) }

        let shown = try await later.paywall(for: .onboarding)

        #expect(shown.paywall?.name == .default)
        #expect(shown.attribution == .unavailable(.notFound))
        #expect(shown.elapsed == .zero)
        await later.shutdown()
    }

    /// A first open that announces a token; the paywall is asked for after the stream's end and before the token is there.
    private func shownBeforeAnnounced(_ tokens: ScriptedAdTokens) async throws -> (LandfallClient, PaywallResult) {
        phone.plain { _ in try .json(PaywallAnswer.untargeted(final: true)) }
        let client = phone.app(tokens: tokens, preparing: [])
        client.start()
        await tokens.waitForAsks()
        await phone.pass(.milliseconds(400))
        await phone.waitForFirstOpen()
        await phone.settle()
        let shown = try await client.paywall(for: .onboarding)
        tokens.release(.token("late"))
        return (client, shown)
    }

    @Test("Apple has answered an earlier token: nothing waits for the announced one, and it is not sent")
    func answeredBefore() async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .end(.final)])
        let tokens = ScriptedAdTokens(.held)
        let (client, shown) = try await shownBeforeAnnounced(tokens)
        await phone.settle()

        #expect(shown.elapsed == .zero)
        #expect(shown.attribution == .notAttributed)
        #expect(phone.server.requests("POST", WirePath.adToken).isEmpty)
        await client.shutdown()
    }

    @Test("The server needs no other token than its own: nothing waits for the announced one, and it is sent when it comes")
    func freshOneIsThere() async throws {
        try phone.streams([.profile(.anna()), .attribution(.unavailable(.notFound)), .end(.final)])
        try acceptsTokens(saying: .unavailable(.notFound))
        let tokens = ScriptedAdTokens(.held)
        let (client, shown) = try await shownBeforeAnnounced(tokens)
        await phone.server.waitForRequests("POST", WirePath.adToken)

        #expect(shown.elapsed == .zero)
        #expect(shown.attribution == .unavailable(.notFound))
        await client.shutdown()
    }

    @Test(
        "Which launch needs a token",
        arguments: [
            (CollectionMode.full, true, nil, false, 3, AdTokenState.Plan.first),
            (.full, true, LandfallWire.Attribution.pending(nextAnswerNotBefore: 0), true, 3, .first),
            (.full, true, .appleAds, false, 3, .none(.noToken)),
            (.full, true, .byLink, true, 3, .none(.noToken)),
            (.full, true, .byLink, false, 3, .first),
            (.full, true, .notAttributed, true, 3, .none(.noToken)),
            (.full, true, .notAttributed, false, 3, .first),
            (.full, true, .unavailable(.notFound), true, 1, .background),
            (.full, true, .unavailable(.expired), true, 0, .none(.noToken)),
            (.full, true, .unavailable(.unsupported), false, 3, .first),
            (.full, false, nil, false, 3, .none(.unsupported)),
            (.essential, true, nil, false, 3, .none(.collectionOff)),
            (.off, false, nil, false, 3, .none(.collectionOff)),
        ])
    func plan(
        mode: CollectionMode, hasSource: Bool, stored: LandfallWire.Attribution?, isDelivered: Bool, left: Int, expected: AdTokenState.Plan
    ) {
        let plan = AdTokenState.Plan(
            collection: mode, hasSource: hasSource, stored: stored, isDelivered: isDelivered, launchesLeft: left
        )
        #expect(plan == expected)
    }

    @Test("Attribution by a link or another provider does not stop a launch from sending a token that an earlier one could not")
    func attributedByLink() async throws {
        try phone.streams([.profile(.anna()), .attribution(.byLink)])
        let first = phone.app(tokens: ScriptedAdTokens(.failure(.unsupported)))
        first.start()
        await phone.storageHolds(.profile) { $0.contains("\"link\"") }
        await first.shutdown()

        let second = phone.app(tokens: ScriptedAdTokens(.token("t")))
        second.start()
        await phone.waitForFirstOpen(count: 2)
        await phone.storageHolds(.profile) { $0.contains("isTokenDelivered") }
        await second.shutdown()
        let third = phone.app(tokens: ScriptedAdTokens(.token("t")))
        third.start()
        await phone.waitForFirstOpen(count: 3)
        await third.shutdown()

        let tokens = try phone.firstOpenRequests.map { try phone.sent(FirstOpenRequest.self, $0).adToken }
        #expect(tokens == [.none(.unsupported), .value("t"), .none(.noToken)])
    }
}

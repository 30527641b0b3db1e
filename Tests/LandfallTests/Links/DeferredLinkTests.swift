// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The link from before the installation", .timeLimit(.minutes(1)))
struct DeferredLinkTests {
    let phone = Phone()
    static let beach = DeferredLink(
        original: URL.short.absoluteString, resolved: URL.beach.absoluteString, matchedBy: .pasteboard, ageMilliseconds: 60_000)

    func startedClient(_ change: (inout LandfallConfiguration) -> Void = { _ in }) -> LandfallClient {
        let client = phone.linkApp(change)
        client.start()
        return client
    }

    func deferredRequests() throws -> [DeferredLinkRequest?] {
        try phone.firstOpenRequests.map { try phone.sent(FirstOpenRequest.self, $0).deferred }
    }

    @Test("The first open asks, and the answer comes through the inbox, once over all launches")
    func push() async throws {
        try phone.answersLinks(deferred: .link(Self.beach))
        let client = startedClient()

        let link = try #require(await client.nextLink())
        link.markTaken()
        await client.waitForProfile()

        #expect(link.isDeferred)
        #expect(link.deferredMatch == .pasteboard)
        #expect(link.original == .short)
        #expect(link.resolved == .beach)
        #expect(link.status == .resolved)
        #expect(link.destination == .beach)
        #expect(link.age == .seconds(60))
        #expect(await client.deferredLink(within: .seconds(3)) == .none, "It has been handed over.")
        #expect(try deferredRequests() == [DeferredLinkRequest()])
        #expect(try phone.recordedClicks().isEmpty, "The server knows this click.")
        await phone.storageHolds(.profile) { $0.contains("deferredLink") }
        await client.shutdown()

        let second = startedClient()
        second.receive(.scheme("new"))
        #expect(await second.nextLink()?.original == .scheme("new"))
        await phone.waitForFirstOpen(count: 2)
        #expect(try deferredRequests().last == .some(nil), "What is known is not asked again.")
        await second.shutdown()
    }

    @Test("The caller that asks for it gets it, and no other")
    func pull() async throws {
        try phone.answersLinks(deferred: .link(Self.beach))
        let client = startedClient()

        let first = await client.deferredLink(within: .seconds(3))
        client.receive(.scheme("new"))

        guard case .link(let link) = first else { return #expect(Bool(false), "\(first)") }
        #expect(link.isDeferred && link.resolved == .beach)
        #expect(await client.deferredLink(within: .seconds(3)) == .none)
        #expect(await client.nextLink()?.original == .scheme("new"))
        await client.shutdown()
    }

    @Test("Several callers at once: one gets it, each is answered exactly once, and a listener gets nothing")
    func manyPull() async throws {
        let body = try phone.streams([.profile(.anna()), .attribution(.notAttributed), .deferred(.pending)])
        let client = startedClient()
        let listening = Task { await client.nextLink() }
        let calls = (0..<20).map { _ in Task { await client.deferredLink(within: .seconds(3)) } }
        await client.waitForProfile()
        await phone.settle()

        try body.say(.deferred(.link(Self.beach)))
        try body.say(.deferred(.link(Self.beach)))

        var results: [DeferredLinkResult] = []
        for call in calls { results.append(await call.value) }
        #expect(results.count { $0 == .none } == 19)
        listening.cancel()
        #expect(await listening.value == nil)
        await client.shutdown()
    }

    @Test("Without such a link, callers do not wait", arguments: [DeferredLinkAnswer.none])
    func none(answer: DeferredLinkAnswer) async throws {
        try phone.answersLinks(deferred: answer)
        let client = startedClient()

        #expect(await client.deferredLink(within: .seconds(3)) == .none)

        await client.shutdown()
        let second = startedClient()
        #expect(await second.deferredLink(within: .seconds(3)) == .none)
        #expect(phone.clock.now.offset == .zero)
        await second.shutdown()
    }

    @Test("A server that does not know such links has none")
    func silentServer() async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        let client = startedClient()

        #expect(await client.deferredLink(within: .seconds(3)) == .none)
        #expect(phone.server.requests("POST", WirePath.deferredLink).isEmpty)
        await client.shutdown()
    }

    @Test("Unknown at the time limit is pending; the inbox delivers it later")
    func pending() async throws {
        let body = try phone.streams([.profile(.anna()), .attribution(.notAttributed), .deferred(.pending)])
        let client = startedClient()
        let pulled = Task { await client.deferredLink(within: .seconds(3)) }
        await client.waitForProfile()

        #expect(try await phone.clock.run(upTo: .seconds(3)) { await pulled.value } == .pending)
        try body.say(.deferred(.link(Self.beach)))

        #expect(await client.nextLink()?.isDeferred == true)
        await client.shutdown()
    }

    @Test("Pending at the end of the stream: a separate call asks for it, less and less often")
    func pendingAfterStream() async throws {
        try phone.streams([
            .profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: false)), .deferred(.pending),
            .end(.holdOver),
        ])
        let answers = Locked<[DeferredLinkAnswer]>([.pending, .pending, .link(Self.beach)])
        phone.server.on("POST", WirePath.deferredLink) { _ in
            try .json(answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
        }
        let client = startedClient()
        let listening = Task { await client.nextLink() }

        #expect(try await phone.clock.run(upTo: .seconds(5)) { await listening.value }?.isDeferred == true)
        #expect(phone.server.requests("POST", WirePath.deferredLink).count == 3)
        await client.shutdown()
    }

    @Test("Offline no caller waits beyond its limit, and the next launch asks again")
    func offline() async throws {
        phone.server.isOffline = true
        let client = startedClient()
        #expect(try await phone.clock.run(upTo: .seconds(3)) { await client.deferredLink(within: .seconds(3)) } == .pending)
        await client.shutdown()

        phone.server.isOffline = false
        try phone.answersLinks(deferred: .link(Self.beach))
        let second = startedClient()
        #expect(await second.nextLink()?.isDeferred == true)
        await second.shutdown()
    }

    @Test("Killed before it was handled it comes again, marked, and only once", arguments: [true, false])
    func killed(isPulled: Bool) async throws {
        try phone.answersLinks(deferred: .link(Self.beach))
        let client = startedClient()
        if isPulled { _ = await client.deferredLink(within: .seconds(3)) } else { _ = await client.nextLink() }
        await phone.storageHolds(.outbox) { $0.contains("handedOver") }
        let next = phone.killed()
        // The kill came before the new state could be written.
        try next.storage.remove(.profile)
        await client.shutdown()

        let second = next.linkApp()
        second.start()
        let again = await second.nextLink()
        again?.markTaken()
        second.receive(.scheme("new"))

        #expect(again?.isDeferred == true && again?.isRedelivered == true)
        #expect(again?.deferredMatch == .pasteboard)
        #expect(await second.nextLink()?.original == .scheme("new"))
        await second.shutdown()
    }
}

// MARK: Claims

extension DeferredLinkTests {
    @Test(
        "A claim before the first open is part of it",
        arguments: ["4f2a", "  4f2a\n", "4f 2a", "4f-2a", "4f\u{A0}2\u{2014}a"])
    func claimRides(text: String) async throws {
        try phone.answersLinks(deferred: .link(Self.beach))
        let client = phone.linkApp()
        #expect(client.claimDeferredLink(text))
        client.start()

        #expect(await client.nextLink()?.isDeferred == true)
        #expect(try deferredRequests() == [DeferredLinkRequest(token: "4f2a")])
        await phone.settle()
        #expect(phone.server.requests("POST", WirePath.deferredLink).isEmpty)
        await client.shutdown()
    }

    @Test("A later claim is sent separately, even after the answer that there is no link")
    func claimLater() async throws {
        try phone.answersLinks()
        phone.server.on("POST", WirePath.deferredLink) { [phone] request in
            let token = try phone.sent(DeferredLinkRequest.self, request).token
            return try .json(token == "right" ? DeferredLinkAnswer.link(Self.beach) : .none)
        }
        let client = startedClient()
        #expect(await client.deferredLink(within: .seconds(3)) == .none)

        client.claimDeferredLink("wrong")
        #expect(await client.deferredLink(within: .seconds(3)) == .none)
        client.claimDeferredLink("right")

        guard case .link(let link) = await client.deferredLink(within: .seconds(3)) else {
            return #expect(Bool(false), "The code is right.")
        }
        #expect(link.resolved == .beach)
        #expect(phone.server.requests("POST", WirePath.deferredLink).count == 2)
        await client.shutdown()
    }

    @Test("A claim survives a kill, and is sent until it is answered")
    func claimSurvives() async throws {
        phone.server.isOffline = true
        let client = phone.linkApp()
        client.claimDeferredLink("4f2a")
        await phone.storageHolds(.outbox) { $0.contains("4f2a") }
        let next = phone.killed()
        next.server.isOffline = false
        try next.answersLinks(deferred: .link(Self.beach))

        let second = next.linkApp()
        second.start()

        #expect(await second.nextLink()?.isDeferred == true)
        #expect(try next.sent(FirstOpenRequest.self, next.firstOpenRequests.last).deferred?.token == "4f2a")
        await second.shutdown()
        await client.shutdown()

        let third = next.killed().linkApp()
        third.start()
        await next.waitForFirstOpen(count: 2)
        #expect(try next.sent(FirstOpenRequest.self, next.firstOpenRequests.last).deferred == nil)
        await third.shutdown()
    }

    @Test("Collection off: only the person's claim is asked for", arguments: [true, false])
    func off(isClaimed: Bool) async throws {
        try phone.answersLinks(deferred: .link(Self.beach))
        let client = phone.linkApp { $0.collection = .off }
        if isClaimed { client.claimDeferredLink("4f2a") }
        client.start()

        let result = await client.deferredLink(within: .seconds(3))

        #expect((result == .none) == !isClaimed)
        await client.waitForProfile()
        #expect(try deferredRequests() == [isClaimed ? DeferredLinkRequest(token: "4f2a") : nil])
        await client.shutdown()
    }

    @Test(
        "A text that cannot be a code is refused", arguments: ["", "  ", " - ", "4f2ä", "a\u{7}b", String(repeating: "a", count: 513)])
    func noCode(text: String) async {
        #expect(!phone.linkApp().claimDeferredLink(text))
        await phone.settle()
        #expect(phone.text(of: .outbox).isEmpty)
    }

    @Test("A link that is not safe to follow counts as no link", arguments: ["javascript:alert(1)", ""])
    func evil(link: String) async throws {
        var evil = Self.beach
        evil.original = link
        try phone.answersLinks(deferred: .link(evil))
        let client = startedClient()

        #expect(await client.deferredLink(within: .seconds(3)) == .none)
        await client.shutdown()
    }
}

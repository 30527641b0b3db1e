// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("An overloaded server is asked later", .timeLimit(.minutes(1)))
struct LinkLimitTests {
    let phone = Phone()

    @Test("A code that may not be sent now is kept, sent again later, and found")
    func code() async throws {
        try phone.answersLinks()
        let tries = Locked(0)
        phone.server.on("POST", WirePath.deferredLink) { _ in
            try tries.withLock {
                $0 += 1
                return try $0 < 3 ? .problem(429, .rateLimited) : .json(DeferredLinkAnswer.link(DeferredLinkTests.beach))
            }
        }
        let client = phone.linkApp()
        client.start()
        #expect(await client.deferredLink(within: .seconds(3)) == .none)
        client.claimDeferredLink("4f2a")
        let listening = Task { await client.nextLink() }

        await phone.pass(.seconds(5))

        #expect(await listening.value?.isDeferred == true)
        #expect(tries.withLock { $0 } == 3)
        await client.shutdown()
    }

    @Test("A first open without an answer about a code has not answered it")
    func silentOpen() async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        phone.server.on("POST", WirePath.deferredLink) { _ in try .json(DeferredLinkAnswer.link(DeferredLinkTests.beach)) }
        let client = phone.linkApp()
        client.claimDeferredLink("4f2a")
        client.start()

        #expect(await client.nextLink()?.isDeferred == true)
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).deferred?.token == "4f2a")
        await client.shutdown()
    }

    @Test("A click that is refused for now stays, with its key, until it is accepted")
    func click() async throws {
        try phone.answersLinks()
        let keys = Locked<[IdempotencyKey]>([])
        phone.server.on("POST", WirePath.linkOpen) { [phone] request in
            let sent = try phone.sent(LinkOpenRequest.self, request)
            let isTaken = keys.withLock {
                $0.append(sent.key)
                return $0.count > 2
            }
            return try isTaken
                ? .json(LinkOpenAnswer(status: .passedThrough, original: sent.url)) : .problem(429, .rateLimited)
        }
        let client = phone.linkApp()
        client.start()
        await phone.waitForFirstOpen(count: 1)
        await client.waitForProfile()
        await phone.settle()
        client.recordClick(.scheme)

        await phone.pass(.seconds(30))

        let sent = keys.withLock { $0 }
        #expect(sent.count == 3)
        #expect(Set(sent).count == 1)
        await client.shutdown()
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Questions about where a link leads", .timeLimit(.minutes(1)))
struct LinkQuestionTests {
    let phone = Phone()

    init() throws { try phone.answersLinks() }

    @Test("Many links and a dead network: after the first try they take turns, less and less often, each click in one request")
    func turns() async throws {
        let client = await phone.startedLinkApp()
        phone.server.isOffline = true
        let links = (0..<4).map { URL(string: "https://brandname.go.link/link-\($0)")! }
        for link in links { client.receive(link) }
        await phone.server.waitForRequests("POST", WirePath.linkOpen, count: links.count)
        await phone.settle()
        #expect(try askedURLs().sorted() == links.map(\.absoluteString))

        await phone.pass(.seconds(20))

        let again = try askedURLs().dropFirst(links.count)
        #expect((3...5).contains(again.count), "After 1, 2, 4 and 8 s, more or less.")
        #expect(Set(again.prefix(4)).count == min(again.count, 4), "Who has waited longest is next.")
        await client.shutdown()
    }

    @Test("Once one of them is answered the others follow at once")
    func follow() async throws {
        let client = await phone.startedLinkApp()
        phone.server.isOffline = true
        for number in 0..<4 { client.receive(URL(string: "https://brandname.go.link/link-\(number)")!) }
        await phone.server.waitForRequests("POST", WirePath.linkOpen, count: 4)
        await phone.settle()
        phone.server.isOffline = false

        await phone.pass(.milliseconds(1_200))

        await phone.server.waitForRequests("POST", WirePath.linkOpen, count: 8)
        await phone.settle()
        #expect(phone.linkRequests.count == 8)
        #expect(try phone.recordedClicks().count == 4)
        for _ in 0..<4 { #expect(await client.nextLink()?.status == .passedThrough) }
        await client.shutdown()
    }

    @Test("A new tap does not wait for another link's retry")
    func newTap() async throws {
        let client = await phone.startedLinkApp()
        phone.server.isOffline = true
        client.receive(URL(string: "https://brandname.go.link/link-1")!)
        await phone.pass(.seconds(4))
        phone.server.isOffline = false

        #expect(await client.open(.short, from: .app).status == .resolved)
        await client.shutdown()
    }

    @Test("The listener for a link ends during its question: after a failure the question is repeated, and the link comes resolved")
    func listenerGone() async throws {
        let client = await phone.startedLinkApp()
        phone.opens { [clock = phone.clock] _ in
            try await clock.sleep(until: clock.now.advanced(by: .milliseconds(500)))
            throw TransportError(.connectionFailed)
        }
        let listening = Task { await client.nextLink() }
        await phone.settle()
        client.receive(.short)
        await phone.settle()
        listening.cancel()
        #expect(await listening.value == nil)
        await phone.pass(.seconds(1))

        try phone.answersLinks()
        await phone.pass(.seconds(3))

        #expect(try phone.recordedClicks().count == 1)
        #expect(await client.nextLink()?.status == .resolved)
        await client.shutdown()
    }

    @Test("An impossible time in changed files does not crash the app", arguments: [Int64.min, Int64.min + 1, -1, Int64.max])
    func impossibleTime(time: Int64) async throws {
        let client = await phone.startedLinkApp()
        phone.server.isOffline = true
        for url in [URL.short, .long, .scheme] { client.receive(url) }
        client.record("trial_started")
        await phone.settle()
        await client.shutdown()
        var next = phone.killed()
        let files = next.storage.files.mapValues { data in
            Data(String(decoding: data, as: UTF8.self).replacing(/"acceptedAt":\d+/, with: "\"acceptedAt\":\(time)").utf8)
        }
        #expect(files != next.storage.files)
        next.storage = MemoryStorage(files)
        next.server.isOffline = false

        let again = await next.startedLinkApp()
        await next.pass(.seconds(20))

        #expect(await again.open(.short, from: .app).status == .resolved)
        for request in try next.linkRequests.map({ try next.sent(LinkOpenRequest.self, $0) }) { #expect(request.ageMilliseconds >= 0) }
        await again.shutdown()
    }

    @Test("A question that ended with collection does not block a new one when collection is on again")
    func collectionOffAndOn() async throws {
        let client = await phone.startedLinkApp()
        phone.opens { [phone] _ in
            _ = try await phone.never()
            throw TransportError(.timedOut)
        }
        client.receive(.short)
        await phone.settle()
        client.collection = .off
        await phone.settle()
        client.collection = .full
        phone.server.isOffline = true
        let count = phone.linkRequests.count

        client.receive(URL(string: "https://brandname.go.link/link-1")!)
        await phone.pass(.seconds(5))

        #expect(phone.linkRequests.count - count >= 3)
        await client.shutdown()
    }

    @Test("A flush that has chosen a click does not send it when the link's question was answered meanwhile")
    func chosenClick() async throws {
        let client = await phone.startedLinkApp()
        let launch = client.launch
        let mayAnswer = Locked(false)
        phone.opens { [phone] request in
            await phone.eventually { mayAnswer.withLock(\.self) }
            return LinkOpenAnswer(status: .resolved, original: request.url, resolved: URL.beach.absoluteString)
        }
        client.receive(.short)
        await phone.server.waitForRequests("POST", WirePath.linkOpen)
        // Two flushes at once are one.
        await phone.eventually { launch.read { !$0.outbox.hasItems && !$0.outbox.flush.isRunning } }
        let install = try #require(launch.read(\.install))

        let chosen = Locked<Set<String>>([])
        await launch.outbox.flush(as: install.id) { [phone] call in
            chosen.withLock { $0.formUnion(call.keys) }
            mayAnswer.withLock { $0 = true }
            await phone.eventually { launch.read { $0.links.questions.values.allSatisfy { !$0.bringsClick } } }
            return try await launch.deliver(call, as: install)
        }

        #expect(await client.nextLink()?.resolved == .beach)
        #expect(chosen.withLock(\.count) == 1)
        #expect(phone.linkRequests.count == 1)
        await client.shutdown()
    }

    private func askedURLs() throws -> [String] {
        try phone.linkRequests.map { try phone.sent(LinkOpenRequest.self, $0).url }
    }
}

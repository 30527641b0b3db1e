// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Opening links", .timeLimit(.minutes(1)))
struct OpeningTests {
    let phone = Phone()

    func startedClient(_ change: (inout LandfallConfiguration) -> Void = { _ in }) async -> LandfallClient {
        let client = phone.linkApp(change)
        client.start()
        await client.waitForProfile()
        await phone.settle()
        return client
    }

    @Test("A tap inside the app is resolved, and no click recorded: the server does not learn who tapped")
    func app() async throws {
        try phone.answersLinks()
        let client = await startedClient()

        let link = await client.open(.short, from: .app)

        #expect(link == OpenedLink(original: .short, resolved: .beach, status: .resolved, destination: .beach))
        let request = try #require(phone.linkRequests.first)
        #expect(try !phone.sent(LinkOpenRequest.self, request).recordsClick)
        #expect(request.headers[WireHeader.profile.lowercased()] == nil)
        #expect(try phone.recordedClicks().isEmpty)
        await client.shutdown()
    }

    @Test("Links that need no server are answered without it, even before start", arguments: [URL.scheme, .universal, .long])
    func direct(url: URL) async throws {
        let client = phone.linkApp()

        let link = await client.open(url, from: .app)

        #expect(link.status == .passedThrough)
        #expect(link.resolved == url)
        #expect(link.destination != nil)
        #expect(phone.server.requests.isEmpty)
        await client.shutdown()
    }

    @Test("From the system the click is recorded, once for several calls and for hooks that deliver it too")
    func system() async throws {
        try phone.answersLinks()
        let client = await startedClient()

        client.recordClick(.short)
        async let first = client.resolve(.short, from: .system)
        async let second = client.resolve(.short, from: .system)
        let links = await [first, second]
        client.receive(.short)
        let received = await client.nextLink()
        await phone.settle()

        #expect(links.map(\.resolved) == [.beach, .beach])
        #expect(received?.resolved == .beach)
        #expect(try phone.recordedClicks().count == 1)
        phone.clock.advance(by: .seconds(2))
        client.recordClick(.short)
        try await phone.eventually { try phone.recordedClicks().count == 2 }
        await client.shutdown()
    }

    @Test("A click that is recorded alone survives a kill")
    func recordedClickSurvives() async throws {
        try phone.answersLinks()
        let first = phone.linkApp()
        #expect(first.recordClick(.scheme))
        await phone.outboxHolds(URL.scheme.absoluteString)

        let next = phone.killed()
        let second = next.linkApp()
        second.start()

        try await next.eventually { try !next.recordedClicks().isEmpty }
        #expect(try next.recordedClicks().values.map(\.self) == [URL.scheme.absoluteString])
        await second.shutdown()
        await first.shutdown()
    }

    @Test(
        "The caller gets the server's answer about a link",
        arguments: [
            (LinkStatus.notFound, LinkStatus.notFound, URL.short), (.expired, .expired, .short),
            (.passedThrough, .passedThrough, .short), (.invalid, .invalid, .short),
        ])
    func statuses(said: LinkStatus, status: LinkStatus, resolved: URL) async throws {
        try phone.answersLinks()
        phone.opens { LinkOpenAnswer(status: said, original: $0.url, resolved: "https://evil.example/") }
        let client = await startedClient()

        let link = await client.resolve(.short, from: .app)

        #expect(link.status == status)
        #expect(link.original == .short)
        #expect(link.resolved == resolved)
        await client.shutdown()
    }

    @Test(
        "An answer with an unsafe destination is not followed",
        arguments: ["javascript:alert(1)", "", "https://ex\u{430}mple.com/"])
    func evilAnswer(resolved: String) async throws {
        try phone.answersLinks()
        phone.opens { LinkOpenAnswer(status: .resolved, original: $0.url, resolved: resolved) }
        let client = await startedClient()

        #expect(await client.resolve(.short, from: .app) == OpenedLink(original: .short, status: .invalid))
        await client.shutdown()
    }

    @Test(
        "If the server cannot be reached, or another server answers, the caller gets the error at once",
        arguments: ["offline", "reset", "portal", "busy", "wrong key", "garbage"])
    func unreachable(how: String) async throws {
        try phone.answersLinks()
        let client = await startedClient()
        phone.server.on("POST", WirePath.linkOpen) { _ in
            switch how {
            case "offline": throw TransportError(.offline)
            case "reset": throw TransportError(.connectionFailed)
            case "portal":
                return .stranger(200, body: #"{"status":"resolved","original":"x","resolved":"https://evil.example/"}"#)
            case "busy": return try .problem(503, .busy)
            case "wrong key": return try .problem(401, .invalidKey)
            default: return ScriptedAnswer(body: Data("{".utf8))
            }
        }
        let before = phone.clock.now

        let link = await client.resolve(.short, from: .system)

        #expect(link == OpenedLink(original: .short, status: .offline))
        #expect(phone.clock.now == before)
        let click = try #require(try phone.recordedClicks().keys.first, "The click was sent,")
        let tries = phone.linkRequests.count
        try phone.answersLinks()
        client.enteredForeground()
        // If the failure is noted after the app's return, the next try is a second later.
        while client.explain().queue.clicks > 0, !Task.isCancelled { await phone.pass(.milliseconds(250)) }
        let again = try phone.linkRequests.dropFirst(tries).map { try phone.sent(LinkOpenRequest.self, $0) }
        #expect(again.contains { $0.recordsClick && $0.key == click }, "and is sent again until the server has taken it.")
        #expect(try phone.recordedClicks().count == 1)
        await client.shutdown()
    }

    @Test("A silent server costs at most two and a half seconds; the original is always returned")
    func silence() async throws {
        try phone.answersLinks()
        phone.server.on("POST", WirePath.linkOpen) { [phone] _ in try await phone.never() }
        let client = await startedClient()
        let opened = Task { await client.resolve(.short, from: .app) }
        await phone.server.waitForRequests("POST", WirePath.linkOpen)

        await phone.pass(.milliseconds(2_499))
        #expect(client.runningOperations > 0)
        phone.clock.advance(by: .milliseconds(1))

        #expect(await opened.value == OpenedLink(original: .short, status: .timedOut))
        await phone.settle()
        #expect(client.runningOperations == 0, "What nobody waits for is not asked for.")
        await client.shutdown()
    }

    @Test(
        "Before start the caller waits at most two and a half seconds; started meanwhile, it gets the answer",
        arguments: [true, false])
    func beforeStart(isStarted: Bool) async throws {
        try phone.answersLinks()
        let client = phone.linkApp()
        let opened = Task { await client.resolve(.short, from: .app) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }

        if isStarted { client.start() } else { phone.clock.advance(by: .milliseconds(2_500)) }

        #expect(await opened.value.status == (isStarted ? .resolved : .timedOut))
        await client.shutdown()
    }

    @Test("Denied a network path the caller gets its answer at once")
    func noPath() async throws {
        try phone.answersLinks()
        let client = await startedClient()
        client.networkPathChanged(isSatisfied: false, isDenied: true)

        #expect(await client.resolve(.short, from: .app).status == .offline)
        #expect(phone.linkRequests.isEmpty)
        client.networkPathChanged(isSatisfied: true)
        #expect(await client.resolve(.short, from: .app).status == .resolved)
        await client.shutdown()
    }

    @Test(
        "A hundred calls at once are each answered once, whatever the server does",
        arguments: ["answers", "silent", "offline", "disabled", "shut down", "cancelled"])
    func hundred(how: String) async throws {
        try phone.answersLinks()
        let client = await startedClient { $0.collection = how == "disabled" ? .off : .full }
        if how != "answers" { phone.server.on("POST", WirePath.linkOpen) { [phone] _ in try await phone.never() } }
        if how == "offline" { phone.server.isOffline = true }
        let links = (0..<100).map { URL(string: "https://brandname.go.link/\($0 % 50)")! }
        let calls = links.map { link in Task { await client.resolve(link, from: link.path.count == 2 ? .app : .system) } }

        if how == "silent" {
            while client.runningOperations < 100, !Task.isCancelled { await Task.yield() }
            phone.clock.advance(by: .milliseconds(2_500))
        }
        if how == "shut down" {
            while client.runningOperations < 100, !Task.isCancelled { await Task.yield() }
            await client.shutdown()
        }
        if how == "cancelled" { for call in calls { call.cancel() } }

        var answers: [OpenedLink] = []
        for call in calls { answers.append(await call.value) }
        let expected: [String: LinkStatus] = ["answers": .passedThrough, "offline": .offline, "disabled": .disabled]
        #expect(answers.map(\.original) == links)
        #expect(Set(answers.map(\.status)) == [expected[how] ?? .timedOut])
        await client.shutdown()
        #expect(client.runningOperations == 0)
    }

    @Test("A cancelled caller leaves nothing behind, and the next one asks anew")
    func cancelled() async throws {
        try phone.answersLinks()
        phone.server.on("POST", WirePath.linkOpen) { [phone] _ in try await phone.never() }
        let client = await startedClient()
        let opened = Task { await client.resolve(.short, from: .app) }
        await phone.server.waitForRequests("POST", WirePath.linkOpen)

        opened.cancel()

        #expect(await opened.value == OpenedLink(original: .short, status: .timedOut))
        await phone.eventually { client.runningOperations == 0 && phone.server.openExchanges == 0 }
        try phone.answersLinks()
        #expect(await client.resolve(.short, from: .app).status == .resolved)
        await client.shutdown()
    }

    @Test("After shutdown a call is answered at once")
    func afterShutdown() async {
        let client = phone.linkApp()
        await client.shutdown()

        #expect(await client.resolve(.short, from: .system).status == .timedOut)
        #expect(await client.nextLink() == nil)
        #expect(await client.deferredLink(within: .seconds(3)) == .pending)
    }

    @Test("Callers that ask for the same link at the same time share one request")
    func shared() async throws {
        try phone.answersLinks()
        let client = await startedClient()
        phone.server.on("POST", WirePath.linkOpen) { [phone] _ in
            try await phone.clock.sleep(until: phone.clock.now.advanced(by: .seconds(1)))
            return try .json(LinkOpenAnswer(status: .notFound, original: URL.short.absoluteString))
        }
        let calls = (0..<20).map { _ in Task { await client.resolve(.short, from: .app) } }
        while client.runningOperations < 20, !Task.isCancelled { await Task.yield() }

        await phone.pass(.seconds(1))

        for call in calls { #expect(await call.value.status == .notFound) }
        #expect(phone.linkRequests.count == 1)
        await client.shutdown()
    }
}

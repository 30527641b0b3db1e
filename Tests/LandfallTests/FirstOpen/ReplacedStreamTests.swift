// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A first-open stream that was replaced", .timeLimit(.minutes(1)))
struct ReplacedStreamTests {
    let phone = Phone()

    @Test("removes nothing from the outbox that the next stream contains, although a line of it comes late")
    func lateLine() async throws {
        try phone.streams()
        phone.server.on("POST", WirePath.linkOpen) { _ in throw TransportError(.connectionFailed) }
        let transport = LateLine(phone.server)
        let client = phone.linkApp { $0.transport = transport }
        client.start()
        await phone.pass(.seconds(1))
        #expect(transport.hasAnswered)
        client.recordClick(.short)
        while phone.firstOpenRequests.isEmpty, !Task.isCancelled { await phone.pass(.seconds(1)) }
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).links.count == 1)

        transport.say(try WireCoding.encode(FirstOpenLine.profile(.anna())) + Data("\n".utf8))
        await phone.settle()

        #expect(client.explain().queue.clicks == 1)
        await client.shutdown()
    }

    @Test("does not hide that an earlier launch's token was enough: an answer that knows more brings the profile, before the phone's own token")
    func earlierToken() async throws {
        try phone.streams([.profile(.anna()), .attribution(.pending), .end(.replaced)])
        phone.plain { kind in try .json(kind == .default ? PaywallAnswer.everyone() : .targeted()) }
        phone.server.on("GET", WirePath.profile) { _ in
            try .json(ProfileAnswer(profile: .anna(version: 2, attributionVersion: 1), attribution: .appleAds))
        }
        let client = phone.app(tokens: ScriptedAdTokens(.held))
        client.start()

        let shown = try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(5)) }

        #expect(shown.paywall?.name == .appleAds)
        #expect(shown.attribution == .appleAds)
        #expect(shown.elapsed < .seconds(1))
        await client.shutdown()
    }
}

/// Answers the first first open with a body that ignores its reader's cancellation: its only line arrives after the client has
/// ended the exchange.
private final class LateLine: Transport {
    private let server: ScriptedTransport
    private let line: Task<Data?, Never>
    private let said: AsyncStream<Data>.Continuation
    private let answered = Locked(false)

    var hasAnswered: Bool { answered.withLock { $0 } }

    init(_ server: ScriptedTransport) {
        let (lines, said) = AsyncStream<Data>.makeStream()
        self.server = server
        self.said = said
        line = Task { await lines.first { _ in true } }
    }

    func say(_ data: Data) { said.yield(data) }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        guard request.url.path == WirePath.firstOpen, isFirst() else { return try await server.send(request) }
        let body = AsyncThrowingStream<Data, any Error>(unfolding: { [line] in await line.value })
        return TransportAnswer(status: 200, headers: ScriptedAnswer.landfallHeaders, body: body)
    }

    private func isFirst() -> Bool {
        answered.withLock { answered in
            defer { answered = true }
            return !answered
        }
    }
}

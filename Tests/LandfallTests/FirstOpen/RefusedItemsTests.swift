// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A first open whose items the server refuses", .timeLimit(.minutes(1)))
struct RefusedItemsTests {
    let phone = Phone()
    private let link = URL(string: "https://brandname.go.link/beach")!

    /// Refuses each first open that contains such an item, and answers the others.
    private func refuses(_ isBad: @escaping @Sendable (FirstOpenRequest) -> Bool) {
        phone.server.on("POST", WirePath.firstOpen) { request in
            let sent = try WireCoding.decode(FirstOpenRequest.self, from: request.body ?? Data())
            guard !isBad(sent) else { return try .problem(400, .invalidValue) }
            return try .lines([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        }
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(400, .invalidValue) }
    }

    private func sent() throws -> [FirstOpenRequest] { try phone.firstOpenRequests.map { try phone.sent(FirstOpenRequest.self, $0) } }

    @Test("A bad attribute change: it is sent again at once without the changes, and the paywall comes from it")
    func attribute() async throws {
        refuses { !$0.attributeChanges.isEmpty }
        let client = phone.app(tokens: ScriptedAdTokens(.token("t")))
        try client.setAttributes(["age": .string("33")])
        client.start()

        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.server.waitForRequests("POST", WirePath.attributes)
        await phone.eventually { phone.log.count("refused an item of the outbox") > 0 }
        await phone.settle()

        #expect(shown.paywall?.name == .default)
        #expect(shown.elapsed == .zero)
        #expect(try sent().map(\.attributeChanges.count) == [1, 0])
        #expect(try sent().map(\.adToken) == [.value("t"), .value("t")])
        #expect(client.explain().queue.attributeChanges == 0, "The outbox reports it, and drops it.")
        #expect(phone.log.count("refused an item of the outbox") == 1)
        await client.shutdown()
    }

    @Test("Too many links: it is sent again without them")
    func links() async throws {
        refuses { !$0.links.isEmpty }
        phone.server.on("POST", WirePath.linkOpen) { _ in throw TransportError(.connectionFailed) }
        let client = phone.linkApp()
        client.recordClick(link)
        client.start()

        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(shown.paywall?.name == .default)
        #expect(try sent().map(\.links.count) == [1, 0])
        #expect(client.explain().queue.clicks == 1, "It follows by itself.")
        await client.shutdown()
    }

    @Test("A wrong key is not about the items: it is sent once")
    func caller() async throws {
        phone.firstOpen { try .problem(401, .invalidKey) }
        phone.plain { _ in try .problem(401, .invalidKey) }
        let client = phone.app()
        try client.setAttributes(["age": .string("33")])
        client.start()
        await phone.waitForFirstOpen()
        await phone.pass(.seconds(2))

        #expect(phone.firstOpenRequests.count == 1)
        await client.shutdown()
    }

    @Test("A proxy that cuts each stream after its first line: the pauses grow all the same")
    func cut() async throws {
        phone.firstOpen {
            let body = ScriptedBody()
            try body.say(.undecided)
            body.fail()
            return ScriptedAnswer(body: body)
        }
        phone.server.on("GET", WirePath.profile) { [phone] _ in try await phone.never() }
        let client = phone.app()
        client.start()
        await phone.waitForFirstOpen()

        await phone.pass(.seconds(60))

        #expect((3...9).contains(phone.firstOpenRequests.count), "\(phone.firstOpenRequests.count)")
        await client.shutdown()
    }
}

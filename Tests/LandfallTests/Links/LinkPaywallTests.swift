// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// A link that is tapped in a running app, after everything about its paywall was final.
@Suite("A tap and the paywall for it", .timeLimit(.minutes(1)))
struct LinkPaywallTests {
    private actor Person {
        private(set) var hasTapped = false
        func tapped() { hasTapped = true }
    }

    let phone = Phone()
    private let person = Person()

    @Test("The paywall that is asked for right after a tap is the one for its campaign", arguments: [URL.universal, .short])
    func campaign(link: URL) async throws {
        let client = try await running()
        serve { [person] _ in await person.tapped() }

        client.receive(link)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall.name == .appleAds)
        #expect((.milliseconds(300) ... .seconds(1)).contains(result.elapsed))
        await client.shutdown()
    }

    @Test("A tap that changes nothing costs the way of its click, and no more")
    func nothingNew() async throws {
        let client = try await running()
        serve { _ in }

        client.receive(.universal)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall.name == .default)
        #expect((.milliseconds(300) ... .seconds(1)).contains(result.elapsed))
        await client.shutdown()
    }

    @Test("A click that cannot be sent keeps nobody waiting")
    func failed() async throws {
        let client = try await running()
        serve { _ in throw TransportError(.connectionFailed) }

        client.receive(.universal)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.pass(.seconds(1))

        #expect(try await shown.elapsed <= .milliseconds(500))
        await client.shutdown()
    }

    @Test("The deadline holds however long the click takes")
    func slow() async throws {
        let client = try await running()
        serve { [phone] _ in _ = try await phone.never() }

        client.receive(.universal)
        async let shown = client.paywall(for: .onboarding, within: .seconds(2))
        await phone.pass(.seconds(3))

        #expect(try await shown.elapsed == .seconds(2))
        await client.shutdown()
    }

    /// The first open is over, and its paywall final.
    private func running() async throws -> LandfallClient {
        try phone.answersLinks()
        let client = phone.linkApp()
        client.start()
        await client.waitForProfile()
        await phone.settle()
        let first = try await client.paywall(for: .onboarding, within: .seconds(5))
        #expect(first.paywall.name == .default)
        return client
    }

    /// From now on a click takes 300 ms, and what the server says depends on whether it has heard of it.
    private func serve(click: @escaping @Sendable (LinkOpenRequest) async throws -> Void) {
        let clock = phone.clock
        phone.opens { request in
            try await clock.sleep(until: clock.now.advanced(by: .milliseconds(300)))
            try await click(request)
            return request.url == URL.short.absoluteString
                ? LinkOpenAnswer(status: .resolved, original: request.url, resolved: URL.beach.absoluteString)
                : LinkOpenAnswer(status: .passedThrough, original: request.url)
        }
        phone.server.on("GET", WirePath.profile) { [person] _ in
            try .json(ProfileAnswer(profile: .anna(version: await person.hasTapped ? 2 : 1), attribution: .notAttributed))
        }
        phone.server.on("GET", WirePath.paywall(of: .onboarding)) { [person] request in
            let mayHold = request.url.query?.contains("after=-1") == false
            while mayHold, await !person.hasTapped { try await clock.sleep(until: clock.now.advanced(by: .milliseconds(50))) }
            return try .json(await person.hasTapped ? PaywallAnswer.targeted() : .untargeted(final: true))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The client's log while it works", .timeLimit(.minutes(1)))
struct LoggingTests {
    var phone = Phone()

    init() { phone.deviceIDs = MemoryDeviceIDs("device-of-anna") }

    @Test("At debug each request, each change of state and each paywall with its reason is one line")
    func debug() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app(tokens: ScriptedAdTokens(.token("t"))) { $0.minimumLogLevel = .debug }
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await client.waitForProfile()
        await phone.settle()
        phone.clock.advance(by: .milliseconds(1_200))
        try body.say(.becomesTargeted)
        _ = try await shown.value
        await phone.settle()

        let lines = phone.log.texts
        #expect(lines.contains { $0.hasPrefix("[landfall] debug requests: POST /v1/first-open after 0 ms: 200") })
        #expect(lines.contains { $0.contains("debug client: The client: started.") })
        #expect(lines.contains { $0.contains("attribution: Attribution: attributed by apple_search_ads; it was: pending.") })
        #expect(lines.contains { $0.contains("attribution: The ad token: delivered") })
        #expect(lines.contains { $0.contains("profiles: The profile: version 2 of epoch 1, no customer; it was: version 1") })
        let verdict = lines.filter { $0.contains("paywalls: The call for 'onboarding' (matching) got 'apple-ads'") }
        #expect(verdict.count == 1)
        #expect(verdict.first?.contains("after 1.2 s, because the answer is final.") == true)
        #expect(Set(lines).count == lines.count, "Nothing is said twice.")
        await client.shutdown()
    }

    @Test("Below the minimum level nothing is logged; the default is warning")
    func minimum() async throws {
        try phone.streams(.undecided + .becomesOrganic)
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)
        phone.server.isOffline = true
        client.receive(URL(string: "javascript:alert(1)")!)

        #expect(phone.log.all.map(\.level) == [.warning])
        #expect(phone.log.all.map(\.category) == [.links])
        await client.shutdown()
    }

    @Test("No line of a whole session contains a secret, a token, an address or an id of a person")
    func secrets() async throws {
        let session = SecretSession(phone: phone)
        let client = try await session.run()

        let lines = phone.log.texts
        #expect(lines.count > 30)
        for secret in SecretSession.secrets {
            #expect(lines.filter { $0.contains(secret) } == [])
        }
        await client.shutdown()
    }

    @Test("The app's log may call the client: no lock is held while it runs")
    func reentrant() async throws {
        try phone.streams(.undecided + .becomesOrganic)
        let held = Locked<LandfallClient?>(nil)
        let client = phone.app { configuration in
            configuration.minimumLogLevel = .debug
            configuration.log = { [log = phone.log] line in
                log.note(line)
                guard let client = held.withLock({ $0 }) else { return }
                _ = client.explain()
                _ = client.collection
            }
        }
        held.withLock { $0 = client }
        client.start()
        _ = try await client.paywall(for: .onboarding)
        client.receive(.scheme)
        try client.setAttributes(["a": .bool(true)])

        #expect(phone.log.all.count > 10)
        await client.shutdown()
        held.withLock { $0 = nil }
    }
}

/// Everything private that an app passes to the SDK.
struct SecretSession {
    static let secrets = [
        "pk_test", "c2VjcmV0", "device-of-anna", "ad-token-of-anna", "customer-of-anna", "identity-token", "anna@example.com",
        "s3cret-promo", "reset-of-anna", "CODE-OF-ANNA", "scene-of-anna", "key-of-anna",
    ]

    let phone: Phone

    /// A launch in which everything happens, and much of it fails.
    func run() async throws -> LandfallClient {
        try phone.answersLinks(deferred: .pending)
        let body = try phone.streams(.undecided)
        for path in [WirePath.identify, WirePath.logout, WirePath.attributes, WirePath.events, WirePath.attribution] {
            phone.server.on("POST", path) { _ in try .problem(500, .internalError) }
        }
        let client = phone.linkApp { configuration in
            configuration.adTokens = ScriptedAdTokens(.failure(.failed("offline")), .token("ad-token-of-anna"))
            configuration.minimumLogLevel = .debug
        }
        client.receive(URL(string: "https://brandname.go.link/summer?promo=s3cret-promo")!, scene: "scene-of-anna")
        client.start()
        await phone.pass(.seconds(2))
        await client.waitForProfile()
        try client.setAttributes(["key-of-anna": .string("anna@example.com")])
        client.receive(URL(string: "https://example.com/reset?token=reset-of-anna")!)
        client.receive(URL(string: "fb1://authorize#access_token=reset-of-anna")!)
        client.receive(URL(string: "https://click.mail.example/s3cret-promo")!)
        client.claimDeferredLink("CODE-OF-ANNA")
        _ = try? await client.identify("customer-of-anna", token: "identity-token")
        let opening = Task { await client.open(URL(string: "https://brandname.go.link/s3cret-promo")!, from: .app) }
        await phone.pass(.seconds(5))
        _ = await opening.value
        try body.say(.becomesTargeted)
        client.recordExposure(of: try await client.paywall(for: .onboarding))
        phone.server.isOffline = true
        let nowhere = Task { try await client.paywall(for: "nowhere", within: .seconds(1)) }
        await client.waitForCalls()
        await phone.pass(.seconds(2))
        _ = await nowhere.result
        phone.server.isOffline = false
        phone.storage.isFull = true
        try client.setAttributes(["key-of-anna": .number(1)])
        await phone.pass(.seconds(20))
        phone.storage.isFull = false
        await phone.pass(.seconds(20))
        return client
    }
}

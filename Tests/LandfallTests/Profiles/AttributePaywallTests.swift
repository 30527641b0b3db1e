// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// The app sets an attribute, or reports where a person came from, after everything about the paywall was final.
@Suite("A change of attributes and the paywall requested with it", .timeLimit(.minutes(1)))
struct AttributePaywallTests {
    private let phone = Phone()
    private let person = ChangingPerson()

    @Test("The paywall is the one for the new attribute: one request for the change, one question")
    func attribute() async throws {
        let client = try await running()
        serveChanges()

        try client.setAttributes(["plan": "pro"])
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall?.name == .pro)
        #expect(result.elapsed.isAbout(.milliseconds(250)))
        #expect(changes.count == 1)
        #expect(phone.plainRequests.count == 1)
        await client.shutdown()
    }

    @Test("The paywall is the one for another provider's attribution, too")
    func claim() async throws {
        let client = try await running()
        serveChanges()

        try client.reportAttribution(source: "appsflyer", status: .nonOrganic, campaign: "spring")
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        #expect(try await shown.paywall?.name == .pro)
        #expect(phone.plainRequests.count == 1)
        await client.shutdown()
    }

    @Test("A call that already waits when the attribute is set waits for it too")
    func waitingAlready() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.waitForFirstOpen()
        await client.waitForProfile()
        serveChanges(version: 3)

        try client.setAttributes(["plan": "pro"])
        await phone.settle()
        try body.say(.becomesOrganic)
        await phone.pass(.seconds(2))

        #expect(try await shown.paywall?.name == .pro)
        await client.shutdown()
    }

    @Test("An attribute that the profile has already delays no call")
    func known() async throws {
        let client = try await running()
        serveChanges()
        try client.setAttributes(["plan": "pro"])
        await phone.pass(.seconds(1))
        #expect(client.profile?.customAttributes["plan"] == "pro")
        _ = try await client.paywall(for: .onboarding, within: .seconds(5))
        serveChanges(after: .seconds(100))

        try client.setAttributes(["plan": "pro", "gone": nil])

        #expect(try await client.paywall(for: .onboarding).elapsed == .zero)
        await client.shutdown()
    }

    @Test("One attribute that the server refuses holds nothing up, and the next one counts")
    func refused() async throws {
        let client = try await running()
        serveChanges { attributes in
            guard attributes["plan"] != .some(.string("pro")) else { return nil }
            return try ScriptedAnswer.problem(400, .invalidValue)
        }

        try client.setAttributes(["plan": "wrong"])
        try client.setAttributes(["plan": "pro"])
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall?.name == .pro)
        #expect(result.elapsed.isAbout(.milliseconds(500)))
        await client.shutdown()
    }

    @Test(
        "Without a network the call waits no longer than without the attribute",
        arguments: [TransportError.Kind.offline, .connectionFailed])
    func offline(kind: TransportError.Kind) async throws {
        let client = try await running()
        phone.server.on("POST", WirePath.attributes) { _ in throw TransportError(kind) }

        try client.setAttributes(["plan": "pro"])
        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .default)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("On a silent network the call gets at its deadline what was there")
    func silent() async throws {
        let client = try await running()
        phone.server.on("POST", WirePath.attributes) { [phone] _ in try await phone.never() }

        try client.setAttributes(["plan": "pro"])
        async let shown = client.paywall(for: .onboarding, within: .seconds(3))
        await client.waitForCalls()
        #expect(client.explain().waits.contains { $0.what == "a change of attributes" })
        await phone.pass(.seconds(3))

        let result = try await shown
        #expect(result.paywall?.name == .default)
        #expect(result.elapsed == .seconds(3))
        await client.shutdown()
    }

    @Test("In the outbox's long pause after failures a change is sent at once where a call waits for it, and once")
    func pause() async throws {
        let client = try await running()
        phone.server.on("POST", WirePath.events) { _ in try .problem(503, .busy) }
        client.record("trial_started")
        await phone.pass(.seconds(120))
        let before = phone.server.requests("POST", WirePath.events).count
        phone.server.on("POST", WirePath.events) { request in
            let events = try WireCoding.decode(EventBatch.self, from: request.body ?? Data()).events
            return try .json(EventBatchAnswer(results: events.map { .init(id: $0.id, status: .accepted) }))
        }
        serveChanges()

        try client.setAttributes(["plan": "pro"])
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        #expect(try await shown.paywall?.name == .pro)
        #expect(phone.server.requests("POST", WirePath.events).count == before + 1)
        await client.shutdown()
    }

    @Test("A first open that is silent holds the attribute up for a moment only")
    func silentStream() async throws {
        try phone.streams()
        serveChanges()
        let client = phone.app()
        client.start()
        await phone.waitForFirstOpen()

        try client.setAttributes(["plan": "pro"])
        async let shown = client.paywall(for: .onboarding, within: .seconds(4))
        await client.waitForCalls()
        await phone.pass(.seconds(3))

        let result = try await shown
        #expect(result.paywall?.name == .pro)
        #expect(result.elapsed < .seconds(3))
        await client.shutdown()
    }

    @Test("A stored paywall of the same attribution waits for an attribute that was set before the start")
    func stored() async throws {
        try phone.streams(.becomesTargeted)
        let before = phone.app()
        before.start()
        _ = try await before.paywall(for: .onboarding)
        await phone.filesHold { $0.contains("apple-ads") }
        await before.shutdown()
        let body = try phone.streams()

        let client = phone.app()
        try client.setAttributes(["plan": "pro"])
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.waitForFirstOpen(count: 2)
        try body.say(
            .profile(.anna(version: 3, attributionVersion: 1).with(plan: "pro")), .attribution(.appleAds),
            .paywall(.pro(version: 3)), .end(.final))

        #expect(try await shown.paywall?.name == .pro)
        await client.shutdown()
    }

    private var changes: [TransportRequest] { phone.server.requests("POST", WirePath.attributes) }

    /// The first open is over, and its paywall final.
    private func running() async throws -> LandfallClient {
        phone.firstOpen {
            try .lines([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        await phone.settle()
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .default)
        return client
    }

    /// From now on a change takes a while, and the server's paywall depends on whether it has arrived.
    /// - Parameter refusal: of these attributes; nil: they are taken.
    private func serveChanges(
        after delay: Duration = .milliseconds(250), version: Int64 = 2,
        _ refusal: @escaping @Sendable ([String: AttributeValue?]) throws -> ScriptedAnswer? = { _ in nil }
    ) {
        let answer: @Sendable () async throws -> ScriptedAnswer = { [person] in
            await person.changed(version)
            return try .json(
                ProfileAnswer(
                    profile: .anna(version: version, attributionVersion: 1).with(plan: "pro"), attribution: .notAttributed))
        }
        phone.server.on("POST", WirePath.attributes) { [phone] request in
            let changes = try WireCoding.decode(AttributeChanges.self, from: request.body ?? Data()).attributes
            try await phone.clock.sleep(until: phone.clock.now.advanced(by: delay))
            if let refused = try refusal(changes) { return refused }
            return try await answer()
        }
        phone.server.on("POST", WirePath.attribution) { [phone] _ in
            try await phone.clock.sleep(until: phone.clock.now.advanced(by: delay))
            return try await answer()
        }
        phone.plain { [person] kind in
            guard kind == .matching else { return try .json(PaywallAnswer.everyone()) }
            let version = await person.version
            return try .json(version == 1 ? PaywallAnswer.untargeted(final: true) : .pro(version: version))
        }
    }
}

/// The server's state of the person whose attribute changes.
private actor ChangingPerson {
    private(set) var version: Int64 = 1
    func changed(_ version: Int64) { self.version = version }
}

extension WireProfile {
    func with(plan: String) -> WireProfile {
        var profile = self
        profile.customAttributes = ["plan": .string(plan)]
        return profile
    }
}

extension PaywallID {
    static let pro = PaywallID("pro")
}

extension PaywallAnswer {
    /// The paywall for people with the plan `pro`.
    static func pro(version: Int64) -> PaywallAnswer {
        var answer = PaywallAnswer.targeted(version: version, attributionVersion: 1)
        answer.audience = AudienceID("pro")
        answer.paywall = WirePaywall(name: .pro, variationId: VariationID("pro"), productIds: ["year"])
        return answer
    }
}

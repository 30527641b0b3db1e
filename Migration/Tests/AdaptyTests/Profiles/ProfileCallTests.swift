// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Profile calls", .timeLimit(.minutes(1)))
struct ProfileCallTests {
    private let server: ScriptedServer
    private var activation: Activation { server.activation }

    init() throws { server = try ScriptedServer() }

    @Test("A first launch waits for its profile")
    func firstProfile() async throws {
        try await server.activate()

        #expect(try await activation.profile().profileId == "ada")
    }

    @Test("Offline there is no profile after 5 seconds: 2005")
    func noProfile() async throws {
        server.transport.isOffline = true
        try activation.activate(ScriptedServer.configuration)
        let waiting = Task { try await activation.profile() }
        let moving = Task {
            while !Task.isCancelled {
                await server.clock.waitForSleeper()
                server.clock.advanceToNextSleeper()
            }
        }
        defer { moving.cancel() }

        let error = await #expect(throws: AdaptyError.self) { _ = try await waiting.value }

        #expect(error?.adaptyErrorCode == .networkFailed)
    }

    @Test("The id given at activation is attached, and retried after 1 and 2 seconds if the network failed")
    func customerUserId() async throws {
        let tries = Tries(failures: 2)
        server.transport.on("POST", WirePath.identify) { _ in
            if tries.next() { throw TransportError(.connectionFailed) }
            var profile = WireProfile(
                id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: 2, attributionVersion: 1
            )
            profile.customerId = "lovelace"
            return try .json(ProfileAnswer(profile: profile, attribution: .notAttributed))
        }
        let begun = server.clock.now
        try activation.activate(
            AdaptyConfiguration(
                apiKey: "pk_demo", customerUserId: "lovelace", serverURL: URL(string: "https://api.example.com")!
            )
        )
        let moving = Task {
            // In small steps, so that no time limit passes while an answer is on its way.
            while !Task.isCancelled { await server.clock.pass(.milliseconds(100)) }
        }
        defer { moving.cancel() }

        for await profile in try #require(activation.client).profiles where profile.customerID != nil {
            #expect(profile.customerID == "lovelace")
            break
        }

        #expect(server.transport.requests("POST", WirePath.identify).count == 3)
        #expect(begun.duration(to: server.clock.now) >= .seconds(3))
    }

    @Test("updateProfile returns after the server's answer: the attributes are in the profile then")
    func answered() async throws {
        let answer = ScriptedBody()
        server.transport.on("POST", WirePath.attributes) { _ in ScriptedAnswer(body: answer) }
        try await server.activate()
        _ = try await activation.profile()
        let updating = Task {
            try await activation.update(AdaptyProfileParameters.Builder().with(customAttribute: "pro", forKey: "plan").build())
            return try await activation.profile().customAttributes["plan"] as? String
        }

        await answer.waitForReader()
        var profile = WireProfile(
            id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: 2, attributionVersion: 1)
        profile.customAttributes = ["plan": .string("pro")]
        answer.send(try WireCoding.encode(ProfileAnswer(profile: profile, attribution: .notAttributed)))
        answer.finish()

        #expect(try await updating.value == "pro")
    }

    @Test("Attributes that the server refuses are 2003")
    func refused() async throws {
        server.transport.on("POST", WirePath.attributes) { _ in try .problem(400, .invalidValue) }
        try await server.activate()
        _ = try await activation.profile()

        let error = await #expect(throws: AdaptyError.self) {
            try await activation.update(AdaptyProfileParameters.Builder().with(customAttribute: "pro", forKey: "plan").build())
        }

        #expect(error?.adaptyErrorCode == .badRequest)
    }

    @Test("Attributes are sent with their values, and a removed attribute as null; offline they stay on the phone: 2005")
    func attributes() async throws {
        server.transport.on("POST", WirePath.attributes) { _ in throw TransportError(.offline) }
        try await server.activate()
        _ = try await activation.profile()

        let error = await #expect(throws: AdaptyError.self) {
            try await activation.update(
                AdaptyProfileParameters.Builder()
                    .with(email: "ada@example.com")
                    .with(customAttribute: "pro", forKey: "plan")
                    .withRemoved(customAttributeForKey: "trial")
                    .build()
            )
        }

        #expect(error?.adaptyErrorCode == .networkFailed)
        #expect(activation.client?.explain().queue.attributeChanges == 1)
        await server.transport.waitForRequests("POST", WirePath.attributes)
        let body = try #require(server.transport.requests("POST", WirePath.attributes).first?.body)
        let changes = try WireCoding.decode(AttributeChanges.self, from: body)
        #expect(changes.attributes == ["plan": .string("pro"), "trial": nil])
        #expect(!String(decoding: body, as: UTF8.self).contains("ada@example.com"))
    }

    @Test("With analytics off only essential data is sent")
    func analyticsDisabled() async throws {
        try activation.activate(ScriptedServer.configuration)

        try await activation.update(AdaptyProfileParameters.Builder().with(analyticsDisabled: true).build())

        #expect(activation.client?.collection == .essential)
    }

    @Test("Analytics, on or off, do not undo an opt-out")
    func optedOut() async throws {
        try activation.activate(ScriptedServer.configuration)
        activation.client?.collection = .off

        for disabled in [true, false] {
            try await activation.update(AdaptyProfileParameters.Builder().with(analyticsDisabled: disabled).build())
            #expect(activation.client?.collection == .off)
        }
    }
}

/// Fails this number of times, then succeeds.
///
/// `@unchecked Sendable`: `lock` guards `failures`.
private final class Tries: @unchecked Sendable {
    private let lock = NSLock()
    private var failures: Int

    init(failures: Int) { self.failures = failures }

    func next() -> Bool {
        lock.withLock {
            failures -= 1
            return failures >= 0
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import LandfallTesting
import Testing

@Suite("Completion handlers", .timeLimit(.minutes(1)))
struct LFLandfallTests {
    let clock = ManualClock()
    let server: ScriptedServer

    init() {
        server = ScriptedServer(clock: clock)
        server.shows("default", at: "onboarding", remoteConfig: ["title": "Hello"], productIDs: ["year"])
    }

    /// The value that a completion handler is called with.
    private func value<Value: Sendable>(_ call: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> Void) async throws
        -> Value
    {
        try await clock.run { await withCheckedContinuation { waiter in call { waiter.resume(returning: $0) } } }
    }

    @Test("A paywall is delivered once, on the main thread, and its exposure is counted")
    func paywall() async throws {
        let landfall = LFLandfall(server.client(preparing: ["onboarding"]))
        landfall.start()

        let result: LFPaywallResult? = try await value { done in
            landfall.getPaywall("onboarding", timeLimit: 5) { result, error in
                MainActor.assertIsolated()
                #expect(error == nil)
                done(result)
            }
        }
        result.map(landfall.recordExposure)
        landfall.record("trial_started", value: NSDecimalNumber(string: "9.99"), currency: "EUR", properties: ["plan": "year"])
        try await clock.run { [server] in
            await server.waitForExposures()
            await server.waitForEvents()
        }

        #expect(server.events == [RecordedEvent("trial_started", value: 9.99, currency: "EUR", properties: ["plan": "year"])])
        #expect(result?.name == "default")
        #expect(result?.isNothing == false)
        #expect(result?.productIDs == ["year"])
        #expect(result?.remoteConfigJSON == #"{"title":"Hello"}"#)
        await landfall.client.shutdown()
    }

    @Test("An error is delivered in place of a paywall, not beside one")
    func failure() async throws {
        let landfall = LFLandfall(server.client(preparing: []))
        landfall.start()

        let failed: Bool = try await value { done in
            landfall.getPaywall("nowhere", timeLimit: .nan) { result, error in done(result == nil && error is LandfallError) }
        }

        #expect(failed)
        await landfall.client.shutdown()
    }

    @Test("Links and people have handlers too")
    func others() async throws {
        let beach = try #require(URL(string: "https://links.example.com/beach"))
        let summer = try #require(URL(string: "https://links.example.com/summer"))
        server.resolves(beach, to: summer)
        let landfall = LFLandfall(server.client())
        landfall.start()

        let target: URL = try await value { landfall.open(beach, completion: $0) }
        let error: (any Error)? = try await value { landfall.identify("customer-1", token: nil, completion: $0) }

        #expect(target == summer)
        #expect(error == nil)
        #expect(landfall.client.profile?.customerID == "customer-1")
        #expect(landfall.receive(beach))
        await landfall.client.shutdown()
    }
}

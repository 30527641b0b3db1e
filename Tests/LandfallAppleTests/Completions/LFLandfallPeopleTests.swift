// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import LandfallTesting
import Testing

@Suite("Objective-C names of everything else", .timeLimit(.minutes(1)))
struct LFLandfallPeopleTests {
    let clock = ManualClock()
    let server: ScriptedServer

    init() {
        server = ScriptedServer(clock: clock)
        server.shows("default", at: "onboarding", productIDs: ["year"])
    }

    /// The value that a completion handler is called with.
    private func value<Value: Sendable>(_ call: @escaping @Sendable (@escaping @Sendable (Value) -> Void) -> Void) async throws
        -> Value
    {
        try await clock.run { await withCheckedContinuation { waiter in call { waiter.resume(returning: $0) } } }
    }

    @Test("Purchases are observed, and restored with a handler")
    func purchases() async throws {
        let store = ScriptedTransactions([StoreTransaction(id: "1", jws: "h.1.s", signedAt: Date(timeIntervalSince1970: 1))])
        let landfall = LFLandfall(server.client { $0.transactions = store })
        landfall.observePurchases()
        landfall.start()
        try await clock.run { [server] in await server.waitForPurchases() }
        store.onSynchronize {
            store.add(StoreTransaction(id: "2", jws: "h.2.s", signedAt: Date(timeIntervalSince1970: 2)), isReported: false)
        }

        let restored: (any Error)? = try await value { landfall.restorePurchases(completion: $0) }

        #expect(restored == nil && server.purchases == ["h.1.s", "h.2.s"])
        await landfall.client.shutdown()
    }

    @Test("A person signs in, out, and asks to be forgotten; each handler is called on the main thread")
    func person() async throws {
        let landfall = LFLandfall(server.client())
        landfall.start()

        let signedIn: (any Error)? = try await value { landfall.identify("customer-1", token: nil, completion: $0) }
        #expect(signedIn == nil && landfall.customerID == "customer-1")

        let signedOut: (any Error)? = try await value { done in
            landfall.logOut { error in
                MainActor.assertIsolated()
                done(error)
            }
        }
        #expect(signedOut == nil && landfall.customerID == nil)

        let forgotten: (any Error)? = try await value { landfall.forget(completion: $0) }
        #expect(forgotten == nil && landfall.collection == "off")
        await landfall.client.shutdown()
    }

    @Test("Attributes are texts, numbers and booleans; an unusable name is an error that says so")
    func attributes() async throws {
        let landfall = LFLandfall(server.client())
        landfall.start()
        let _: (any Error)? = try await value { landfall.identify("customer-1", token: nil, completion: $0) }

        try landfall.setAttributes(["plan": "year", "age": 41, "score": 1.5, "trial": true, "gone": NSNull()])
        #expect(throws: LandfallError.self) { try landfall.setAttributes(["no spaces": 1]) }
        #expect(throws: LandfallError.self) {
            try landfall.reportAttribution(source: "NOT VALID", status: "organic", channel: nil, campaign: nil, creative: nil)
        }
        try landfall.reportAttribution(source: "partner", status: "non_organic", channel: nil, campaign: "autumn", creative: nil)

        let refused: (any Error)? = try await value { landfall.setAttributes(["no spaces": 1], timeLimit: 5, completion: $0) }
        let sent: (any Error)? = try await value { landfall.setAttributes(["plan": "month"], timeLimit: 5, completion: $0) }
        let flushed: (any Error)? = try await value { landfall.flush(timeLimit: 5, completion: $0) }
        #expect(refused is LandfallError && sent == nil && flushed == nil)
        #expect(landfall.client.profile?.customAttributes["plan"] == "month")
        await landfall.client.shutdown()
    }

    @Test("Collection reads back what was set, and an unknown word collects nothing", arguments: ["full", "essential", "off", "everything"])
    func collection(mode: String) async {
        let landfall = LFLandfall(server.client())

        landfall.collection = mode

        #expect(landfall.collection == (mode == "everything" ? "off" : mode))
        await landfall.client.shutdown()
    }

    @Test("Links come through the observation, and the link from before the install through its handler")
    func links() async throws {
        let beach = try #require(URL(string: "https://links.example.com/beach"))
        let landfall = LFLandfall(server.client())
        landfall.start()

        let none: URL? = try await value { landfall.getDeferredLink(timeLimit: 1, completion: $0) }
        let (stream, continuation) = AsyncStream<URL>.makeStream()
        let observation = landfall.observeLinks { link, handled in
            handled()
            continuation.yield(link)
        }
        #expect(landfall.receive(beach))
        let seen = try await clock.run { await stream.first { _ in true } }
        observation.cancel()

        #expect(none == nil)
        #expect(seen == beach)
        #expect(!landfall.handles(beach), "The client knows no domains.")
        #expect(!landfall.claimDeferredLink(""))
        let _: Bool = try await value { done in landfall.shutdown { done(true) } }
    }

    @Test("The paywall for everyone, and a file that is not a fallback file")
    func everyone() async throws {
        let landfall = LFLandfall(server.client(preparing: ["onboarding"]))
        landfall.start()
        #expect(throws: (any Error).self) { try landfall.setFallback(Data("no file".utf8)) }

        let result: LFPaywallResult? = try await value { done in
            landfall.getDefaultPaywall("onboarding", timeLimit: 5) { result, error in
                #expect(error == nil)
                done(result)
            }
        }

        #expect(result?.name == "default")
        await landfall.client.shutdown()
    }
}

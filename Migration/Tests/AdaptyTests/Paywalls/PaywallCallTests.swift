// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Paywalls", .timeLimit(.minutes(1)))
struct PaywallCallTests {
    private let server: ScriptedServer
    private var activation: Activation { server.activation }

    init() throws { server = try ScriptedServer() }

    static let bundled = Data(
        """
        {"format": 1, "revision": 3, "paywalls": {"onboarding": {"audience": "everyone", "paywall":
          {"name": "bundled", "variationId": "bundled", "productIds": ["year"]}}}}
        """.utf8
    )

    @Test("A paywall contains everything that its audience sees")
    func matching() async throws {
        try activation.activate(ScriptedServer.configuration)

        let paywall = try await activation.getPaywall()

        #expect(paywall.name == "beach")
        #expect(paywall.variationId == "beach-a")
        #expect(paywall.vendorProductIds == ["year", "month"])
        #expect(paywall.placement == AdaptyPlacement(id: "onboarding", audienceName: "summer", revision: 7, abTestName: ""))
        #expect(paywall.remoteConfig?.locale == "en")
        #expect(paywall.remoteConfig?.jsonString == #"{"title":"Hello"}"#)
        #expect(paywall.remoteConfig?.dictionary?["title"] as? String == "Hello")
    }

    @Test("If nothing is to be shown the call throws: these names have no paywall for it")
    func nothing() async throws {
        server.showsNothing()
        try activation.activate(ScriptedServer.configuration)

        let error = await #expect(throws: AdaptyError.self) { try await activation.getPaywall() }

        #expect(error?.adaptyErrorCode == .fetchTimeoutError)
    }

    @Test("The default audience's paywall does not depend on the matching audience")
    func defaultAudience() async throws {
        try activation.activate(ScriptedServer.configuration)
        let matching = try await activation.getPaywall()

        let paywall = try await activation.getPaywall(audience: .everyone)

        #expect(paywall.name == "default")
        #expect(paywall.placement.audienceName == "everyone")
        #expect(paywall != matching)
    }

    @Test("Any load time-out is accepted", arguments: [0, -1, -TimeInterval.infinity, .nan])
    func noTime(loadTimeout: TimeInterval) async throws {
        server.transport.isOffline = true
        try activation.setFallback(Self.bundled)
        try activation.activate(ScriptedServer.configuration)

        let paywall = try await activation.getPaywall(loadTimeout: loadTimeout)

        #expect(paywall.name == "bundled")
    }

    @Test("A load time-out of more than a day is a day", arguments: [1e30, TimeInterval.infinity, .greatestFiniteMagnitude])
    func muchTime(loadTimeout: TimeInterval) async throws {
        try activation.activate(ScriptedServer.configuration)

        #expect(try await activation.getPaywall(loadTimeout: loadTimeout).name == "beach")
    }

    @Test(
        "A cache's age is used as written, up to a year",
        arguments: [
            (AdaptyPlacementFetchPolicy.default, CachePolicy.reload),
            (.returnCacheDataElseLoad, .returnCacheElseLoad),
            (.returnCacheDataIfNotExpiredElseLoad(maxAge: 604_800), .returnCacheIfNotExpired(maxAge: .seconds(604_800))),
            (.returnCacheDataIfNotExpiredElseLoad(maxAge: .nan), .returnCacheIfNotExpired(maxAge: .zero)),
            (.returnCacheDataIfNotExpiredElseLoad(maxAge: -1), .returnCacheIfNotExpired(maxAge: .zero)),
            (.returnCacheDataIfNotExpiredElseLoad(maxAge: 1e30), .returnCacheIfNotExpired(maxAge: .seconds(31_536_000))),
        ]
    )
    func fetchPolicies(policy: AdaptyPlacementFetchPolicy, cache: CachePolicy) {
        #expect(CachePolicy(policy) == cache)
    }

    @Test("A fallback file set before activation answers if nothing else does")
    func fallbackFirst() async throws {
        server.transport.isOffline = true
        try activation.setFallback(Self.bundled)
        try activation.activate(ScriptedServer.configuration)

        let shown = Task { try await activation.getPaywall() }
        while activation.client?.runningOperations == 0, !Task.isCancelled { await Task.yield() }
        server.clock.advance(by: .seconds(5))

        let paywall = try await shown.value
        #expect(paywall.name == "bundled")
        #expect(paywall.result.origin == .bundled)
    }

    @Test("A file that is not a fallback file is refused with 2006")
    func brokenFallback() throws {
        try activation.activate(ScriptedServer.configuration)

        let error = #expect(throws: AdaptyError.self) { try activation.setFallback(Data("no JSON".utf8)) }

        #expect(error?.adaptyErrorCode == .decodingFailed)
    }

    @Test("A fallback file that does not exist is refused with 3001")
    func missingFallback() async {
        let error = await #expect(throws: AdaptyError.self) {
            try await Adapty.setFallback(fileURL: URL(filePath: "/nowhere/fallback.json"))
        }

        #expect(error?.adaptyErrorCode == .wrongParam)
    }

    @Test("An unknown placement is 2003")
    func unknownPlacement() async throws {
        server.transport.on("GET", WirePath.paywall(of: "nowhere")) { _ in try .problem(404, .placementUnknown) }
        try activation.activate(ScriptedServer.configuration)

        let error = await #expect(throws: AdaptyError.self) { _ = try await activation.getPaywall("nowhere") }

        #expect(error?.adaptyErrorCode == .badRequest)
    }

    @Test("The wait for activation counts against the time of the network call")
    func oneLimit() async throws {
        server.transport.on("POST", WirePath.firstOpen) { _ in ScriptedAnswer(body: ScriptedBody()) }
        server.transport.on("GET", WirePath.paywall(of: "onboarding")) { _ in ScriptedAnswer(body: ScriptedBody()) }
        try activation.setFallback(Self.bundled)
        let waiting = Task { try await activation.getPaywall(loadTimeout: 5) }
        await server.clock.waitForSleeper()
        server.clock.advance(by: .seconds(3))

        try activation.activate(ScriptedServer.configuration)
        await server.transport.waitForRequests("POST", WirePath.firstOpen)
        server.clock.advance(by: .seconds(2))

        #expect(try await waiting.value.result.elapsed <= .seconds(2))
    }

    @Test("A cancelled call throws 9000 at once")
    func cancelled() async throws {
        server.transport.on("POST", WirePath.firstOpen) { _ in ScriptedAnswer(body: ScriptedBody()) }
        server.transport.on("GET", WirePath.paywall(of: "onboarding")) { _ in ScriptedAnswer(body: ScriptedBody()) }
        try activation.activate(ScriptedServer.configuration)
        let waiting = Task { try await activation.getPaywall() }
        await server.transport.waitForRequests("POST", WirePath.firstOpen)

        waiting.cancel()

        let error = await #expect(throws: AdaptyError.self) { _ = try await waiting.value }
        #expect(error?.adaptyErrorCode == .operationInterrupted)
    }
}

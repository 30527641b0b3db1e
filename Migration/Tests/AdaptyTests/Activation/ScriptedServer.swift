// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import LandfallWire

/// An activation over a server in memory that answers organic, with one paywall for placement `onboarding`.
struct ScriptedServer {
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let storage = MemoryStorage()
    let log = LogDesk(write: { _ in })
    let activation: Activation

    static let configuration = AdaptyConfiguration.builder(withAPIKey: "pk_demo")
        .with(serverURL: URL(string: "https://api.example.com")!)
        .build()

    init() throws {
        activation = Activation(time: clock.time, log: log) { [clock, transport, storage] settings in
            var settings = settings
            settings.transport = transport
            settings.storage = storage
            settings.time = clock.time
            return LandfallClient(settings)
        }
        let profile = WireProfile(
            id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: 1, attributionVersion: 1
        )
        transport.on("POST", WirePath.firstOpen) { _ in
            try .lines([.profile(profile), .attribution(.notAttributed), .end(.final)])
        }
        transport.on("GET", WirePath.paywall(of: "onboarding")) { request in
            try .json(Self.answer(isDefault: request.url.query?.contains("audience=default") == true))
        }
    }

    /// Activates, and lets the time pass for which a first open waits for the app's first call.
    func activate() async throws {
        try activation.activate(Self.configuration)
        await clock.waitForSleeper()
        clock.advanceToNextSleeper()
    }

    /// From now on the placement says to show nothing.
    func showsNothing() {
        transport.on("GET", WirePath.paywall(of: "onboarding")) { request in
            var answer = Self.answer(isDefault: request.url.query?.contains("audience=default") == true)
            answer.paywall = nil
            return try .json(answer)
        }
    }

    private static func answer(isDefault: Bool) -> PaywallAnswer {
        PaywallAnswer(
            placement: "onboarding",
            locale: "en",
            kind: isDefault ? .default : .matching,
            audience: isDefault ? .everyone : AudienceID("summer"),
            revision: 7,
            profileId: isDefault ? nil : ProfileID("ada"),
            epoch: isDefault ? 0 : 1,
            profileVersion: isDefault ? 0 : 1,
            attributionVersion: isDefault ? 0 : 1,
            final: true,
            paywall: WirePaywall(
                name: PaywallID(isDefault ? "default" : "beach"),
                variationId: VariationID("beach-a"),
                remoteConfig: .init(locale: "en", value: .object(["title": .string("Hello")])),
                productIds: ["year", "month"]
            )
        )
    }
}

extension Activation {
    /// As `Adapty.getPaywall` calls it.
    func getPaywall(
        _ placementId: String = "onboarding", audience: Audience = .matching, loadTimeout: TimeInterval? = nil
    ) async throws -> AdaptyPaywall {
        try await paywall(audience, of: placementId, locale: nil, fetchPolicy: .default, loadTimeout: loadTimeout)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Testing

/// Real time and real sockets.
@Suite("An attribute and the paywall that it decides, over real HTTP", .serialized, .timeLimit(.minutes(2)))
struct AttributePaywallEndToEndTests {
    private static let configuration = """
        app: { id: example, name: Example, bundleId: com.example.app, teamId: ABCDE12345, scheme: example, appStoreId: 1234567890 }
        keys: [{ sdk: pk_demo, environment: production }]
        attributes: { plan: string }
        paywalls:
          default: { products: [month], defaultLocale: en, remoteConfig: { en: {} } }
          pro: { products: [year], defaultLocale: en, remoteConfig: { en: {} } }
        audiences: { pro: { attributes.plan: { is: pro } } }
        placements:
          onboarding: [{ audience: pro, paywall: pro }, { audience: everyone, paywall: default }]
        """

    @Test("setAttributes, then a paywall: the one for the new value, 100 times of 100, on new phones and on old ones")
    func right() async throws {
        try await Site.run(configuration: Self.configuration) { site in
            var right = 0, slowest = Duration.zero
            for number in 0..<20 {
                let shown = try await TestPhone(site, "phone\(number)").launch(token: nil) { client in
                    var shown: [PaywallResult] = []
                    for plan in ["pro", "free", "pro", "free", "pro"] {
                        try client.setAttributes(["plan": .string(plan)])
                        shown.append(try await client.paywall(for: "onboarding", within: .seconds(5)))
                    }
                    return shown
                }
                right += zip(shown, ["pro", "default", "pro", "default", "pro"]).count { $0.paywall?.name.rawValue == $1 }
                slowest = shown.map(\.elapsed).reduce(slowest, max)
            }
            print("attribute-then-paywall: right \(right) of 100, the slowest after \(slowest)")

            #expect(right == 100)
        }
    }

    @Test("setAttributes(within:) and flush() return when the server has it")
    func awaited() async throws {
        try await Site.run(configuration: Self.configuration) { site in
            try await TestPhone(site).launch(token: nil) { client in
                try await client.setAttributes(["plan": "pro"], within: .seconds(5))
                for await profile in client.profiles where profile.customAttributes == ["plan": "pro"] { break }
                client.recordExposure(of: try await client.paywall(for: "onboarding", within: .seconds(5)))

                try await client.flush()

                #expect(client.explain().queue.events == 0)
            }
        }
    }
}

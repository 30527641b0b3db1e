// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Every phone of a person", .timeLimit(.minutes(1)))
struct HeldAccessTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let yaml = """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys: [{ sdk: pk_test }]
        accessLevels: [premium]
        products: { yearly: { access: [premium] } }
        paywalls: { default: { products: [year] }, special: { products: [month] } }
        audiences: { payers: { access.premium: { is: true } } }
        placements: { home: [{ audience: payers, paywall: special }, { audience: everyone, paywall: default }] }
        """

    /// Maya is a verified customer on two phones.
    private func running(_ body: @Sendable (TestServer, SignedStore) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(configuration: try Configuration(yaml: Self.yaml), trust: store.trust()) { server in
            for phone in [Phone(1), Phone(2)] {
                _ = try await server.services.installs.identify(
                    server.app, phone.credential, Identification(key: "i", customerID: "maya", isVerified: true), nowMs: Self.nowMs)
            }
            try await body(server, store)
        }
    }

    /// The second phone's profile once it is newer than this version.
    private func profile(_ server: TestServer, after version: Int64) async throws -> WireProfile {
        try await server.send(.get, WirePath.profile + "?after=\(version)&wait=20000", phone: Phone(2)).decoded(ProfileAnswer.self).profile
    }

    @Test("hears at once, where it waits, of what another one buys, and of what Apple says of that later")
    func profile() async throws {
        try await running { server, store in
            let before = try await server.send(.get, WirePath.profile, phone: Phone(2)).decoded(ProfileAnswer.self).profile
            async let buying = profile(server, after: before.version)
            await server.clock.waitForSleeper()
            _ = try await server.report([store.transaction()], .purchase, by: Phone(1))
            let bought = try await buying

            async let refunding = profile(server, after: bought.version)
            await server.clock.waitForSleeper()
            let refund = try store.transaction(adding: ["revocationDate": Self.nowMs - 1_000, "signedDate": Self.nowMs - 500])
            _ = try await server.notify(
                store.notification("00000000-0000-4000-8000-000000000002", "REFUND", nil, data: ["signedTransactionInfo": refund]))
            try await server.workOnNotifications()
            let refunded = try await refunding

            #expect((bought.accessLevels?["premium"]?.isActive, bought.asOfMilliseconds) == (true, Self.nowMs))
            #expect((refunded.accessLevels?["premium"]?.isActive, refunded.accessLevels?["premium"]?.state) == (false, .revoked))
        }
    }

    @Test("gets the paywall of those who pay when it asks again, once another one has paid")
    func paywall() async throws {
        try await running { server, store in
            let path = WirePath.paywall(of: "home")
            // It is remembered from then on.
            let before = try await server.send(.get, path, phone: Phone(2)).decoded(PaywallAnswer.self)

            _ = try await server.report([store.transaction()], .purchase, by: Phone(1))

            let after = try await server.send(.get, path, phone: Phone(2)).decoded(PaywallAnswer.self)
            #expect((before.paywall?.name.rawValue, after.paywall?.name.rawValue) == ("default", "special"))
        }
    }
}

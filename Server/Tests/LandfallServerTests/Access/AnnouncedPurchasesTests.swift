// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Purchases that a first open announces", .timeLimit(.minutes(1)))
struct AnnouncedPurchasesTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let open = #"{"adToken":{"none":"unsupported"},"purchases":"coming","holdMilliseconds":10000,"placements":[{"id":"home"}]}"#

    /// - Parameter asked: whether an audience of the placement reads purchases.
    private func running(asked: Bool = true, _ body: @Sendable (TestServer, SignedStore) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        let configuration = try Configuration(
            yaml: """
                app: { id: example, bundleId: com.example.app, scheme: example }
                keys: [{ sdk: pk_test }]
                accessLevels: [premium]
                products: { yearly: { access: [premium] } }
                paywalls: { default: { products: [year] }, special: { products: [month] } }
                audiences: { asked: { \(asked ? "access.premium: { is: true }" : "country: { is: JP }") } }
                placements: { home: [{ audience: asked, paywall: special }, { audience: everyone, paywall: default }] }
                """)
        try await TestServer.run(configuration: configuration, trust: store.trust()) { try await body($0, store) }
    }

    private struct Said {
        let name: String?
        let isFinal: Bool
    }

    private func paywalls(_ lines: [FirstOpenLine]) -> [Said] {
        lines.compactMap { line in
            guard case .paywall(let answer) = line else { return nil }
            return Said(name: answer.paywall?.name.rawValue, isFinal: answer.final)
        }
    }

    private func report(_ server: TestServer, _ texts: [String]) async throws {
        let report = PurchaseReport(key: "k", reason: .sync, historyComplete: true, transactions: texts.map { .init(jws: $0) })
        _ = try await server.send(.post, WirePath.purchases, String(decoding: WireCoding.encode(report), as: UTF8.self))
    }

    @Test("decide the paywall as soon as they are there")
    func arriving() async throws {
        try await running { server, store in
            async let stream = server.firstOpen(Self.open)
            await server.clock.waitForSleeper()

            try await report(server, [store.transaction()])

            let said = try await paywalls(stream)
            #expect(said.map(\.name) == ["default", "special"])
            #expect(said.map(\.isFinal) == [false, true])
        }
    }

    @Test("decide nothing if the phone has none, and the answer is final at once")
    func none() async throws {
        try await running { server, _ in
            async let stream = server.firstOpen(Self.open)
            await server.clock.waitForSleeper()

            try await report(server, [])

            let said = try await paywalls(stream)
            #expect(said.map(\.name) == ["default", "default"])
            #expect(said.map(\.isFinal) == [false, true])
        }
    }

    @Test("are waited for three seconds if the phone dies, and no longer")
    func silent() async throws {
        try await running { server, _ in
            async let stream = server.firstOpen(Self.open)
            await server.clock.waitForSleeper()

            server.clock.advance(by: .seconds(3))

            let said = try await paywalls(stream)
            #expect(said.map(\.isFinal) == [false, true])
        }
    }

    @Test("are not waited for where no audience that is reached reads them, nor by a phone whose history is known")
    func unasked() async throws {
        try await running(asked: false) { server, _ in
            let said = try await paywalls(server.firstOpen(Self.open))

            #expect(said.map(\.isFinal) == [true])
        }
        try await running { server, _ in
            _ = try await server.firstOpen("{}")
            try await report(server, [])

            let said = try await paywalls(server.firstOpen(Self.open))

            #expect(said.map(\.isFinal) == [true])
        }
    }
}

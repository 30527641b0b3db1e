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

    /// An open without a stream.
    private static let announcement = #"{"adToken":{"none":"unsupported"},"purchases":"coming"}"#

    private static let unasked = "country: { is: JP }"

    /// - Parameter condition: of the placement's only audience.
    private func running(_ condition: String = "access.premium: { is: true }", _ body: @Sendable (TestServer, SignedStore) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        var configuration = try Configuration(
            yaml: """
                app: { id: example, bundleId: com.example.app, scheme: example }
                keys: [{ sdk: pk_test }]
                accessLevels: [premium]
                products: { yearly: { access: [premium] } }
                paywalls: { default: { products: [year] }, special: { products: [month] } }
                audiences: { asked: { \(condition) } }
                placements: { home: [{ audience: asked, paywall: special }, { audience: everyone, paywall: default }] }
                """)
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: [.profiles])!]
        try await TestServer.run(configuration: configuration, trust: store.trust()) { try await body($0, store) }
    }

    private struct Said {
        let name: String?
        let isFinal: Bool
        var pending: [PendingKind] = []
    }

    private func paywalls(_ lines: [FirstOpenLine]) -> [Said] {
        lines.compactMap { line in
            guard case .paywall(let answer) = line else { return nil }
            return Said(name: answer.paywall?.name.rawValue, isFinal: answer.final, pending: answer.pending)
        }
    }

    /// What a call of its own for the paywall gets.
    private func paywall(_ server: TestServer) async throws -> Said {
        let answer = try await server.send(.get, WirePath.paywall(of: "home") + "?after=99&wait=10000").decoded(PaywallAnswer.self)
        return Said(name: answer.paywall?.name.rawValue, isFinal: answer.final)
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
        try await running(Self.unasked) { server, _ in
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

    @Test("are waited for by every other call of the phone, for the rest of the three seconds and no longer")
    func otherCalls() async throws {
        try await running { server, _ in
            _ = try await server.firstOpen(Self.announcement)
            server.clock.advance(by: .seconds(1))
            async let waiting = paywall(server)
            await server.clock.waitForSleeper()

            server.clock.advance(by: .seconds(2))

            let answer = try await waiting
            #expect((answer.name, answer.isFinal) == ("default", true))
        }
    }

    @Test("answer every other call of the phone as soon as they are there")
    func otherCallsArriving() async throws {
        try await running { server, store in
            _ = try await server.firstOpen(Self.announcement)
            async let waiting = paywall(server)
            await server.clock.waitForSleeper()

            try await report(server, [store.transaction()])

            let answer = try await waiting
            #expect((answer.name, answer.isFinal) == ("special", true))
        }
    }

    @Test("are not waited for by other calls where no audience reads them, nor once an open says that none come")
    func calledOff() async throws {
        try await running(Self.unasked) { server, _ in
            _ = try await server.firstOpen(Self.announcement)

            #expect(try await paywall(server).isFinal)
            #expect(try await server.rows("SELECT purchases_coming_until_ms FROM install").map(\.values) == [[.null]])
        }
        try await running { server, _ in
            _ = try await server.firstOpen(Self.announcement)
            let opened = try await paywalls(server.firstOpen(#"{"holdMilliseconds":10000,"placements":[{"id":"home"}]}"#))

            #expect(opened.map(\.isFinal) == [true])
            #expect(try await paywall(server).isFinal)
        }
    }

    @Test("are named by an answer that waits for them, and by no other")
    func named() async throws {
        let conditions = [
            ("access.premium: { is: true }", [.purchases]), ("attribution.source: { is: apple_search_ads }", [.attribution]),
            ("any: [{ attribution.source: { is: apple_search_ads } }, { purchases.any: { is: true } }]", [.attribution, .purchases]),
        ] as [(String, [PendingKind])]
        for (condition, kinds) in conditions {
            try await running(condition) { server, _ in
                async let stream = server.firstOpen(Self.open.replacing(#"{"none":"unsupported"}"#, with: #""coming""#))
                await server.clock.waitForSleeper()

                server.clock.advance(by: .seconds(10))

                let said = try await paywalls(stream)
                #expect(said.first?.pending == kinds)
            }
        }
    }

    @Test("are named by an explanation while they are pending")
    func explained() async throws {
        try await running { server, _ in
            func explanation() async throws -> Explanation {
                try await server.explain("install=\(Phone().id)&placement=home").decoded()
            }
            _ = try await server.firstOpen(Self.announcement)

            let pending = try await explanation()
            try await report(server, [])
            let known = try await explanation()

            #expect((pending.final, known.final) == (false, true))
            #expect(pending.audiences[0].result == .unknown)
            #expect(pending.audiences[0].conditions.map(\.reason) == [.pending])
            #expect(known.audiences[0].conditions.map(\.reason) == [.compared])
        }
    }
}

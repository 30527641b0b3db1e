// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("An audience that reads purchases", .timeLimit(.minutes(1)))
struct AccessAudienceTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))

    private static func yaml(_ condition: String) -> String {
        """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys: [{ sdk: pk_test }]
        accessLevels: [premium, premium.plus]
        products: { yearly: { access: [premium] } }
        paywalls: { default: { products: [year] }, special: { products: [month] } }
        audiences: { asked: { \(condition) } }
        placements: { home: [{ audience: asked, paywall: special }, { audience: everyone, paywall: default }] }
        """
    }

    private func paywall(_ server: TestServer, _ phone: Phone = Phone()) async throws -> String? {
        try await server.send(.get, WirePath.paywall(of: "home"), phone: phone).decoded(PaywallAnswer.self).paywall?.name.rawValue
    }

    @Test(
        "finds who bought, and nobody else",
        arguments: [
            "access.premium: { is: true }", "access.premium.state: { in: [active, grace] }", "access.premium.endDate: { exists: true }",
            "access.premium.isTrial: { is: false }", "purchases.any: { is: true }", "purchases.products: { anyOf: [yearly, monthly] }",
            "not: { access.premium: { isNot: true } }",
        ])
    func bought(condition: String) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(configuration: try Configuration(yaml: Self.yaml(condition)), trust: store.trust()) { server in
            let before = try await paywall(server)

            _ = try await server.report([store.transaction()], .purchase)

            #expect(before == "default")
            #expect(try await paywall(server) == "special")
            #expect(try await paywall(server, Phone(2)) == "default")
        }
    }

    @Test(
        "finds who never bought, also if nothing is known of them",
        arguments: [
            "access.premium: { is: false }", "access.premium.plus: { is: false }", "purchases.any: { is: false }",
            "purchases.products: { noneOf: [yearly] }", "access.premium.state: { exists: false }",
        ])
    func free(condition: String) async throws {
        try await TestServer.run(configuration: try Configuration(yaml: Self.yaml(condition))) { server in
            let shown = try await paywall(server)

            #expect(shown == "special")
        }
    }

    @Test("changes at the end of a subscription, without any write")
    func end() async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        let configuration = try Configuration(yaml: Self.yaml("access.premium.state: { is: expired }"))
        try await TestServer.run(configuration: configuration, trust: store.trust()) { server in
            _ = try await server.report([store.transaction(daysAgo: 1)], .purchase)
            let before = try await paywall(server)

            server.clock.advance(by: .seconds(29 * 86_400))

            #expect(before == "default")
            #expect(try await paywall(server) == "special")
        }
    }

    @Test("finds who lapsed, by when it closed")
    func lapsed() async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        let condition = "access.premium.state: { is: expired }, access.premium.endDate: { within: 2d }"
        try await TestServer.run(configuration: try Configuration(yaml: Self.yaml(condition)), trust: store.trust()) { server in
            _ = try await server.report([store.transaction(daysAgo: 1)], .purchase)

            var shown: [String?] = []
            for days in [0, 29, 1, 1] {
                server.clock.advance(by: .seconds(days * 86_400))
                shown.append(try await paywall(server))
            }

            #expect(shown == ["default", "special", "special", "default"])
        }
    }

    @Test("knows an exposure's values from then, and says what was bought since")
    func explained() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), event = "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10"
        var configuration = try Configuration(yaml: Self.yaml("access.premium: { is: false }, purchases.any: { is: false }"))
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: [.profiles])!]
        try await TestServer.run(configuration: configuration, trust: store.trust()) { server in
            _ = try await server.firstOpen("{}")
            let shown = #"{"events":[{"id":"\#(event)","type":"paywall_shown","ageMilliseconds":0,"placement":"home","paywall":"special"}]}"#
            _ = try await server.send(.post, WirePath.events, shown)
            _ = try await server.report([store.transaction()], .purchase)

            let now = try await server.explain("install=\(Phone().id)&placement=home").decoded(Explanation.self)
            let then = try await server.explain("install=\(Phone().id)&placement=home&exposure=\(event)").decoded(Explanation.self)

            #expect((now.chosen.paywall, then.chosen.paywall) == ("default", "special"))
            #expect(then.audiences[0].conditions.map(\.value) == [.bool(false), .bool(false)])
            #expect(then.audiences[0].conditions.map(\.valueIs) == [.then, .then])
            #expect(then.late.map(\.attribute) == ["access.premium", "purchases.any"])
            #expect(then.late.map(\.now) == [.bool(true), .bool(true)])
        }
    }

    @Test("is warned about a product that the file does not name, and of no value that every install has")
    func advice() {
        func warnings(_ condition: String) -> [String] {
            ReadConfiguration(yaml: Self.yaml(condition), secrets: SecretEnvironment { _ in nil }).warnings.map(\.message)
                .filter { !$0.hasPrefix("No product opens") }
        }

        #expect(warnings("purchases.products: { anyOf: [yearly, yaerly] }") == [
            "'yaerly' is not under 'products'. Correct it, or name it there. Did you mean 'yearly'?"
        ])
        #expect(warnings("purchases.products: { noneOf: [yearly] }, access.premium: { isNot: true }, purchases.any: { isNot: true }") == [])
        #expect(warnings("access.premium.state: { isNot: expired }").count == 1)
    }

    @Test(
        "is refused for a level, a field or a state that does not exist",
        arguments: [
            "access.gold: { is: true }", "access.premium.color: { is: red }", "access.premium.state: { is: actve }",
            "access.premium.isTrial: { is: yes please }", "access.premium.endDate: { is: 2026-01-01 }",
        ])
    func refused(condition: String) {
        #expect(throws: (any Error).self) { _ = try Configuration(yaml: Self.yaml(condition)) }
    }

    @Test("knows the states that purchases have")
    func states() {
        #expect(Set(AccessField.states) == Set(AccessPeriod.State.allCases.map(\.rawValue)))
    }
}

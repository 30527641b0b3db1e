// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOFoundationCompat
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("GET /v1/explain", .timeLimit(.minutes(1)))
struct ExplanationTests {
    private static let yaml = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_test }]
        attributes: { plan: string, sessions: number }
        paywalls: { default: {}, summer: {}, pro: {} }
        segments:
          adults: { attributes.sessions: { ">=": 18 } }
        audiences:
          summer: { attribution.campaign: { in: [summer] }, country: { is: US } }
          pros: { any: [{ attributes.plan: { startsWith: pro } }, { not: { segment: adults } }] }
          half: { share: { of: half, to: 50% } }
        placements:
          onboarding:
            - { audience: summer, paywall: summer }
            - { audience: pros, paywall: pro }
            - { audience: half, paywall: summer }
            - { audience: everyone, paywall: default }
        """
    private static let opened =
        #"{"device":{"platform":"ios","locale":"en-US"},"adToken":{"none":"noToken"},"attributes":{"plan":"free","sessions":20}}"#
    private static let event = "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10"

    private static func run(_ yaml: String = yaml, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        var configuration = try Configuration(yaml: yaml)
        configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: [.profiles])!]
        try await TestServer.run(configuration: configuration, body)
    }

    @Test("names every audience in order, with each comparison's value, result and reason")
    func now() async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)

            let explanation = try await server.explanation()

            #expect(explanation.audiences.map(\.audience) == ["summer", "pros", "half", "everyone"])
            #expect(explanation.audiences[0].result == .no && explanation.audiences[1].result == .no)
            #expect(explanation.audiences[0].conditions.map(\.path) == ["attribution.campaign.in", "country.is"])
            #expect(explanation.audiences[0].conditions.map(\.reason) == [.missing, .compared])
            #expect(explanation.audiences[0].conditions.map(\.value) == [nil, .string("US")])
            #expect(explanation.audiences[0].conditions.map(\.expected) == [.array([.string("summer")]), .string("US")])
            #expect(
                explanation.audiences[1].conditions.map(\.path) == [
                    "any[0].attributes.plan.startsWith", "any[1].not.segment.adults.attributes.sessions.>=",
                ])
            #expect(explanation.audiences[1].conditions.map(\.result) == [.no, .yes])
            #expect(explanation.asOf == .now && explanation.final && explanation.exposure == nil && explanation.revision == 7)
            #expect(explanation.install == Phone().id && explanation.profile == "i_" + Phone().id)
            let served = try await server.send(.get, "/v1/placements/onboarding/paywall").decoded(PaywallAnswer.self)
            #expect(explanation.chosen.audience == served.audience.rawValue)
            #expect(explanation.chosen.paywall == served.paywall?.name.rawValue)
        }
    }

    @Test("says where the draw of a share places the install")
    func share() async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)
            let bucket = Draw(namespace: "audience", salt: "half", unit: Phone().id).bucket

            let half = try await server.explanation().audiences[2]

            guard case .object(let value) = half.conditions[0].value else { throw Unexpected() }
            #expect(value["bucket"] == .integer(Int64(bucket)))
            #expect(half.result == (bucket < 500_000 ? .yes : .no))
        }
    }

    private struct Unexpected: Error {}

    @Test("shows for an exposure which values were known then, and which arrived later")
    func exposure() async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)
            let shown = #"{"id":"\#(Self.event)","type":"paywall_shown","ageMilliseconds":5000,"placement":"onboarding","paywall":"default","audience":"everyone","revision":7,"origin":"defaultAudience"}"#
            _ = try await server.send(.post, WirePath.events, #"{"events":[\#(shown)]}"#)
            server.clock.advance(by: .seconds(60))
            let claim = #"{"key":"k","source":"appsflyer","status":"non_organic","campaign":"summer"}"#
            _ = try await server.send(.post, WirePath.attribution, claim)
            _ = try await server.send(
                .post, WirePath.attributes, #"{"key":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e11","attributes":{"plan":"pro"}}"#)

            let then = try await server.explanation(exposure: Self.event)
            let now = try await server.explanation()

            #expect(now.chosen.audience == "summer")
            #expect(then.asOf == .exposure && then.chosen.audience != "summer" && then.chosen.audience != "pros")
            #expect(then.audiences[0].conditions[0].reason == .missing && then.audiences[1].conditions[0].value == .string("free"))
            #expect(then.audiences.flatMap(\.conditions).allSatisfy { $0.valueIs == .then })
            #expect(then.late == [Explanation.Late(attribute: "attribution.campaign", then: nil, now: .string("summer"))])
            let exposure = try #require(then.exposure)
            #expect(exposure.origin == "defaultAudience" && exposure.audience == "everyone" && exposure.attributionVersion == 0)
            #expect(exposure.receivedAtMilliseconds - exposure.shownAtMilliseconds == 5000)
        }
    }

    @Test("explains a version even if a secret that it names is missing here")
    func secret() async throws {
        let old = Self.yaml.replacing("[{ sdk: pk_test }]", with: "[{ sdk: pk_test }, { serverFrom: LANDFALL_NOT_SET_HERE }]")
        try await Self.run { server in
            _ = try await ConfigurationStore(server.services.database).publishFile(old, nowMs: 0)
            _ = try await server.firstOpen(Self.opened)
            let shown = #"{"id":"\#(Self.event)","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","revision":1}"#
            _ = try await server.send(.post, WirePath.events, #"{"events":[\#(shown)]}"#)

            #expect(try await server.explanation(exposure: Self.event).revision == 1)
        }
    }

    @Test(
        "explains an exposure by the served version if its revision is of no version, as it is sent and as an older row has it",
        arguments: [Int64.max, .min, 0, -1])
    func revisions(revision: Int64) async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)
            let shown = #"{"id":"\#(Self.event)","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","revision":\#(revision)}"#
            _ = try await server.send(.post, WirePath.events, #"{"events":[\#(shown)]}"#)

            let sent = try await server.explanation(exposure: Self.event)
            try await server.services.database.write { connection in
                _ = try connection.run(
                    "UPDATE event SET revision = $1 WHERE app_id = $2 AND event_id = $3",
                    [.integer(revision), .text("example"), .text(Self.event)])
            }
            let stored = try await server.explanation(exposure: Self.event)

            #expect(sent.revision == 7 && stored.revision == 7)
        }
    }

    private static let chosen = "testDevices: { mayas-phone: { install: \(Phone().id), paywalls: { onboarding: pro } } }"
    private static let counted = "testDevices: { mayas-phone: { install: \(Phone().id), audience: summer } }"
    private static let elsewhere = "testDevices: { mayas-phone: { install: \(Phone().id), paywalls: { settings: pro } } }"

    @Test(
        "names the served choice for a test device, the choice of its audiences, and says that reports do not count it",
        arguments: [
            (chosen, Explanation.TestDevice.Step.paywall, "testDevices.mayas-phone.paywalls.onboarding", "pro"),
            (counted, .audience, "testDevices.mayas-phone.audience", "summer"), (elsewhere, nil, nil, nil),
        ] as [(String, Explanation.TestDevice.Step?, String?, String?)])
    func testDevice(section: String, step: Explanation.TestDevice.Step?, reason: String?, paywall: String?) async throws {
        let yaml = Self.yaml + "\n  settings: [{ audience: everyone, paywall: default }]\n" + section + "\n"
        try await Self.run(yaml) { server in
            _ = try await server.firstOpen(Self.opened)

            let explanation = try await server.explanation()

            let device = try #require(explanation.testDevice)
            #expect(device.name == "mayas-phone" && device.step == step && device.reason == reason && !explanation.inReports)
            #expect(device.instead.audience == explanation.audiences.first { $0.reached && $0.result == .yes }?.audience)
            let served = try await server.send(.get, "/v1/placements/onboarding/paywall").decoded(PaywallAnswer.self)
            #expect(explanation.chosen.paywall == served.paywall?.name.rawValue && explanation.chosen.audience == served.audience.rawValue)
            #expect(explanation.chosen.paywall == paywall ?? device.instead.paywall)
        }
    }

    @Test("is final for a test device while Apple's answer is on its way, as the served paywall is")
    func testDeviceIsFinal() async throws {
        try await Self.run(Self.yaml + "\n" + Self.chosen + "\n") { server in
            _ = try await server.firstOpen(#"{"adToken":{"value":"t"},"device":{"locale":"en-US"}}"#)

            #expect(try await server.explanation().final)
        }
    }

    @Test("says for any other install that reports count it, and that Apple's answer is not test data")
    func noTestDevice() async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)

            let explanation = try await server.explanation()

            #expect(explanation.testDevice == nil && explanation.inReports && !explanation.testPayload)
        }
    }

    @Test("says 'now' for a value that was not stored with the exposure")
    func unkept() async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)
            let other = #"{"id":"\#(Self.event)","type":"paywall_closed","ageMilliseconds":0,"placement":"onboarding"}"#
            _ = try await server.send(.post, WirePath.events, #"{"events":[\#(other)]}"#)

            let explanation = try await server.explanation(exposure: Self.event)

            #expect(explanation.asOf == .exposure && explanation.late == [])
            #expect(explanation.audiences.flatMap(\.conditions).allSatisfy { $0.valueIs == .now })
        }
    }

    @Test("is not final while Apple's answer is on its way")
    func pending() async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(#"{"adToken":{"value":"t"},"device":{"locale":"en-US"}}"#)

            let explanation = try await server.explanation()

            #expect(!explanation.final)
            #expect(explanation.audiences[0].result == .unknown && explanation.audiences[0].conditions[0].reason == .pending)
        }
    }

    @Test("explains the install of a profile, and has null for every missing value")
    func profile() async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)

            let response = try await server.explain("profile=i_\(Phone().id)&placement=onboarding")
            let document = try #require(try JSONSerialization.jsonObject(with: Data(buffer: response.body)) as? [String: Any])

            #expect(document["install"] as? String == Phone().id)
            #expect(document["draw"] is NSNull && document["exposure"] is NSNull)
            #expect((document["chosen"] as? [String: Any])?["variation"] is NSNull)
        }
    }

    @Test(
        "answers each bad request with its own error",
        arguments: [
            ("placement=onboarding", ErrorCode.invalidValue), ("install=a&profile=b&placement=onboarding", .invalidValue),
            ("install=a&placement=onboarding", .notFound), ("profile=a&placement=onboarding", .notFound),
            ("install=\(Phone().id)", .invalidValue), ("install=\(Phone().id)&placement=nowhere", .placementUnknown),
            ("install=\(Phone().id)&placement=onboarding&exposure=a", .notFound),
        ])
    func refused(query: String, code: ErrorCode) async throws {
        try await Self.run { server in
            _ = try await server.firstOpen(Self.opened)

            #expect(try await server.explain(query).problem?.code == code)
        }
    }

    @Test("accepts only keys with the scope for profiles")
    func key() async throws {
        for (scopes, status) in [([.profiles], .ok), ([.reports, .links], .forbidden)] as [(Set<ServerKey.Scope>, HTTPResponse.Status)] {
            var configuration = try Configuration(yaml: Self.yaml)
            configuration.serverKeys = [ServerKey(LinkRouteServer.serverKey, scopes: scopes)!]
            try await TestServer.run(configuration: configuration) { server in
                _ = try await server.firstOpen(Self.opened)

                #expect(try await server.explain("install=\(Phone().id)&placement=onboarding").status == status)
            }
        }
    }
}

extension TestServer {
    func explain(_ query: String) async throws -> TestResponse {
        try await send(.get, ExplanationRoutes.path + "?" + query, phone: nil, key: LinkRouteServer.serverKey)
    }

    func explanation(exposure: String? = nil) async throws -> Explanation {
        let query = "install=\(Phone().id)&placement=onboarding" + (exposure.map { "&exposure=\($0)" } ?? "")
        return try await explain(query).decoded()
    }
}

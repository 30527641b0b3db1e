// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@Suite("GET /v1/placements/{id}/paywall", .timeLimit(.minutes(1)))
struct PlacementRouteTests {
    @Test("The default audience needs no profile and is always final")
    func everyone() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                .get, "/v1/placements/onboarding/paywall?audience=default&locale=de-AT", phone: nil
            )
            .decoded(PaywallAnswer.self)

            #expect(answer.kind == .default)
            #expect(answer.final)
            #expect(answer.profileId == nil)
            #expect(answer.paywall?.name == PaywallID("default"))
            #expect(answer.paywall?.remoteConfig?.locale == "de")
            #expect(answer.revision == 7)
        }
    }

    @Test(
        "Each wrong question has its own error",
        arguments: [
            ("/v1/placements/nowhere/paywall", ErrorCode.placementUnknown), ("/v1/placements/%00/paywall", .placementUnknown),
            ("/v1/placements/onboarding/paywall?locale=!", .invalidLocale),
            ("/v1/placements/onboarding/paywall?audience=default&locale=!", .invalidLocale),
            ("/v1/placements/onboarding/paywall?audience=all", .invalidValue),
            ("/v1/placements/onboarding/paywall?after=x", .invalidValue),
            ("/v1/placements/onboarding/paywall?wait=-1", .invalidValue),
            ("/v1/placements/onboarding/paywall?attribution=1", .invalidValue),
        ])
    func badQuestion(path: String, code: ErrorCode) async throws {
        try await TestServer.run { server in
            let response = try await server.send(.get, path)

            #expect(response.problem?.code == code)
            #expect((400..<500).contains(response.status.code))
        }
    }

    @Test("With after and wait the answer is held until something changes")
    func held() async throws {
        try await TestServer.run { server in
            let opened = try await server.firstOpen(#"{"adToken":{"value":"t"}}"#)
            let profile = try #require(opened.profile)
            let path = "/v1/placements/onboarding/paywall?after=\(profile.version)&wait=20000"
            async let response = server.send(.get, path)
            await server.clock.waitForSleeper()

            let claim = #"{"key":"k","source":"appsflyer","status":"non_organic"}"#
            _ = try await server.send(.post, WirePath.attribution, claim)

            let answer = try await response.decoded(PaywallAnswer.self)
            #expect(answer.profileVersion > profile.version)
        }
    }

    @Test("The answer has its attribution if the call asks for it, also after a wait")
    func attribution() async throws {
        try await TestServer.run { server in
            let opened = try await server.firstOpen(#"{"adToken":{"value":"t"}}"#)
            let profile = try #require(opened.profile)
            let path = "/v1/placements/onboarding/paywall?attribution="
            let now = try await server.send(.get, path + "true").decoded(PaywallAnswer.self)
            let silent = try await server.send(.get, path + "false").decoded(PaywallAnswer.self)
            let everyone = try await server.send(.get, path + "true&audience=default", phone: nil).decoded(PaywallAnswer.self)
            async let response = server.send(.get, path + "true&after=\(profile.version)&wait=20000")
            async let other = server.send(.get, path + "false&after=\(profile.version)&wait=20000")
            await server.clock.waitForSleepers(2)

            let claim = #"{"key":"k","source":"appsflyer","status":"non_organic"}"#
            _ = try await server.send(.post, WirePath.attribution, claim)

            let later = try await response.decoded(PaywallAnswer.self)
            #expect(now.attribution?.isPending == true)
            #expect(silent.attribution == nil && everyone.attribution == nil)
            guard case .attributed(let details)? = later.attribution else { return #expect(Bool(false), "\(later)") }
            #expect(details.source == "appsflyer")
            #expect(try await other.decoded(PaywallAnswer.self).attribution == nil)
        }
    }

    @Test("A wait without a change ends with the present answer")
    func waitOver() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen(#"{"adToken":{"value":"t"}}"#)
            async let response = server.send(.get, "/v1/placements/onboarding/paywall?after=1000&wait=20000")
            await server.clock.waitForSleeper()
            server.clock.advance(by: .seconds(20))

            let answer = try await response.decoded(PaywallAnswer.self)
            #expect(answer.paywall?.name == PaywallID("default"))
        }
    }
}

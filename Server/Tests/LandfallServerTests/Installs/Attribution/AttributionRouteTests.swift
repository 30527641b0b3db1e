// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@Suite("POST /v1/attribution", .timeLimit(.minutes(1)))
struct AttributionRouteTests {
    private static let tooLong = String(repeating: "0", count: Limits.attributionText + 1)

    @Test("A claim is stored as unverified and counts until a better source attributes the install")
    func claim() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                .post, WirePath.attribution, #"{"key":"k","source":"AppsFlyer","status":"non_organic","campaign":"summer"}"#
            ).decoded(ProfileAnswer.self)

            guard case .attributed(let details) = answer.attribution else { return #expect(Bool(false), "not attributed") }
            #expect(details.source.rawValue == "appsflyer")
            #expect(details.campaign == "summer")
            #expect(!details.verified)
            #expect(answer.profile.appliedAttributionSources == [AttributionSource("appsflyer")])
        }
    }

    @Test(
        "The server's own sources are refused in any spelling",
        arguments: [
            "apple_search_ads", "Apple_Search_Ads", "link", "landfall",
        ])
    func reserved(source: String) async throws {
        try await TestServer.run { server in
            let response = try await server.send(
                .post, WirePath.attribution, #"{"key":"k","status":"non_organic","source":""# + source + #""}"#
            )

            #expect(response.status == .badRequest)
            #expect(response.problem?.code == .reservedSource)
        }
    }

    @Test(
        "Fields out of range are refused",
        arguments: [
            #"{"key":"k","source":"","status":"organic"}"#, #"{"key":"","source":"a","status":"organic"}"#,
            #"{"key":"k","source":"a b","status":"organic"}"#, #"{"key":"k","source":"a","status":"sideways"}"#,
            #"{"key":"k","source":"a","status":"organic","campaign":""# + tooLong + #""}"#,
        ])
    func outOfRange(body: String) async throws {
        try await TestServer.run { server in
            let response = try await server.send(.post, WirePath.attribution, body)

            #expect(response.status == .badRequest)
            #expect(response.problem?.code == .invalidValue)
        }
    }
}

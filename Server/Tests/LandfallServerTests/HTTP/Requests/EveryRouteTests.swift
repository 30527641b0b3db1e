// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallServer

/// One call of the SDK's API that succeeds as it stands.
struct APICall: Sendable, CustomTestStringConvertible {
    let method: HTTPRequest.Method
    let path: String
    var body: String?
    /// False if the SDK key alone is enough.
    var needsProfile = true
    var testDescription: String { "\(method.rawValue) \(path)" }

    static let all: [APICall] = [
        APICall(method: .post, path: WirePath.firstOpen, body: "{}"),
        APICall(method: .get, path: "/v1/placements/onboarding/paywall"),
        APICall(method: .get, path: "/v1/placements/onboarding/paywall?audience=default", needsProfile: false),
        APICall(method: .get, path: WirePath.profile),
        APICall(method: .delete, path: WirePath.profile),
        APICall(method: .post, path: WirePath.adToken, body: #"{"value":"dG9rZW4="}"#),
        APICall(method: .post, path: WirePath.attributes, body: #"{"key":"a1","attributes":{"plan":"free"}}"#),
        APICall(method: .post, path: WirePath.attribution, body: #"{"key":"c1","source":"appsflyer","status":"non_organic"}"#),
        APICall(
            method: .post, path: WirePath.events,
            body: #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10","type":"paywall_shown","ageMilliseconds":0}]}"#
        ),
        APICall(
            method: .post, path: WirePath.linkOpen, body: #"{"key":"o1","url":"https://brandname.go.link/beach"}"#,
            needsProfile: false
        ),
        APICall(method: .post, path: WirePath.purchases, body: #"{"key":"p1","reason":"sync","historyComplete":true,"transactions":[]}"#),
        APICall(method: .post, path: WirePath.deferredLink, body: #"{"token":"unknown"}"#),
        APICall(method: .post, path: WirePath.identify, body: #"{"key":"i1","customerId":"customer-7"}"#),
        APICall(method: .post, path: WirePath.logout, body: #"{"key":"l1"}"#),
    ]
    static let withBody = all.filter { $0.body != nil }
    static let needingProfile = all.filter(\.needsProfile)
}

@Suite("Every call of the SDK's API", .timeLimit(.minutes(1)))
struct EveryRouteTests {
    @Test("succeeds as documented, with the version and a request id", arguments: APICall.all)
    func success(call: APICall) async throws {
        try await TestServer.run { server in
            let response = try await server.send(call.method, call.path, call.body, phone: call.needsProfile ? Phone() : nil)

            #expect(response.status == .ok)
            #expect(response.headers[.landfallVersion] == LandfallVersion.current)
            #expect(response.headers[.landfallRequestID] != nil)
        }
    }

    @Test("refuses a missing and an unknown key", arguments: APICall.all, [nil, "pk_other"])
    func wrongKey(call: APICall, key: String?) async throws {
        try await TestServer.run { server in
            let response = try await server.send(call.method, call.path, call.body, key: key)

            #expect(response.status == .unauthorized)
            #expect(response.problem?.code == .invalidKey)
        }
    }

    @Test("accepts the key with any spelling of its scheme", arguments: ["bearer ", "BEARER ", "Bearer   "])
    func scheme(scheme: String) async throws {
        try await TestServer.run { server in
            let fields: HTTPFields = [.authorization: scheme + "pk_test"]
            let response = try await server.client.execute(
                uri: "/v1/placements/onboarding/paywall?audience=default", method: .get, headers: fields)

            #expect(response.status == .ok)
        }
    }

    @Test("accepts the key under no other scheme", arguments: ["", "Basic ", "Bearer", "Bearer\t"])
    func otherScheme(scheme: String) async throws {
        try await TestServer.run { server in
            let fields: HTTPFields = [.authorization: scheme + "pk_test"]
            let response = try await server.client.execute(
                uri: "/v1/placements/onboarding/paywall?audience=default", method: .get, headers: fields)

            #expect(response.status == .unauthorized)
        }
    }

    @Test("refuses the key alone if a profile is needed", arguments: APICall.needingProfile)
    func keyAlone(call: APICall) async throws {
        try await TestServer.run { server in
            let response = try await server.send(call.method, call.path, call.body, phone: nil)

            #expect(response.status == .unauthorized)
            #expect(response.problem?.code == .profileRequired)
        }
    }

    @Test("refuses another secret for a known install", arguments: APICall.needingProfile)
    func wrongSecret(call: APICall) async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")

            let response = try await server.send(call.method, call.path, call.body, phone: Phone(secret: 8))

            #expect(response.status == .forbidden)
            #expect(response.problem?.code == .profileMismatch)
        }
    }

    @Test("refuses broken JSON, another type and U+0000", arguments: APICall.withBody)
    func brokenBody(call: APICall) async throws {
        try await TestServer.run { server in
            for (body, code) in [
                ("{", ErrorCode.malformedJSON), ("", .malformedJSON), ("[1]", .invalidValue), ("7", .invalidValue),
                ("{\"key\":\"a\(String(repeating: "\u{300}", count: 31))\"}", .forbiddenCharacter),
                (#"{"key":"a\u0000b"}"#, .forbiddenCharacter), ("{\"key\":\"a\u{0}b\"}", .forbiddenCharacter),
                (String(repeating: "[", count: 5000), .malformedJSON),
                // A field that no call has is skipped, but only if it is JSON.
                (#"{"later":01}"#, .malformedJSON), (#"{"later":"\x"}"#, .malformedJSON), ("{\"later\":\"\t\"}", .malformedJSON),
                (#"{"later":[1,]}"#, .malformedJSON), (#"{"later":{"\ud800":0}}"#, .malformedJSON),
            ] where !(body.isEmpty && call.path == WirePath.logout) {
                let response = try await server.send(call.method, call.path, body)

                #expect(response.status == .badRequest, "\(body.prefix(20))")
                #expect(response.problem?.code == code, "\(body.prefix(20))")
            }
        }
    }

    @Test("refuses a body that is too large", arguments: APICall.withBody)
    func oversized(call: APICall) async throws {
        try await TestServer.run { server in
            let response = try await server.send(
                call.method, call.path, #"{"key":""# + String(repeating: "x", count: 1_200_000) + #""}"#
            )

            #expect(response.status == .contentTooLarge)
            #expect(response.problem?.code == .bodyTooLarge)
        }
    }

    @Test("accepts one method only, and says which", arguments: APICall.all)
    func otherMethod(call: APICall) async throws {
        try await TestServer.run { server in
            let response = try await server.send(.put, call.path, call.body)

            #expect(response.status == .methodNotAllowed)
            #expect(response.problem?.code == .methodNotAllowed)
            let allowed = response.headers[.allow]?.split(separator: ", ") ?? []
            #expect(allowed.contains { $0 == call.method.rawValue })
        }
    }

    @Test("ignores fields of a newer client", arguments: APICall.withBody)
    func unknownFields(call: APICall) async throws {
        try await TestServer.run { server in
            let body = try #require(call.body)
            let extended = body == "{}" ? #"{"later":1}"# : #"{"later":{"a":[1]},"# + body.dropFirst()

            #expect(try await server.send(call.method, call.path, extended).status == .ok)
        }
    }

    @Test(
        "A malformed profile header is refused with the right form",
        arguments: [
            "", "x", "0198f0c2-7b1a-7c3d-8e4f-000000000001", "0198F0C2-7B1A-7C3D-8E4F-000000000001." + Phone().secret,
            Phone().id + ".c2hvcnQ",
        ])
    func malformedProfile(header: String) async throws {
        try await TestServer.run { server in
            let response = try await server.client.execute(
                uri: WirePath.profile, method: .get, headers: [.authorization: "Bearer pk_test", .landfallProfile: header]
            )

            #expect(response.status == .unauthorized)
            #expect(response.problem?.code == .profileRequired)
        }
    }

    @Test("An unknown path is 404 with the usual error body")
    func unknownPath() async throws {
        try await TestServer.run { server in
            for path in ["/", "/v1/nothing", "/v1/placements//paywall", "/../etc/passwd", "/consoles/nowhere", "/consol"] {
                let response = try await server.send(.get, path)

                #expect(response.status == .notFound)
                #expect(response.headers[.contentType] == "application/json" && response.headers[.landfallRequestID] != nil)
                #expect(response.problem?.code == .notFound || response.problem?.code == .placementUnknown)
                if response.problem?.code == .notFound { #expect(response.problem?.message == RequestError.notFound.message) }
            }
        }
    }
}

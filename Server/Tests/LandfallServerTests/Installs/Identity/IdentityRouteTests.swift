// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import JWTKit
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Identify and log-out over HTTP", .timeLimit(.minutes(1)))
struct IdentityRouteTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    private func withServer(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(identityKeys: [try #require(IdentityKey(id: nil, secret: Self.secret))], body)
    }

    private struct Claims: JWTPayload {
        let sub: String
        let aud: String
        let iat: Int
        let exp: Int
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private func token(for customer: String, at nowMs: Int64, secret: String = secret) async throws -> String {
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        let now = Int(nowMs / 1000)
        return try await keys.sign(Claims(sub: customer, aud: "com.example.app", iat: now, exp: now + 300))
    }

    private func identify(
        _ server: TestServer, _ customer: String, key: String, token: String? = nil, phone: Phone
    ) async throws -> TestResponse {
        let proof = token.map { #","identityToken":""# + $0 + #"""# } ?? ""
        return try await server.send(
            .post, WirePath.identify, #"{"key":""# + key + #"","customerId":""# + customer + #"""# + proof + "}", phone: phone
        )
    }

    @Test("Without a token the customer id is attached, and no other profile is joined or revealed")
    func unproven() async throws {
        try await withServer { server in
            let other = Phone(2, secret: 9)
            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro"}}"#)
            _ = try await identify(server, "customer-7", key: "i", phone: Phone())

            let answer = try await identify(server, "customer-7", key: "i", phone: other).decoded(ProfileAnswer.self)

            #expect(answer.profile.customerId == "customer-7")
            #expect(answer.profile.id.rawValue == "i_" + other.id)
            #expect(answer.profile.customAttributes.isEmpty)
        }
    }

    @Test("With a token a second install joins the profile that the customer verified before")
    func proven() async throws {
        try await withServer { server in
            let other = Phone(2, secret: 9)
            let proof = try await token(for: "customer-7", at: server.services.time.nowMs())
            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro"}}"#)
            let first = try await identify(server, "customer-7", key: "i", token: proof, phone: Phone()).decoded(
                ProfileAnswer.self)
            let before = try await server.send(.get, WirePath.profile, phone: other).decoded(ProfileAnswer.self)

            let joined = try await identify(server, "customer-7", key: "i", token: proof, phone: other).decoded(
                ProfileAnswer.self)

            #expect(joined.profile.id == first.profile.id)
            #expect(joined.profile.customAttributes == ["plan": .string("pro")])
            #expect(joined.profile.epoch > before.profile.epoch)
        }
    }

    @Test("A token with another key, and one for another person, prove nothing")
    func refused() async throws {
        try await withServer { server in
            let nowMs = server.services.time.nowMs()
            let tokens = [
                try await token(for: "customer-7", at: nowMs, secret: String(repeating: "x", count: 32)),
                try await token(for: "customer-8", at: nowMs), "a.b.c",
            ]
            for token in tokens {
                let response = try await identify(server, "customer-7", key: "i", token: token, phone: Phone())

                #expect(response.status == .forbidden)
                #expect(response.problem?.code == .invalidIdentityToken)
            }
            let answer = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self)
            #expect(answer.profile.customerId == nil)
        }
    }

    @Test("Log-out gives a fresh profile of a higher epoch; the attribution stays with the install")
    func logOut() async throws {
        try await withServer { server in
            _ = try await server.send(.post, WirePath.attribution, #"{"key":"c","source":"appsflyer","status":"non_organic"}"#)
            let before = try await identify(server, "customer-7", key: "i", phone: Phone()).decoded(ProfileAnswer.self)

            let after = try await server.send(.post, WirePath.logout, #"{"key":"l"}"#).decoded(ProfileAnswer.self)

            #expect(after.profile.id != before.profile.id)
            #expect(after.profile.customerId == nil)
            #expect(after.profile.epoch > before.profile.epoch)
            #expect(after.attribution == before.attribution)
        }
    }

    @Test("A log-out needs no body")
    func bareLogOut() async throws {
        try await withServer { server in
            let first = try await server.send(.post, WirePath.logout).decoded(ProfileAnswer.self)
            let second = try await server.send(.post, WirePath.logout, "{}").decoded(ProfileAnswer.self)

            #expect(first.profile.id != second.profile.id)
        }
    }

    @Test(
        "A customer id out of range is refused",
        arguments: ["", String(repeating: "x", count: 513), "e" + String(repeating: "\u{FE0F}", count: 171)])
    func outOfRange(customer: String) async throws {
        try await withServer { server in
            let response = try await identify(server, customer, key: "i", phone: Phone())

            #expect(response.problem?.code == .invalidValue)
        }
    }
}

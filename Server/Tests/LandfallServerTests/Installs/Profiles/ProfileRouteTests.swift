// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@Suite("The profile over HTTP", .timeLimit(.minutes(1)))
struct ProfileRouteTests {
    private static let tooLong = String(repeating: "0", count: Limits.attributeText + 1)

    @Test("Any call with a credential creates the profile: a wiped server heals itself")
    func healing() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self)

            #expect(answer.profile.id.rawValue == "i_" + Phone().id)
            #expect(answer.attribution == .unavailable(.noToken))
        }
    }

    @Test("Two installs never see each other")
    func apart() async throws {
        try await TestServer.run { server in
            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro"}}"#, phone: Phone(1))

            let other = try await server.send(.get, WirePath.profile, phone: Phone(2, secret: 9)).decoded(ProfileAnswer.self)

            #expect(other.profile.customAttributes.isEmpty)
        }
    }

    @Test("A reported token makes the attribution pending")
    func token() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.post, WirePath.adToken, #"{"value":"dG9rZW4="}"#).decoded(ProfileAnswer.self)

            #expect(answer.attribution.isPending)
        }
    }

    @Test(
        "Attributes that the configuration, the limits or the types forbid are refused as a whole",
        arguments: [
            #"{"sessions":"many"}"#, #"{"a b":1}"#, #"{"plan":""# + tooLong + #""}"#,
            #"{"sessions":1,"":2}"#,
        ])
    func badAttributes(attributes: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":"# + attributes + "}")
            let opened = try await server.send(.post, WirePath.firstOpen, #"{"attributes":"# + attributes + "}")

            for response in [refused, opened] {
                #expect(response.status == .badRequest)
                #expect(response.problem?.code == .invalidAttribute)
            }
            let answer = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self)
            #expect(answer.profile.customAttributes.isEmpty)
        }
    }

    @Test("A null removes an attribute")
    func removal() async throws {
        try await TestServer.run { server in
            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro","sessions":3}}"#)

            let answer = try await server.send(.post, WirePath.attributes, #"{"key":"b","attributes":{"plan":null}}"#)
                .decoded(ProfileAnswer.self)

            #expect(answer.profile.customAttributes == ["sessions": .number(3)])
        }
    }

    @Test("An idempotency key works once; with another body it is refused")
    func keys() async throws {
        try await TestServer.run { server in
            let body = #"{"key":"a","attributes":{"plan":"pro"}}"#
            let first = try await server.send(.post, WirePath.attributes, body).decoded(ProfileAnswer.self)
            let again = try await server.send(.post, WirePath.attributes, body).decoded(ProfileAnswer.self)
            let other = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"free"}}"#)

            #expect(again.profile.version == first.profile.version)
            #expect(other.status == .conflict)
            #expect(other.problem?.code == .keyReused)
        }
    }

    @Test("A wait for a newer profile ends with the change")
    func held() async throws {
        try await TestServer.run { server in
            let known = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self)
            async let waiting = server.send(.get, WirePath.profile + "?after=\(known.profile.version)&wait=30000")
            await server.clock.waitForSleeper()

            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro"}}"#)

            let answer = try await waiting.decoded(ProfileAnswer.self)
            #expect(answer.profile.customAttributes == ["plan": .string("pro")])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallDatabase
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("An install that was not seen for a long time", .timeLimit(.minutes(1)))
struct InstallRetentionTests {
    private static let maya = ErasedPerson("maya", 1), omar = ErasedPerson("omar", 11)
    private static let day = Duration.seconds(86_400)

    @Test("is deleted with its profile and everything that it owns; one that was seen stays")
    func silent() async throws {
        try await TestServer.run { server in
            try await Self.maya.live(on: server)
            server.clock.advance(by: Self.day)
            try await Self.omar.live(on: server)
            server.clock.advance(by: Self.day * 1099)
            _ = try await server.retain("install")
            let before = try await StoredCells(server.services.database)
            #expect(!before.places(of: Self.maya.traces).isEmpty)

            server.clock.advance(by: .milliseconds(1))
            #expect(try await !server.retain("install"))

            let after = try await StoredCells(server.services.database)
            #expect(after.places(of: Self.maya.traces) == [])
            #expect(after.places(of: Self.omar.traces) == before.places(of: Self.omar.traces))
        }
    }

    @Test("is new if it returns")
    func comesBack() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            _ = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro"}}"#)
            server.clock.advance(by: Self.day * 1101)
            _ = try await server.retain("install")

            let profile = try #require(try await server.firstOpen("{}").profile)

            #expect(profile.customAttributes.isEmpty)
        }
    }

    @Test("leaves its person's profile if another phone shows it")
    func otherPhone() async throws {
        try await TestServer.run { server in
            try await Self.maya.live(on: server)
            let profile = try await Self.maya.profile(on: server)
            server.clock.advance(by: Self.day * 1101)
            _ = try await server.firstOpen("{}", phone: Self.maya.phones[1])

            _ = try await server.retain("install")

            let other = try await server.send(.get, WirePath.profile, phone: Self.maya.phones[1]).decoded(ProfileAnswer.self)
            #expect(other.profile.id == profile)
            #expect(other.profile.customerId == "maya")
            let installs = try await server.apps(in: "install")
            #expect(installs.count == 1)
        }
    }

    @Test("A profile that its install left is deleted when nothing of that time is kept, unless an install shows it")
    func leftProfile() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen(#"{"attributes":{"plan":"pro"}}"#)
            _ = try await server.send(.post, WirePath.logout, #"{"key":"out"}"#)
            server.clock.advance(by: Self.day * 1100)
            _ = try await server.firstOpen("{}")
            _ = try await server.retain("former_profile")
            let left = ProfileID.first(of: InstallID(Phone().id)).rawValue
            #expect(try await !StoredCells(server.services.database).places(of: [left]).isEmpty)

            server.clock.advance(by: .milliseconds(1))
            #expect(try await !server.retain("former_profile"))

            #expect(try await StoredCells(server.services.database).places(of: [left]) == [])
            #expect(try await server.send(.get, WirePath.profile).status == .ok)
        }
    }
}

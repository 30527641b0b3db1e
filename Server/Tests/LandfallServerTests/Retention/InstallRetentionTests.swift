// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
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

    enum End: CaseIterable { case silence, erasure }

    @Test(
        "A verified customer's profile that a phone left stays when the install goes, and is deleted when its own time is over",
        arguments: End.allCases)
    func verified(end: End) async throws {
        try await TestServer.run { server in
            let phone = Phone()
            try await server.become("maya", phone)
            _ = try await server.send(.post, WirePath.logout, #"{"key":"out"}"#, phone: phone)
            server.clock.advance(by: Self.day * (end == .silence ? 1100 : 1))
            if end == .silence { server.clock.advance(by: .milliseconds(1)) }
            switch end {
            case .silence: #expect(try await !server.retain("install"))
            case .erasure: _ = try await server.services.erasing.erase(.install(InstallID(phone.id)))
            }
            let between = try await server.tables()
            if end == .erasure {
                server.clock.advance(by: Self.day * 1099)
                _ = try await server.retain("former_profile")
                #expect(try await server.tables() == between)
                server.clock.advance(by: .milliseconds(1))
            }

            #expect(try await !server.retain("former_profile"))

            #expect(between == ["customer", "former_profile", "profile"])
            #expect(try await server.tables() == [])
        }
    }

    @Test("A verified customer's profile stays as long as any of its phones may have left it")
    func leftTwice() async throws {
        try await TestServer.run { server in
            for number in [1, 2] { try await server.become("maya", Phone(number)) }
            _ = try await server.send(.post, WirePath.logout, #"{"key":"out"}"#, phone: Phone(1))
            server.clock.advance(by: Self.day * 500)
            _ = try await server.send(.post, WirePath.logout, #"{"key":"out"}"#, phone: Phone(2))
            server.clock.advance(by: Self.day * 600)
            server.clock.advance(by: .milliseconds(1))

            _ = try await server.retain("former_profile")
            let stays = try await server.apps(in: "customer").count
            server.clock.advance(by: Self.day * 500)
            for _ in 1...2 { _ = try await server.retain("former_profile") }

            #expect(stays == 1)
            #expect(try await server.apps(in: "customer") == [])
        }
    }
}

extension TestServer {
    /// An install whose team has verified who uses it.
    fileprivate func become(_ customer: CustomerID, _ phone: Phone) async throws {
        _ = try await firstOpen(#"{"attributes":{"plan":"pro"}}"#, phone: phone)
        let person = Identification(key: "proven", customerID: customer, isVerified: true)
        _ = try await services.installs.identify(ErasedPerson.app, phone.credential, person, nowMs: services.time.nowMs())
    }

    /// Which of the tables about people have rows.
    fileprivate func tables() async throws -> [String] {
        var tables: [String] = []
        for table in ["customer", "former_profile", "install", "profile"] where try await !apps(in: table).isEmpty { tables.append(table) }
        return tables
    }
}

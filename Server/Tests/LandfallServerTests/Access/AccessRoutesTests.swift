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

@Suite("A backend", .timeLimit(.minutes(1)))
struct AccessRoutesTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let key = "sk_0123456789abcdef0123456789abcdef"
    private static let path = "/v1/customers/maya/access"

    private struct Access: Decodable {
        let profileId: ProfileID
        let accessLevels: [String: WireAccessLevel]
        let purchasesKnown: Bool
    }

    /// Maya is a verified customer on two phones.
    private func running(_ scope: ServerKey.Scope = .access, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.purchases.accessLevels = [AccessLevel(rawValue: "premium")]
        configuration.serverKeys = [ServerKey(Self.key, scopes: [scope], name: "LANDFALL_BACKEND")!]
        try await TestServer.run(configuration: configuration) { server in
            for phone in [Phone(1), Phone(2)] {
                _ = try await server.services.installs.identify(
                    server.app, phone.credential, Identification(key: "i", customerID: "maya", isVerified: true), nowMs: Self.nowMs)
            }
            try await body(server)
        }
    }

    private func call(_ server: TestServer, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> TestResponse {
        try await server.send(method, path, body, phone: nil, key: Self.key)
    }

    private func grant(_ server: TestServer, _ person: String = #""customerId":"maya""#, ends: Int64? = nil) async throws -> TestResponse {
        let end = ends.map { "\($0)" } ?? "null"
        return try await call(
            server, .post, AccessRoutes.grantsPath, #"{\#(person),"level":"premium","endsAtMilliseconds":\#(end),"reason":"a gift"}"#)
    }

    private func level(_ server: TestServer, _ phone: Phone) async throws -> WireAccessLevel? {
        try await server.send(.get, WirePath.profile, phone: phone).decoded(ProfileAnswer.self).profile.accessLevels?["premium"]
    }

    @Test("gives a level to a person, which all of their phones show, and takes it back")
    func granted() async throws {
        try await running { server in
            let before = try await server.send(.get, WirePath.profile, phone: Phone(2)).decoded(ProfileAnswer.self).profile.version

            let granted = try await grant(server).decoded(GrantAnswer.self)
            let levels = [try await level(server, Phone(1)), try await level(server, Phone(2))]
            let after = try await server.send(.get, WirePath.profile, phone: Phone(2)).decoded(ProfileAnswer.self).profile.version
            for _ in 0..<2 {
                #expect(try await call(server, .delete, AccessRoutes.grantsPath + "/\(granted.grantId)?reason=over").status == .ok)
            }

            for level in levels {
                #expect((level?.isActive, level?.state, level?.store, level?.productId) == (true, .granted, .grant, nil))
                #expect(level?.endsAtMilliseconds == nil)
            }
            #expect(after > before)
            #expect(try await level(server, Phone(2))?.isActive == false)
            let rows = try await server.rows("SELECT reason, made_by, taken_back_by, taken_back_reason FROM access_grant")
            #expect(rows.map(\.values) == [[.text("a gift"), .text("key LANDFALL_BACKEND"), .text("key LANDFALL_BACKEND"), .text("over")]])
            let lines = try await server.rows("SELECT member, action, subject FROM audit_entry ORDER BY action").map(\.values)
            let key = SQLValue.text("key LANDFALL_BACKEND"), id = granted.grantId
            #expect(lines == [[key, .text("access_given"), .text("premium, \(id)")], [key, .text("access_taken_back"), .text(id)]])
        }
    }

    @Test("that repeats a call gets the same grant, and after it was taken back another one")
    func repeated() async throws {
        try await running { server in
            let first = try await grant(server).decoded(GrantAnswer.self).grantId
            let again = try await grant(server).decoded(GrantAnswer.self).grantId
            let other = try await grant(server, ends: Self.nowMs + 1_000).decoded(GrantAnswer.self).grantId
            _ = try await call(server, .delete, AccessRoutes.grantsPath + "/\(first)")
            let new = try await grant(server).decoded(GrantAnswer.self).grantId

            #expect(again == first && Set([first, other, new]).count == 3)
            #expect(try await server.counts(["access_grant", "audit_entry"]) == [3, 4])
        }
    }

    @Test("gives a person at most a hundred grants at one time, and a profile forgets those that ended long ago, never an open one")
    func bounded() async throws {
        try await running { server in
            let open = try await grant(server).decoded(GrantAnswer.self).grantId
            for number in 1..<AccessGrant.most {
                #expect(try await grant(server, ends: Self.nowMs + 1_000 + Int64(number)).status == .ok)
            }
            let refused = try await grant(server, ends: Self.nowMs + 9_000)
            server.clock.advance(by: .seconds(10))
            for number in 0..<2 { #expect(try await grant(server, ends: Self.nowMs + 20_000 + Int64(number)).status == .ok) }

            #expect(refused.problem?.code == .invalidValue)
            let access = try await server.access(of: Phone(1))
            #expect(Set(access?.entries.map(\.period.transactionID) ?? []).count == AccessGrant.most)
            #expect(access?.entries.contains { $0.period.transactionID == open && $0.period.endsAtMs == nil } == true)
        }
    }

    @Test("sees the access of a verified customer, until a grant ends by itself, and of nobody else")
    func customer() async throws {
        try await running { server in
            _ = try await server.send(.post, WirePath.identify, #"{"key":"i","customerId":"omar"}"#, phone: Phone(3))
            _ = try await grant(server, ends: Self.nowMs + 1_000)

            let now = try await call(server, .get, Self.path).decoded(Access.self)
            server.clock.advance(by: .seconds(1))
            let then = try await call(server, .get, Self.path).decoded(Access.self)

            #expect(now.profileId == .first(of: InstallID(Phone(1).id)))
            #expect((now.accessLevels["premium"]?.isActive, then.accessLevels["premium"]?.isActive) == (true, false))
            #expect(!now.purchasesKnown)
            #expect(try await call(server, .get, "/v1/customers/m%61ya/access").status == .ok)
            for id in ["omar", "nobody"] { #expect(try await call(server, .get, "/v1/customers/\(id)/access").status == .notFound) }
        }
    }

    @Test("is refused for an unknown person, level or end, and without the scope")
    func refused() async throws {
        try await running { server in
            let nobody = try await grant(server, #""profileId":"i_nobody""#)

            #expect(nobody.status == .notFound)
            #expect(try await grant(server, #""customerId":"nobody""#).status == .notFound)
            #expect(try await grant(server, #""customerId":"maya","profileId":"i_1""#).problem?.code == .invalidValue)
            #expect(try await grant(server, #""customerId":"""#).problem?.code == .invalidValue)
            #expect(try await grant(server, #""customerId":"\#(String(repeating: "x", count: 513))""#).problem?.code == .invalidValue)
            for end in [.min, -1, 0, Self.nowMs, Instant.latestMs + 1, .max] {
                #expect(try await grant(server, ends: end).problem?.code == .invalidValue, "\(end)")
            }
            for reason in [String(repeating: "é", count: 101), "two\\nlines", "\\u007f"] {
                let order = #"{"customerId":"maya","level":"premium","endsAtMilliseconds":null,"reason":"\#(reason)"}"#
                #expect(try await call(server, .post, AccessRoutes.grantsPath, order).problem?.code == .invalidValue)
            }
            let long = "/none?reason=" + String(repeating: "x", count: 201)
            #expect(try await call(server, .delete, AccessRoutes.grantsPath + long).problem?.code == .invalidValue)
            let gold = #"{"customerId":"maya","level":"gold","endsAtMilliseconds":null,"reason":""}"#
            #expect(try await call(server, .post, AccessRoutes.grantsPath, gold).problem?.code == .invalidValue)
            #expect(try await call(server, .delete, AccessRoutes.grantsPath + "/none").status == .notFound)
            #expect(try await server.counts(["access_grant", "audit_entry"]) == [0, 0])
        }
        try await running(.profiles) { server in
            let refused = try await grant(server)

            #expect(refused.problem?.code == .scopeMissing)
            #expect(try await call(server, .get, Self.path).problem?.code == .scopeMissing)
        }
    }

    @Test("takes back no grant of another app's person")
    func otherApp() async throws {
        try await running { server in
            let id = try await grant(server).decoded(GrantAnswer.self).grantId
            let other = AppID("other"), line = AuditLine(action: .accessTakenBack, member: nil, subject: id, network: nil)

            let isTaken = try await AccessStore(server.services.database).takeBack(
                id, in: other, because: "", by: "key", noting: line.insertion(into: other, id: "1", nowMs: Self.nowMs), nowMs: Self.nowMs)

            #expect(!isTaken)
            #expect(try await level(server, Phone(1))?.isActive == true)
            #expect(try await server.counts(["audit_entry"]) == [1])
        }
    }

    @Test("leaves no grant of a person who is erased")
    func erased() async throws {
        try await running { server in
            _ = try await grant(server, #""profileId":"\#(ProfileID.first(of: InstallID(Phone(1).id)).rawValue)""#)

            for phone in [Phone(1), Phone(2)] { _ = try await server.send(.delete, WirePath.profile, phone: phone) }

            #expect(try await server.counts(["access_grant", "profile"]) == [0, 0])
        }
    }
}

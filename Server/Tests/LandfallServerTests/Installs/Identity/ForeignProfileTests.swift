// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A profile's id gives no access", .timeLimit(.minutes(1)))
struct ForeignProfileTests {
    /// An install that chose the UUID of a profile as its id, with its own secret.
    private func intruder(_ profile: ProfileID) -> Credential {
        Credential(installID: InstallID(String(profile.rawValue.suffix(36))), secretHash: [UInt8](repeating: 0xEE, count: 32))
    }

    private func identified(_ store: TestStore, as customer: String) async throws -> Install {
        let person = Identification(key: IdempotencyKey(customer), customerID: CustomerID(customer), isVerified: false)
        return try await store.installs.identify(TestStore.app, .mayasPhone, person, nowMs: TestStore.noon)
    }

    private func change(_ store: TestStore, _ who: Credential, _ attributes: [String: AttributeValue?]) async throws {
        _ = try await store.installs.change(
            TestStore.app, who, AttributeChanges(key: "attributes", attributes: attributes), nowMs: TestStore.noon)
    }

    @Test("A new install whose id is that of a profile after a log-out reads and writes its own profile")
    func afterLogOut() async throws {
        let store = try await TestStore()
        let maya = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "out", nowMs: TestStore.noon)
        try await change(store, .mayasPhone, ["plan": .string("gold")])

        let intruder = intruder(maya.profileID)
        let stranger = try await store.open(intruder)
        try await change(store, intruder, ["plan": .string("stolen")])

        #expect(intruder.installID.rawValue.isLowerCaseUUID)
        #expect(stranger.profileID != maya.profileID)
        #expect(stranger.attributes.isEmpty)
        #expect(try await store.install(.mayasPhone).attributes == ["plan": .string("gold")])
    }

    @Test("So does one whose id is that of a profile after a change of customer")
    func afterAnotherCustomer() async throws {
        let store = try await TestStore()
        _ = try await identified(store, as: "maya")
        let omar = try await identified(store, as: "omar")

        let stranger = try await store.open(intruder(omar.profileID))

        #expect(stranger.profileID != omar.profileID)
        #expect(stranger.customerID == nil)
    }

    @Test("The two kinds of ids differ in their prefix")
    func kinds() async throws {
        let store = try await TestStore()

        let first = try await store.open(.mayasPhone)
        let second = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "out", nowMs: TestStore.noon)

        #expect(first.profileID.rawValue == "i_" + Credential.mayasPhone.installID.rawValue)
        #expect(second.profileID.rawValue.hasPrefix("s_"))
        #expect(String(second.profileID.rawValue.dropFirst(2)).isLowerCaseUUID)
    }

    @Test("If a profile has the id that a new install would get, the install gets another, and the profile stays untouched")
    func neverJoins() async throws {
        let store = try await TestStore()
        let id = ProfileID.first(of: Credential.mayasPhone.installID)
        _ = try await store.database.write(.bulk, locking: [.profile(id, in: TestStore.app)]) { connection in
            try connection.run(
                """
                INSERT INTO profile (app_id, profile_id, version, customer_id, customer_is_verified, attributes, created_at_ms)
                VALUES ($1, $2, 0, 'omar', 0, '{}', 0)
                """, [.text(TestStore.app.rawValue), .text(id.rawValue)])
        }

        let stranger = try await store.open(.mayasPhone, attributes: ["plan": .string("mine")])

        #expect(stranger.profileID != id)
        #expect(stranger.profileID.rawValue.hasPrefix("s_"))
        #expect(stranger.customerID == nil)
        #expect(try await store.install(.mayasPhone) == stranger)
        let others = try await store.database.read { connection in
            try connection.row("SELECT attributes FROM profile WHERE profile_id = $1", [.text(id.rawValue)])
        }
        #expect(try others?.text("attributes") == "{}")
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("Identification of a person", .timeLimit(.minutes(1)))
struct PersonTests {
    private func identify(
        _ store: TestStore, _ phone: Credential, _ customer: String, verified: Bool = false, key: String? = nil
    ) async throws -> Install {
        let key = IdempotencyKey(key ?? "\(phone.installID)-\(customer)-\(verified)")
        return try await store.installs.identify(
            TestStore.app, phone, Identification(key: key, customerID: CustomerID(customer), isVerified: verified),
            nowMs: TestStore.noon
        )
    }

    @Test("An unverified id is attached to this profile")
    func attach() async throws {
        let store = try await TestStore()
        let before = try await store.open(.mayasPhone)

        let after = try await identify(store, .mayasPhone, "maya")

        #expect(after.customerID == "maya")
        #expect(!after.customerIsVerified)
        #expect(after.profileID == before.profileID)
        #expect(after.epoch == before.epoch)
        #expect(after.version == before.version + 1)
    }

    @Test("An unverified id joins nothing and reveals nothing of the profile that has it")
    func unprovenNeverJoins() async throws {
        let store = try await TestStore()
        let maya = try await identify(store, .mayasPhone, "maya", verified: true)
        try await change(store, .mayasPhone, ["plan": .string("gold")])

        let omar = try await identify(store, .omarsPhone, "maya")

        #expect(omar.profileID != maya.profileID)
        #expect(omar.attributes.isEmpty)
        #expect(!omar.customerIsVerified)
    }

    @Test("Another unverified id is another person: a fresh profile with a higher epoch")
    func anotherPerson() async throws {
        let store = try await TestStore()
        let maya = try await identify(store, .mayasPhone, "maya")
        try await change(store, .mayasPhone, ["plan": .string("gold")])

        let omar = try await identify(store, .mayasPhone, "omar")

        #expect(omar.profileID != maya.profileID)
        #expect(omar.epoch == maya.epoch + 1)
        #expect(omar.customerID == "omar")
        #expect(omar.attributes.isEmpty)
        #expect(omar.id == maya.id)
    }

    @Test("A verified id makes this profile the customer's, and the next device joins it")
    func join() async throws {
        let store = try await TestStore()
        let phone = try await identify(store, .mayasPhone, "maya", verified: true)
        try await change(store, .mayasPhone, ["plan": .string("gold")])
        let tabletBefore = try await store.open(.mayasTablet)

        let tablet = try await identify(store, .mayasTablet, "maya", verified: true)

        #expect(phone.customerIsVerified)
        #expect(tablet.profileID == phone.profileID)
        #expect(tablet.epoch == tabletBefore.epoch + 1)
        #expect(tablet.attributes == ["plan": .string("gold")])
        #expect(tablet.id == Credential.mayasTablet.installID)
    }

    @Test("On a shared profile every install sees the other installs' changes as a higher version")
    func sharedVersions() async throws {
        let store = try await TestStore()
        _ = try await identify(store, .mayasPhone, "maya", verified: true)
        let tablet = try await identify(store, .mayasTablet, "maya", verified: true)

        try await change(store, .mayasPhone, ["plan": .string("gold")])

        let later = try await store.install(.mayasTablet)
        #expect(later.version == tablet.version + 1)
        #expect(later.attributes == ["plan": .string("gold")])
    }

    @Test("An unverified id becomes verified in place")
    func proofLater() async throws {
        let store = try await TestStore()
        let unproven = try await identify(store, .mayasPhone, "maya")

        let proven = try await identify(store, .mayasPhone, "maya", verified: true)

        #expect(proven.profileID == unproven.profileID)
        #expect(proven.customerIsVerified)
        let again = try await identify(store, .mayasPhone, "maya", key: "without-proof")
        #expect(again.customerIsVerified)
    }

    @Test("Another verified person on a customer's device gets a fresh profile")
    func provenStranger() async throws {
        let store = try await TestStore()
        let maya = try await identify(store, .mayasPhone, "maya", verified: true)

        let omar = try await identify(store, .mayasPhone, "omar", verified: true)

        #expect(omar.profileID != maya.profileID)
        #expect(omar.customerIsVerified)
        #expect(omar.epoch == maya.epoch + 1)
        let back = try await identify(store, .mayasPhone, "maya", verified: true, key: "back")
        #expect(back.profileID == maya.profileID)
        #expect(back.epoch == maya.epoch + 2)
    }

    @Test("Log-out leaves an anonymous profile, and the attribution unchanged")
    func logOut() async throws {
        let store = try await TestStore()
        let maya = try await identify(store, .mayasPhone, "maya")
        var claim = AttributionClaim(key: "claim", source: "tenjin", status: .nonOrganic)
        claim.campaign = "autumn"
        let attributed = try await store.installs.record(TestStore.app, .mayasPhone, claim, nowMs: TestStore.noon)

        let out = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "out", nowMs: TestStore.noon)

        #expect(out.customerID == nil)
        #expect(out.profileID != maya.profileID)
        #expect(out.epoch == maya.epoch + 1)
        #expect(out.attribution(nowMs: TestStore.noon) == attributed.attribution(nowMs: TestStore.noon))
        #expect(out.attributionVersion == attributed.attributionVersion)
    }

    @Test("A repeated request does its work once; the same key for another request is refused")
    func keys() async throws {
        let store = try await TestStore()
        let out = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "k", nowMs: TestStore.noon)

        let again = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "k", nowMs: TestStore.noon + 5)

        #expect(again == out)
        await #expect(throws: InstallError.keyReused("k")) { try await identify(store, .mayasPhone, "maya", key: "k") }
        #expect(try await identify(store, .omarsPhone, "omar", key: "k").customerID == "omar")
    }

    @Test(
        "An id that Unicode calls equivalent is another person: verified or not, in memory and in the store",
        arguments: [("Kate", "\u{212A}ate"), ("caf\u{E9}", "cafe\u{301}")])
    func equivalent(customer: String, other: String) async throws {
        let store = try await TestStore()
        let kate = try await identify(store, .mayasPhone, customer, verified: true, key: "1")
        try await change(store, .mayasPhone, ["plan": .string("gold")])

        let proven = try await identify(store, .mayasTablet, other, verified: true, key: "2")
        let onHerPhone = try await identify(store, .mayasPhone, other, key: "3")

        #expect(proven.profileID != kate.profileID)
        #expect(proven.attributes.isEmpty)
        #expect(onHerPhone.profileID != kate.profileID)
        #expect(onHerPhone.attributes.isEmpty)
        #expect(onHerPhone.epoch == kate.epoch + 1)
        #expect(try await identify(store, .omarsPhone, customer, verified: true, key: "4").profileID == kate.profileID)
        #expect(try await identify(store, .omarsPhone, other, verified: true, key: "5").profileID == proven.profileID)
    }

    @Test("A token under a key that was used without one is refused and not dropped, and the reverse too")
    func proofUnderUsedKey() async throws {
        let store = try await TestStore()
        _ = try await identify(store, .mayasPhone, "maya", key: "k")

        await #expect(throws: InstallError.keyReused("k")) {
            try await identify(store, .mayasPhone, "maya", verified: true, key: "k")
        }
        let proven = try await identify(store, .mayasPhone, "maya", verified: true, key: "p")
        await #expect(throws: InstallError.keyReused("p")) { try await identify(store, .mayasPhone, "maya", key: "p") }

        #expect(proven.customerIsVerified)
        #expect(try await identify(store, .mayasPhone, "maya", verified: true, key: "p") == proven)
    }

    @Test("A customer id has 1 to 512 bytes", arguments: [(0, false), (1, true), (256, true), (257, false)])
    func length(count: Int, isValid: Bool) async throws {
        let store = try await TestStore()
        let id = String(repeating: "ü", count: count)

        let result = await Task { try await identify(store, .mayasPhone, id, key: "k") }.result

        #expect((try? result.get())?.customerID == (isValid ? CustomerID(id) : nil))
    }

    private func change(_ store: TestStore, _ phone: Credential, _ attributes: [String: AttributeValue?]) async throws {
        _ = try await store.installs.change(
            TestStore.app, phone, AttributeChanges(key: "attributes", attributes: attributes), nowMs: TestStore.noon
        )
    }
}

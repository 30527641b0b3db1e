// SPDX-License-Identifier: Apache-2.0
#if canImport(Security) && os(Linux)  // The stand-in: Apple's own keychain needs an app with an entitlement.
import Foundation
import LandfallApple
import Security
import Testing

/// One after the other, because the keychain belongs to the process.
@Suite("The keychain as a store of the device id", .serialized, .timeLimit(.minutes(1)))
struct KeychainDeviceIDStoreTests {
    let store = KeychainDeviceIDStore(account: "com.example.app")

    init() { SimulatedKeychain.current = SimulatedKeychain() }

    @Test("reads nil if there is no item, and otherwise what was written")
    func roundTrip() async throws {
        #expect(try await store.read() == nil)

        try await store.write("first")
        #expect(try await store.read() == "first")

        try await store.write("second")
        #expect(try await store.read() == "second")
        #expect(SimulatedKeychain.current.items.count == 1)
        #expect(!SimulatedKeychain.current.wasCalledOnMainThread)
    }

    @Test("keeps the item on this device, readable after the first unlock")
    func accessibility() async throws {
        try await store.write("id")

        let expected = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String? ?? ""
        #expect(SimulatedKeychain.current.items.values.map(\.accessible) == [expected])
    }

    @Test("throws while the device is locked, which differs from a missing item")
    func locked() async throws {
        try await store.write("id")
        SimulatedKeychain.current.isLocked = true

        let failures = [
            await #expect(throws: KeychainFailure.self) { try await store.read() },
            await #expect(throws: KeychainFailure.self) { try await store.write("other") },
        ]
        #expect(failures.map { $0?.status } == [errSecInteractionNotAllowed, errSecInteractionNotAllowed])

        SimulatedKeychain.current.isLocked = false
        #expect(try await store.read() == "id")
    }

    @Test("separates two apps of one keychain group")
    func accounts() async throws {
        try await store.write("one")

        #expect(try await KeychainDeviceIDStore(account: "com.example.other").read() == nil)
    }

    @Test("keeps the item in the data protection keychain, on macOS too")
    func dataProtection() async throws {
        try await store.write("id")

        #expect(SimulatedKeychain.current.items.keys.map(\.isDataProtected) == [true])
        #expect(SimulatedKeychain.current.items.keys.map(\.accessGroup) == [nil])
    }

    @Test("keeps the item in the configured access group")
    func accessGroup() async throws {
        SimulatedKeychain.current.accessGroups = ["ABCDE12345.shared"]
        let shared = KeychainDeviceIDStore(account: "com.example.app", accessGroup: "ABCDE12345.shared")

        try await shared.write("shared")

        #expect(try await shared.read() == "shared")
        #expect(try await store.read() == nil)
        #expect(SimulatedKeychain.current.items.keys.map(\.accessGroup) == ["ABCDE12345.shared"])
    }

    @Test(
        "reports a final error if waiting cannot help",
        arguments: [errSecMissingEntitlement, -25_291, -50] as [OSStatus])
    func lasting(status: OSStatus) async throws {
        SimulatedKeychain.current.failure = status

        let failure = await #expect(throws: DeviceIDUnavailable.self) { try await store.read() }
        await #expect(throws: DeviceIDUnavailable.self) { try await store.write("id") }

        #expect(failure?.description.contains("\(status)") == true)
    }

    @Test("names the access group that the entitlement lacks")
    func missingGroup() async throws {
        let shared = KeychainDeviceIDStore(account: "com.example.app", accessGroup: "ABCDE12345.shared")

        let failure = await #expect(throws: DeviceIDUnavailable.self) { try await shared.read() }

        #expect(failure?.reason.contains("ABCDE12345.shared") == true)
    }

    @Test("treats an item that is not text as missing, and replaces it")
    func damaged() async throws {
        try await store.write("id")
        for key in SimulatedKeychain.current.items.keys { SimulatedKeychain.current.items[key]?.data = Data([0xFF, 0xFE]) }

        #expect(try await store.read() == nil)
        try await store.write("new")
        #expect(try await store.read() == "new")
    }
}
#endif

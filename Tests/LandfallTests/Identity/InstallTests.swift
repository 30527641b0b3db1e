// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("The installation", .timeLimit(.minutes(1)))
struct InstallTests {
    var phone = Phone()

    private static let install: Install = {
        var install = Install(id: InstallID("i"), secret: "s", deviceID: "a")
        install.isDeviceIDKept = true
        return install
    }()

    private static let unconfirmed = Install(id: InstallID("i"), secret: "s", deviceID: "a")
    private static let withoutDevice = Install(id: InstallID("i"), secret: "s", deviceID: nil)

    private static func with(_ install: Install, _ deviceID: String) -> Install {
        var install = install
        install.deviceID = deviceID
        install.isDeviceIDKept = true
        return install
    }

    @Test(
        "Whether the files belong to this installation",
        arguments: [
            (nil, InstallDecision.Device.cannotKeep, InstallDecision.begin(deviceID: nil)),
            (nil, .keepsNothing, .begin(deviceID: nil)),
            (nil, .keeps("a"), .begin(deviceID: "a")),
            (install, .cannotKeep, .keep(install)),
            (install, .keeps("a"), .keep(install)),
            (install, .keeps("b"), .begin(deviceID: "b")),
            (install, .keepsNothing, .begin(deviceID: nil)),
            (unconfirmed, .keepsNothing, .keepAndGiveDevice(unconfirmed, deviceID: "a")),
            (unconfirmed, .keeps("a"), .keep(with(unconfirmed, "a"))),
            (withoutDevice, .keepsNothing, .keepAndGiveDevice(withoutDevice, deviceID: "new")),
            (withoutDevice, .keeps("b"), .keep(with(withoutDevice, "b"))),
        ] as [(Install?, InstallDecision.Device, InstallDecision)])
    func decision(file: Install?, device: InstallDecision.Device, expected: InstallDecision) {
        #expect(InstallDecision(file: file, device: device, newDeviceID: { "new" }) == expected)
    }

    private func open(_ storage: MemoryStorage, _ devices: (any DeviceIDStore)?) async throws -> Install {
        let clock = phone.clock, log = phone.log
        return try await InstallLoader(
            storage: storage, deviceIDs: devices, date: { clock.date },
            randomBytes: { count in
                (0..<count).map { _ in UInt8.random(in: 0...255) }
            }, log: { log.note($0) }
        ).install()
    }

    @Test("Begun once, kept for ever: a UUIDv7 and 256 bits, stored before anything is sent")
    func begins() async throws {
        let storage = MemoryStorage(), devices = MemoryDeviceIDs()

        let first = try await open(storage, devices)
        let second = try await open(storage, devices)

        #expect(first == second)
        #expect(first.id.rawValue.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(first.secret.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        #expect(devices.id == first.deviceID)
        #expect(storage.files[.install] != nil)
    }

    @Test("Reinstalled: a new installation with the same device id")
    func reinstalled() async throws {
        let devices = MemoryDeviceIDs()
        let before = try await open(MemoryStorage(), devices)

        let after = try await open(MemoryStorage(), devices)

        #expect(after.id != before.id)
        #expect(after.deviceID == before.deviceID)
    }

    @Test("Restored on another device: a new installation with a new device id")
    func restored() async throws {
        let storage = MemoryStorage()
        let before = try await open(storage, MemoryDeviceIDs())

        let after = try await open(storage, MemoryDeviceIDs())

        #expect(after.id != before.id)
        #expect(after.deviceID != before.deviceID)
    }

    @Test("A locked device gives no answer: nothing is created, nothing is written")
    func locked() async throws {
        let storage = MemoryStorage(), devices = MemoryDeviceIDs("a")
        devices.isLocked = true
        await #expect(throws: MemoryDeviceIDs.Locked.self) { try await open(storage, devices) }
        devices.isLocked = false
        storage.isLocked = true
        await #expect(throws: MemoryStorage.Failure.locked) { try await open(storage, devices) }
        storage.isLocked = false
        #expect(storage.files.isEmpty)

        #expect(try await open(storage, devices).deviceID == "a")
    }

    @Test("A client whose files belong to another reports it: at once, by name, with advice")
    func notOurs() async throws {
        let phone = Phone()
        phone.plain { _ in try .json(PaywallAnswer.everyone()) }
        phone.storage.unavailable = .inUse(directory: "landfall")
        let client = phone.app()
        client.start()

        let error = await #expect(throws: LandfallError.self) { try await client.identify("customer") }
        #expect(error?.kind == .storageUnavailable)
        #expect(error?.description.contains("FileStorage(directory:)") == true)
        #expect(error?.isWorthRetrying == false)
        // Calls that need only the key are answered, and no new installation is begun.
        let shown = try await client.paywall(for: .onboarding, within: .seconds(1))
        #expect(shown.origin == .defaultAudience && shown.elapsed == .zero)
        phone.plain("silent") { _ in try await phone.never() }
        let missing = await #expect(throws: LandfallError.self) {
            try await phone.clock.run(upTo: .seconds(6)) { try await client.paywall(for: "silent", within: .seconds(5)) }
        }
        #expect(missing?.kind == .storageUnavailable)
        #expect(try await phone.clock.run(upTo: .seconds(2)) { await client.deferredLink(within: .seconds(3)) } == .pending)
        let refused = #expect(throws: LandfallError.self) { try client.setAttributes(["plan": "pro"]) }
        #expect(refused?.kind == .storageUnavailable)
        #expect(phone.firstOpenRequests.isEmpty)
        #expect(phone.log.warnings.count { $0.contains("only one can use a directory at a time") } == 1)

        phone.storage.unavailable = nil
        try phone.streams([.profile(.anna())])
        client.enteredForeground()
        await phone.waitForFirstOpen()
        await client.shutdown()
    }

    @Test("A device that can never keep an id: an installation without a device id, which is not waited for")
    func lastingFailure() async throws {
        let storage = MemoryStorage()

        let first = try await open(storage, RefusingDeviceIDs())
        #expect(first.deviceID == nil)
        #expect(try await open(storage, RefusingDeviceIDs()) == first)

        // A release with the entitlement finds the installation, and gives it a partner.
        let devices = MemoryDeviceIDs()
        let later = try await open(storage, devices)
        #expect(later.id == first.id)
        #expect(later.deviceID == devices.id && devices.id != nil)
        #expect(phone.log.warnings.contains { $0.contains("There is no device id") })
    }

    @Test("A device that reads but can never write: no device id either")
    func unwritable() async throws {
        #expect(try await open(MemoryStorage(), RefusingDeviceIDs(isReadable: true)).deviceID == nil)
    }

    @Test("While the files are locked: the default audience by the key alone; afterwards the same installation")
    func lockedLaunch() async throws {
        let phone = Phone()
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true))])
        phone.plain { _ in try .json(PaywallAnswer.everyone()) }
        phone.storage.isLocked = true
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(1)) }
        await phone.waitForPlain()
        #expect(phone.plainRequests.allSatisfy { $0.headers["landfall-profile"] == nil })
        await phone.pass(.seconds(1))
        #expect(try await shown.value.origin == .defaultAudience)

        phone.storage.isLocked = false
        client.enteredForeground()

        await phone.waitForFirstOpen()
        #expect(phone.firstOpenRequests.first?.headers["landfall-profile"] == "anna.c2VjcmV0")
        await client.shutdown()
    }
}

/// A keychain that the app may not use.
private struct RefusingDeviceIDs: DeviceIDStore {
    var isReadable = false

    func read() async throws -> String? {
        if isReadable { return nil }
        throw DeviceIDUnavailable("no entitlement.")
    }

    func write(_ id: String) async throws { throw DeviceIDUnavailable("no entitlement.") }
}

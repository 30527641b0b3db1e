// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("An install that is reset", .timeLimit(.minutes(1)))
struct ResetTests {
    var phone = Phone()

    init() { phone.deviceIDs = MemoryDeviceIDs("device-1") }

    @Test("starts over with fresh files and a fresh device id; the server is not asked to erase anything")
    func begins() async throws {
        try phone.streams(.undecided + .becomesTargeted)
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)
        client.collection = .essential
        await phone.storageHolds(.paywalls) { $0.contains("anna") }

        let phone = phone
        phone.firstOpen { try await phone.never() }
        try await client.resetInstall()
        await phone.waitForFirstOpen(count: 2)

        let files = phone.storage.files.values.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(!files.contains("anna") && !files.contains("device-1"))
        #expect(phone.deviceIDs?.id != "device-1")
        #expect(phone.firstOpenRequests.last?.headers["landfall-profile"]?.hasPrefix("anna.") == false)
        #expect(phone.server.requests("DELETE", WirePath.profile).isEmpty)
        #expect(client.collection == .full)
        #expect(client.explain().profile == nil)
        await client.shutdown()
    }

    @Test("continues after a kill as the old installation or as a new one, never as a mixture; after a second reset it is new")
    func killed() async throws {
        try phone.streams(.undecided + .becomesTargeted)
        let devices = try #require(phone.deviceIDs)
        let watched = KillPoints(phone.storage, devices)
        let first = phone.app { $0.storage = watched }
        first.start()
        _ = try await first.paywall(for: .onboarding)
        await phone.storageHolds(.paywalls) { $0.contains("anna") }
        first.receive(.scheme("annas-link"))
        let phone = phone
        phone.firstOpen { try await phone.never() }
        watched.begin()
        try await first.resetInstall()
        await first.shutdown()
        #expect(watched.kills.contains { $0.device == "device-1" } && watched.kills.contains { $0.device != "device-1" })

        for kill in watched.kills {
            var next = phone
            next.storage = MemoryStorage(kill.files)
            next.deviceIDs = MemoryDeviceIDs(kill.device)
            let opened = phone.firstOpenRequests.count
            let client = next.app()
            client.start()
            await next.waitForFirstOpen(count: opened + 1)
            await next.storageHolds(.install)

            let isOld = next.firstOpenRequests.last?.headers["landfall-profile"]?.hasPrefix("anna.") == true
            #expect(isOld == next.text(of: .install).contains("anna"))
            #expect(isOld || !next.everything.contains("anna"))

            try await client.resetInstall()
            await next.storageHolds(.install)
            #expect(!next.everything.contains("anna") && next.deviceIDs?.id != "device-1")
            await client.shutdown()
        }
    }

    @Test("is a first open, although the app was used before; a kill in between changes nothing")
    func usedBefore() async throws {
        try phone.streams()
        var phone = phone
        phone.storage = MemoryStorage()
        let devices = try #require(phone.deviceIDs), today = phone.clock.date
        let watched = KillPoints(phone.storage, devices)
        let first = phone.app {
            $0.storage = watched
            $0.earlierUse = { today.addingTimeInterval(-86_400) }
        }
        first.start()
        await phone.waitForFirstOpen()
        #expect(try phone.lastAge == 86_400_000)
        watched.begin()

        try await first.resetInstall()

        await phone.waitForFirstOpen(count: 2)
        #expect(try phone.lastAge == nil)
        await phone.storageHolds(.profile) { !$0.contains("isAfterErasure") }
        await first.shutdown()
        let unfinished = watched.kills.filter { $0.files[.install] == nil && $0.files[.profile] != nil }
        #expect(!unfinished.isEmpty)
        for kill in unfinished {
            var next = phone
            next.storage = MemoryStorage(kill.files)
            next.deviceIDs = MemoryDeviceIDs(kill.device)
            let opened = phone.firstOpenRequests.count
            let client = next.app { $0.usedBefore = today.addingTimeInterval(-86_400) }
            client.start()
            await next.waitForFirstOpen(count: opened + 1)
            #expect(try phone.lastAge == nil)
            await client.shutdown()
        }
    }

    @Test("without a network says that it waits for one, until the platform reports one")
    func offline() async throws {
        phone.firstOpen { throw TransportError(.offline) }
        let client = phone.app()
        client.start()
        client.networkPathChanged(isSatisfied: false)
        await phone.storageHolds(.install)

        try await client.resetInstall()

        #expect(client.explain().waits.contains { $0.what == "a network" })
        client.networkPathChanged(isSatisfied: true)
        #expect(!client.explain().waits.contains { $0.what == "a network" })
        await client.shutdown()
    }

    @Test("is refused if another process has the files")
    func filesOfAnother() async throws {
        try phone.streams()
        let first = phone.app()
        first.start()
        await phone.storageHolds(.install)
        await first.shutdown()
        let before = phone.storage.files[.install]
        phone.storage.unavailable = .inUse(directory: "/app/Landfall")
        let client = phone.app()
        client.start()

        let error = await #expect(throws: LandfallError.self) { try await client.resetInstall() }

        #expect(error?.kind == .storageUnavailable)
        #expect(phone.storage.files[.install] == before)
        await client.shutdown()
    }
}

extension Phone {
    /// What the last first open says about the time before the installation.
    fileprivate var lastAge: Int64? {
        get throws { try sent(FirstOpenRequest.self, firstOpenRequests.last).device.installedAgeMilliseconds }
    }

    fileprivate var everything: String { storage.files.values.map { String(decoding: $0, as: UTF8.self) }.joined() }
}

/// Files in memory that record what a kill before each change of them would leave, including the keychain.
private final class KillPoints: Storage {
    private let storage: MemoryStorage
    private let devices: MemoryDeviceIDs
    private let noted = Locked<(isWatching: Bool, kills: [(files: [StorageName: Data], device: String?)])>((false, []))

    init(_ storage: MemoryStorage, _ devices: MemoryDeviceIDs) {
        self.storage = storage
        self.devices = devices
    }

    var kills: [(files: [StorageName: Data], device: String?)] { noted.withLock { $0.kills } }

    func begin() { noted.withLock { $0.isWatching = true } }

    private func changing() -> MemoryStorage {
        let kill = (storage.files, devices.id)
        noted.withLock { if $0.isWatching { $0.kills.append(kill) } }
        return storage
    }

    func names() throws -> Set<StorageName> { try storage.names() }
    func read(_ name: StorageName) throws -> Data? { try storage.read(name) }
    func write(_ data: Data, to name: StorageName) throws { try changing().write(data, to: name) }
    func open(_ name: StorageName) throws -> any AppendableFile { try changing().open(name) }
    func remove(_ name: StorageName) throws { try changing().remove(name) }
    func setAside(_ name: StorageName) throws { try changing().setAside(name) }
}

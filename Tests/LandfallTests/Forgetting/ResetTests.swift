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

    @Test("begins anew with fresh files and a fresh id of the device; the server is asked to erase nothing")
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

    @Test("is refused where another process has the files")
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

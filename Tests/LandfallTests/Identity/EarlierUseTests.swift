// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("An update is not a first open", .timeLimit(.minutes(1)))
struct EarlierUseTests {
    private static let day: Double = 86_400

    /// The first open's report about the time before Landfall.
    private func said(
        by phone: Phone, usedBefore: Double? = nil, shown: Double? = nil, mode: CollectionMode? = nil
    ) async throws -> Int64? {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .end(.final)])
        let sent = phone.firstOpenRequests.count, today = phone.clock.date
        let client = phone.app {
            $0.usedBefore = usedBefore.map { today.addingTimeInterval(-$0) }
            $0.earlierUse = { shown.map { today.addingTimeInterval(-$0) } }
            $0.collection = mode
        }
        client.start()
        await phone.waitForFirstOpen(count: sent + 1)
        await client.shutdown()
        return try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).device.installedAgeMilliseconds
    }

    private func freshPhone(_ deviceIDs: MemoryDeviceIDs? = MemoryDeviceIDs()) -> Phone {
        var phone = Phone()
        phone.storage = MemoryStorage()
        phone.deviceIDs = deviceIDs
        return phone
    }

    @Test(
        "Only evidence of an earlier launch makes an update; the older of two dates counts",
        arguments: [
            (nil, nil, nil), (nil, 30, 30), (30, nil, 30), (30, 90, 90), (90, 30, 90), (-1, nil, nil), (nil, 99_999, nil),
        ] as [(Double?, Double?, Int64?)])
    func evidence(usedBefore: Double?, shown: Double?, expected: Int64?) async throws {
        let age = try await said(
            by: freshPhone(), usedBefore: usedBefore.map { $0 * Self.day }, shown: shown.map { $0 * Self.day })

        #expect(age == expected.map { $0 * 86_400_000 })
    }

    @Test(
        "A date of less than a minute ago belongs to this launch", arguments: [(59.0, nil), (60.0, 60_000)] as [(Double, Int64?)])
    func thisLaunch(age: Double, expected: Int64?) async throws {
        #expect(try await said(by: freshPhone(), usedBefore: age) == expected)
    }

    @Test("Every launch of the installation reports the same, whatever the preferences and the calendar show then")
    func kept() async throws {
        let phone = freshPhone()
        let first = try await said(by: phone, shown: 30 * Self.day)
        phone.clock.moveCalendar(by: .seconds(5 * 86_400))

        #expect(first == Int64(30 * 86_400_000))
        #expect(try await said(by: phone, shown: 1) == first)
    }

    @Test("A fresh installation stays a first open: its second launch finds the preferences of the first")
    func secondLaunch() async throws {
        let phone = freshPhone()
        #expect(try await said(by: phone) == nil)

        #expect(try await said(by: phone, shown: 3 * Self.day) == nil)
    }

    @Test("A first open that only a later launch can send stays a first open")
    func lateFirstOpen() async throws {
        let phone = freshPhone()
        phone.server.isOffline = true
        let first = phone.app()
        first.start()
        await phone.storageHolds(.install)
        await first.shutdown()
        phone.server.isOffline = false

        #expect(try await said(by: phone, shown: 3 * Self.day) == nil)
    }

    @Test("Restored on another device with the app's preferences: a new installation, and not a first open")
    func restored() async throws {
        var phone = freshPhone()
        _ = try await said(by: phone)
        let before = phone.deviceIDs?.id
        phone.deviceIDs = MemoryDeviceIDs()

        #expect(try await said(by: phone, shown: 30 * Self.day) == 30 * 86_400_000)
        #expect(phone.deviceIDs?.id != before)
    }

    @Test("Reinstalled without the preferences: linked by the device id, and a first open again")
    func reinstalled() async throws {
        let deviceIDs = MemoryDeviceIDs()
        _ = try await said(by: freshPhone(deviceIDs), shown: 30 * Self.day)
        let before = deviceIDs.id
        let phone = freshPhone(deviceIDs)

        #expect(try await said(by: phone) == nil)
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).device.deviceId == before)
    }

    @Test("Essential collection reports it too, because it counts opens; off reports nothing")
    func collection() async throws {
        #expect(try await said(by: freshPhone(), shown: Self.day, mode: .essential) == 86_400_000)
        #expect(try await said(by: freshPhone(), shown: Self.day, mode: .off) == nil)
    }
}

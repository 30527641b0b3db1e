// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The store's country", .timeLimit(.minutes(1)))
struct StoreCountryTests {
    let phone = Phone()
    let platform = ScriptedPlatform()

    private func countries() throws -> [String?] {
        try phone.firstOpenRequests.map { try phone.sent(FirstOpenRequest.self, $0).device.storeCountry }
    }

    @Test("delays nothing: a first open that is sent before it is known goes without it, the next launch's contains it")
    func late() async throws {
        try phone.streams(.becomesOrganic)
        let first = phone.app { $0.platform = [platform] }
        first.start()
        await phone.waitForFirstOpen()
        platform.say(.storeCountry("fr"))
        await phone.storageHolds(.profile) { $0.contains(#""storeCountry":"FR""#) }
        await first.shutdown()

        let second = phone.app()
        second.start()
        await phone.waitForFirstOpen(count: 2)

        #expect(try countries() == [nil, "FR"])
        await second.shutdown()
    }

    @Test("known in time, it is part of the first open")
    func inTime() async throws {
        try phone.streams(.undecided)
        let client = phone.app {
            $0.platform = [platform]
            $0.opensOnActivation = true
        }
        platform.say(.storeCountry("DE"))
        client.start()
        await phone.storageHolds(.profile) { $0.contains("DE") }

        client.enteredForeground()
        await phone.waitForFirstOpen()

        #expect(try countries() == ["DE"])
        await client.shutdown()
    }

    @Test("known before the files can be read, it is stored once they can")
    func beforeTheFiles() async throws {
        try phone.streams(.undecided)
        phone.storage.isLocked = true
        let client = phone.app { $0.platform = [platform] }
        client.start()
        platform.say(.storeCountry("FR"))
        await phone.eventually { client.explain().errands.contains { $0.name == "reading the files" && $0.lastError != nil } }
        await phone.pass(.milliseconds(250))
        phone.storage.isLocked = false

        while !phone.text(of: .profile).contains(#""storeCountry":"FR""#), !Task.isCancelled { await phone.pass(.seconds(1)) }
        await client.shutdown()
        let opens = phone.firstOpenRequests.count
        let next = phone.app()
        next.start()
        await phone.waitForFirstOpen(count: opens + 1)

        #expect(try countries().dropFirst(opens) == ["FR"])
        await next.shutdown()
    }

    @Test("is ignored unless it has two letters", arguments: ["", "D", "DEU", "D1", "Å", "日本"])
    func nonsense(code: String) async throws {
        try phone.streams(.undecided)
        let client = phone.app {
            $0.platform = [platform]
            $0.opensOnActivation = true
        }
        client.start()
        platform.say(.storeCountry(code))
        platform.say(.enteredForeground)

        await phone.waitForFirstOpen()

        #expect(try countries() == [nil])
        await client.shutdown()
    }

    @Test("stays on the phone with essential collection")
    func essential() async throws {
        try phone.streams(.undecided)
        let client = phone.app {
            $0.device.storeCountry = "FR"
            $0.collection = .essential
        }
        client.start()

        await phone.waitForFirstOpen()

        #expect(try countries() == [nil])
        await client.shutdown()
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A disk that is full for a while", .timeLimit(.minutes(1)))
struct StoringTests {
    let phone = Phone()

    init() throws { try phone.answersLinks() }

    @Test("Items accepted meanwhile are stored when there is room, without another call, and survive a kill")
    func accepted() async throws {
        let client = await running()
        phone.storage.isFull = true
        client.receive(.scheme("kept"))
        await phone.settle()
        phone.storage.isFull = false

        await phone.pass(.seconds(3))
        await phone.outboxHolds("example://kept")

        let next = phone.killed().linkApp()
        next.start()
        #expect(await next.nextLink()?.original == .scheme("kept"))
        await next.shutdown()
        await client.shutdown()
    }

    @Test("A link that was taken meanwhile does not come again")
    func taken() async throws {
        let client = await running()
        client.receive(.scheme("taken"))
        await phone.settle()
        phone.storage.isFull = true
        await client.nextLink()?.markTaken()
        await phone.settle()
        phone.storage.isFull = false

        await phone.pass(.seconds(3))

        let next = phone.killed().linkApp()
        next.start()
        next.receive(.scheme("later"))
        #expect(await next.nextLink()?.original == .scheme("later"))
        await next.shutdown()
        await client.shutdown()
    }

    @Test("However long it was full, everything is stored within half a minute, and the log says it once")
    func fullForLong() async throws {
        let client = await running()
        phone.storage.isFull = true
        client.collection = .off
        await phone.pass(.seconds(300), in: .seconds(10))
        phone.storage.isFull = false

        await phone.pass(.seconds(36))

        let next = phone.killed().linkApp()
        next.start()
        await phone.eventually { next.collection == .off }
        #expect(phone.log.warnings.count { $0.contains("cannot be written") } == 1)
        await next.shutdown()
        await client.shutdown()
    }

    private func running() async -> LandfallClient {
        let client = await phone.startedLinkApp()
        await phone.settle()
        return client
    }
}

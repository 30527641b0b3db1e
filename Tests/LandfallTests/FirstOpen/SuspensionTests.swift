// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A process that the system suspends", .timeLimit(.minutes(1)))
struct SuspensionTests {
    let phone = Phone()

    @Test("past the deadline returns on resuming, with its best result")
    func pastTheDeadline() async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await client.waitForProfile()
        await phone.settle()

        phone.clock.advance(by: .seconds(3_600))

        let result = try await shown.value
        #expect(result.paywall?.name == .default)
        #expect(result.origin == .defaultAudience)
        #expect(result.elapsed == .seconds(3_600))
        #expect(client.runningOperations == 0)
        await client.shutdown()
    }

    @Test("replaces a stream that died meanwhile at once, and one that dies again only later")
    func deadStream() async throws {
        let first = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        let second = try phone.streams(.undecided)
        phone.clock.advance(by: .seconds(3_600))
        first.fail()
        await phone.waitForFirstOpen(count: 2)
        await second.waitForReader()
        await phone.settle()
        second.fail()
        await phone.settle()
        #expect(phone.firstOpenRequests.count == 2)

        try phone.streams(.undecided)
        await phone.pass(.milliseconds(1_300))
        await phone.waitForFirstOpen(count: 3)
        #expect(phone.firstOpenRequests.count == 3)
        await client.shutdown()
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("An opt-out while an event is accepted", .timeLimit(.minutes(1)))
struct LateOptOutTests {
    let phone = Phone()

    @Test(
        "What the new mode does not allow is neither sent nor kept",
        arguments: [(CollectionMode.full, ["own", "shown"]), (.essential, ["shown"]), (.off, [])])
    func late(mode: CollectionMode, sent: [String]) async throws {
        try phone.streams(.becomesOrganic)
        phone.takesEvents()
        let client = phone.app()
        client.start()
        let shown = try await client.paywall(for: .onboarding)
        await phone.settle()
        client.collection = mode

        // As callers do that looked at the mode before it changed.
        let outbox = client.launch.outbox
        try outbox.append(.event(Event(id: "own", type: Event.Kind("trial_started"), ageMilliseconds: 0)))
        try outbox.append(.event(Event(.paywallShown, of: shown, id: "shown")))
        client.launch.change { $0.hasOutboxItems = true }
        await phone.pass(.seconds(2))

        #expect(try phone.events.map(\.id) == sent)
        #expect(outbox.pending.isEmpty)
        await client.shutdown()
    }
}

// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-in: Apple's own views appear only on a screen.
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing

@Suite("The observable person for views", .timeLimit(.minutes(1)))
@MainActor
struct ObservedProfileTests {
    private struct PersonView: View {
        @ObservedObject var person: ObservedProfile
        let seen: (String?) -> Void

        var body: some View {
            seen(person.profile?.customerID)
            return EmptyView()
        }
    }

    @MainActor private final class Drawn {
        var customers: [String?] = []
    }

    @Test("A view is drawn again when the profile changes")
    func changes() async throws {
        let clock = ManualClock()
        let server = ScriptedServer(clock: clock)
        let client = server.client()
        client.start()
        let person = ObservedProfile(client)
        #expect(person.attribution == .pending)
        let drawn = Drawn()
        let scene = SimulatedScene(PersonView(person: person) { drawn.customers.append($0) })
        scene.connect(.active)

        _ = try await clock.run { try await client.identify("customer-1") }
        try await clock.run { while await person.profile?.customerID == nil, !Task.isCancelled { await Task.yield() } }
        try await clock.run { while await drawn.customers.last != "customer-1", !Task.isCancelled { await Task.yield() } }

        #expect(person.attribution == .notAttributed)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("A preview has the given profile")
    func preview() {
        let profile = Profile(id: "p", installID: "p", attribution: .notAttributed)

        #expect(ObservedProfile(preview: profile).profile == profile)
    }
}
#endif

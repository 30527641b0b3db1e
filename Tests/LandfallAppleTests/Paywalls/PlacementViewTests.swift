// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-in: Apple's own views appear only on a screen.
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing
import os

@Suite("A view of a placement", .timeLimit(.minutes(1)))
@MainActor
struct PlacementViewTests {
    let clock = ManualClock()
    let server: ScriptedServer
    let screen = Screen()

    init() { server = ScriptedServer(clock: clock) }

    /// The shown phases, in order.
    @MainActor final class Screen {
        private(set) var phases: [PlacementPhase] = []
        func show(_ phase: PlacementPhase) { if phases.last != phase { phases.append(phase) } }
        var names: [String] {
            phases.map { phase in
                switch phase {
                case .loading: "loading"
                case .loaded(let paywall, _): paywall.name.rawValue
                case .nothing: "nothing"
                case .failed: "failed"
                }
            }
        }
    }

    private struct OfferView: View {
        let screen: Screen
        var placement: PlacementID = "onboarding"

        var body: some View {
            PlacementView(placement) { phase in
                let _ = screen.show(phase)
                if phase.paywall != nil { EmptyView() } else { EmptyView() }
            }
        }
    }

    private func pass(until isThere: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await clock.run { while await !isThere(), !Task.isCancelled { await Task.yield() } }
    }

    @Test("shows the loading phase, then the paywall, and records the exposure")
    func loaded() async throws {
        server.userIsOrganic(after: .seconds(1))
        server.shows("default", at: "onboarding")
        let client = server.client(preparing: ["onboarding"])
        client.start()
        let scene = SimulatedScene(OfferView(screen: screen).landfallClient(client))
        scene.connect(.active)
        #expect(screen.names == ["loading"])

        try await pass { screen.names.count > 1 }
        try await clock.run { [server] in await server.waitForExposures() }

        #expect(screen.names == ["loading", "default"])
        #expect(screen.phases.last?.result?.origin == .matchingAudience)
        #expect(server.exposures == ["default"])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("begins with the paywall if a call would not wait")
    func known() async throws {
        server.userIsOrganic()
        server.shows("default", at: "onboarding")
        let client = server.client(preparing: ["onboarding"])
        client.start()
        _ = try await clock.run { try await client.paywall(for: "onboarding") }

        let scene = SimulatedScene(OfferView(screen: screen).landfallClient(client))
        scene.connect(.active)
        try await clock.run { [server] in await server.waitForExposures() }

        #expect(screen.names.first == "default")
        #expect(Set(screen.names) == ["default"])
        #expect(server.exposures == ["default"])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("loads again when another person is here, and never shows them the paywall of the one before")
    func anotherPerson() async throws {
        server.userIsOrganic()
        server.shows("default", at: "onboarding")
        let client = server.client(preparing: ["onboarding"])
        let scene = SimulatedScene(OfferView(screen: screen).landfallClient(client))
        scene.connect(.active)
        client.start()
        try await pass { screen.names.last == "default" }
        try await clock.run { [server] in await server.waitForExposures() }
        server.shows("second", at: "onboarding")

        _ = try await clock.run { try await client.logOut() }
        try await pass { screen.names.last == "second" }

        #expect(screen.names == ["loading", "default", "loading", "second"])
        try await clock.run { [server] in await server.waitForExposures(2) }
        #expect(server.exposures == ["default", "second"])
        scene.disconnect()
        await client.shutdown()
    }

    @Test("shows nothing if nothing is to be shown")
    func nothing() async throws {
        server.showsNothing(at: "onboarding")
        let client = server.client(preparing: ["onboarding"])
        let scene = SimulatedScene(OfferView(screen: screen).landfallClient(client))
        scene.connect(.active)
        client.start()

        try await pass { screen.names.count > 1 }

        #expect(screen.names == ["loading", "nothing"])
        #expect(screen.phases.last?.paywall == nil)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("reports why there is no paywall")
    func failed() async throws {
        let client = server.client(preparing: ["onboarding"])
        client.start()
        let scene = SimulatedScene(OfferView(screen: screen).landfallClient(client))
        scene.connect(.active)

        try await pass { screen.names.count > 1 }

        #expect(screen.phases.last?.error?.kind == .placementUnknown("onboarding"))
        scene.disconnect()
        await client.shutdown()
    }

    @Test("without a client fails, breaks nothing, and the system's log says so")
    func noClient() async throws {
        let scene = SimulatedScene(OfferView(screen: screen))
        scene.connect(.active)

        try await pass { screen.names.count > 1 }

        #expect(screen.names == ["loading", "failed"])
        let line = SimulatedLog.lines.first { $0.text.hasPrefix("PlacementView has no client and loads nothing.") }
        #expect(line?.category == "setup")
        #expect(line?.level == .error)
        scene.disconnect()
    }

    @Test("shows the phase of a preview, and loads nothing", arguments: PlacementPhase.previews)
    func preview(_ phase: PlacementPhase) async {
        let client = server.client(preparing: ["onboarding"])
        let scene = SimulatedScene(OfferView(screen: screen).placementPreview(phase).landfallClient(client))

        scene.connect(.active)
        await scene.settle()

        #expect(screen.phases == [phase])
        #expect(server.requests.isEmpty)
        scene.disconnect()
        await client.shutdown()
    }
}
#endif

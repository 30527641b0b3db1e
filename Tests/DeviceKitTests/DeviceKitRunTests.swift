// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing

@testable import DeviceKit

@Suite("The device kit", .timeLimit(.minutes(1)))
@MainActor
struct DeviceKitRunTests {
    let server = ScriptedTransport()
    let clock = ManualClock()
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("device-kit-\(UUID().uuidString).jsonl")

    /// The kit in a world without a network.
    func kit(tokens: ScriptedAdTokens) -> DeviceKit {
        server.isOffline = true
        var configuration = LandfallConfiguration(sdkKey: "pk_test", server: URL(string: "https://landfall.test")!)
        configuration.transport = server
        configuration.storage = MemoryStorage()
        configuration.adTokens = tokens
        configuration.time = clock.time
        return DeviceKit(configuration, keeping: ObservationFile(url), isPrewarmed: false)
    }

    @Test("records its launch, the ad token and a call without an answer")
    func notes() async throws {
        let kit = kit(tokens: ScriptedAdTokens(.token("t")))
        defer { try? FileManager.default.removeItem(at: url) }
        let running = Task { await kit.run() }

        try await clock.run { await kit.ask() }

        let seen = await kit.file.observations.all.map(\.event)
        #expect(seen.contains(.launched(prewarmed: false)))
        #expect(seen.contains { if case .adToken("token", _) = $0 { true } else { false } })
        #expect(seen.contains { if case .noPaywall = $0 { true } else { false } })
        running.cancel()
        await kit.client.shutdown()
    }

    @Test("shows every check, accepts a pasted code, and shares the report")
    func checklist() async throws {
        let kit = kit(tokens: ScriptedAdTokens(.failure(.unsupported)))
        defer { try? FileManager.default.removeItem(at: url) }
        let scene = SimulatedScene(ChecklistView(kit: kit))

        scene.connect(.active)
        scene.paste("ABCD2345EFGH")
        while !(await kit.file.observations.all.contains { $0.event == .pasted(isClaimed: true) }), !Task.isCancelled { await Task.yield() }

        for check in DeviceCheck.all { #expect(scene.texts.contains(check.title)) }
        #expect(scene.shared.first?.contains("\"check\" : \"adservices\"") == true)
        scene.disconnect()
        await kit.client.shutdown()
    }
}

// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-in: Apple's own views appear only on a screen.
import Foundation
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing
import os

@Suite("A SwiftUI view that records an exposure", .timeLimit(.minutes(1)))
@MainActor
struct RecordsExposureTests {
    let app = ScriptedApp()

    private struct Offer: View {
        let result: PaywallResult
        var body: some View { EmptyView().recordsExposure(result) }
    }

    private let result = PaywallResult(
        paywall: Paywall(name: PaywallID("summer"), variationID: VariationID("summer"), remoteConfig: nil, productIDs: []),
        placement: "onboarding", audience: .everyone, origin: .bundled, attribution: .notAttributed, elapsed: .zero, revision: 1
    )

    private var exposures: Int {
        let files = app.storage.files.filter { $0.key.rawValue.hasPrefix("outbox") }.values
        let lines = files.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        return lines.count { $0.contains("summer") }
    }

    @Test("counts once when it appears, with the client around it, however often it appears")
    func environment() async {
        let client = app.client { _ in }
        let scene = SimulatedScene(Offer(result: result).landfallClient(client))
        #expect(exposures == 0)

        scene.connect(.active)
        await app.fileHolds(.outbox, "summer")
        #expect(exposures == 1)

        scene.appearAgain(.active)
        #expect(exposures == 1)
        await client.shutdown()
    }

    @Test("counts with the named client rather than the one around it")
    func named() async {
        let client = app.client { _ in }
        let other = ScriptedApp().client { _ in }

        SimulatedScene(EmptyView().recordsExposure(result, in: client).landfallClient(other)).connect(.active)
        await app.fileHolds(.outbox, "summer")

        #expect(exposures == 1)
        await client.shutdown()
        await other.shutdown()
    }

    @Test("without a client counts nothing, breaks nothing, and the system's log says so")
    func noClient() {
        SimulatedScene(Offer(result: result)).connect(.active)

        #expect(exposures == 0)
        let line = SimulatedLog.lines.first { $0.text.hasPrefix("recordsExposure has no client and counts nothing.") }
        #expect(line?.category == "setup")
        #expect(line?.level == .error)
    }
}
#endif

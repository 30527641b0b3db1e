// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-in: Apple's own views appear only on a screen.
import Foundation
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing

@Suite("The view that explains the client", .timeLimit(.minutes(1)))
@MainActor
struct LandfallExplanationViewTests {
    let app = ScriptedApp()

    @Test("shows the text of explain(), and its new text when it is refreshed")
    func shows() async {
        let client = app.client { _ in }
        let scene = SimulatedScene(LandfallExplanationView(client))
        scene.connect(.active)
        await app.settle()
        #expect(scene.texts.contains { $0.contains("start()") })

        client.start()
        await app.waitForFirstOpen()
        scene.press("Refresh")
        await app.settle()

        #expect(scene.texts.contains { $0.contains("asked") && !$0.contains("start()") })
        await client.shutdown()
    }

    @Test("resets the install: a different one opens")
    func resets() async {
        let client = app.client { _ in }
        client.start()
        await app.waitForFirstOpen()
        let scene = SimulatedScene(LandfallExplanationView(client))
        scene.connect(.active)

        scene.press("Reset this install")
        await app.waitForFirstOpen(count: 2)
        func isNewInstallShown() -> Bool {
            client.explain().install.map { id in scene.texts.contains { $0.contains(id.rawValue) } } ?? false
        }
        while !isNewInstallShown(), !Task.isCancelled {
            scene.press("Refresh")
            await app.settle()
        }

        let ids = Set(app.firstOpens.compactMap { $0.headers["landfall-profile"] })
        #expect(ids.count == 2)
        await client.shutdown()
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-in: Apple's own scenes cannot be moved by a test.
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing

@Suite("SwiftUI's lifecycle", .timeLimit(.minutes(1)))
@MainActor
struct SceneActivationTests {
    let app = ScriptedApp()

    @Test("A scene that becomes active opens, once; its other phases do not")
    func activation() async {
        let client = app.client { $0.opensOnActivation = true }
        client.start()
        let scene = SimulatedScene(EmptyView().landfallClient(client))
        scene.connect(.background)
        scene.move(to: .inactive)
        await scene.settle()
        await app.settle()
        #expect(app.firstOpens.isEmpty)

        scene.move(to: .active)
        await scene.settle()
        await app.waitForFirstOpen()
        scene.move(to: .background)
        scene.move(to: .active)
        await scene.settle()
        await app.settle()

        #expect(app.firstOpens.count == 1)
        await client.shutdown()
    }

    @Test("A scene that is active when its views appear opens too")
    func connectedActive() async {
        let client = app.client { $0.opensOnActivation = true }
        client.start()

        SimulatedScene(EmptyView().landfallClient(client)).connect(.active)

        await app.waitForFirstOpen()
        await client.shutdown()
    }
}
#endif

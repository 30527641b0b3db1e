// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)  // The stand-in: Apple's own views appear only on a screen.
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing
import os

@Suite("The ready paywall on a screen", .timeLimit(.minutes(1)))
@MainActor
struct LandfallPaywallViewTests {
    let app = ScriptedApp()
    let till = Till()
    let ends = Ends()

    @MainActor final class Ends {
        var all: [LandfallPaywallView.End] = []
    }

    private func shown(_ config: RemoteConfig? = ["title": "Everything"]) -> PaywallResult {
        .preview(Paywall(name: "summer", variationID: "summer", remoteConfig: config, productIDs: ["yearly", "monthly"]))
    }

    private func show(_ result: PaywallResult? = nil) -> SimulatedScene<LandfallPaywallView> {
        SimulatedScene(LandfallPaywallView(result ?? shown(), store: till.store) { ends.all.append($0) })
    }

    private func until(_ isThere: @MainActor () -> Bool) async {
        while !isThere() { await Task.yield() }
    }

    @Test("Texts and products are drawn, and VoiceOver reads a header and each product as one text")
    func drawn() async {
        let scene = show(shown(["title": "Everything", "features": ["Offline"], "links": ["terms": "https://example.com/terms"]]))

        scene.connect(.active)
        await until { scene.texts.contains("$60.00 per year") }

        #expect(scene.texts.contains("Offline") && scene.texts.contains("$9.99 per month") && scene.texts.contains("Continue"))
        #expect(scene.headers == ["Everything"])
        #expect(scene.labels.contains("Yearly, $60.00 per year, $5.00 per month") && scene.labels.contains("Close"))
        #expect(scene.selected == ["Yearly, $60.00 per year, $5.00 per month"])
        #expect(scene.links.map(\.absoluteString) == ["https://example.com/terms"])
        #expect(till.loads == 1)
        scene.disconnect()
    }

    @Test("The chosen product is bought, and the paywall says so before it ends")
    func bought() async {
        let scene = show()
        scene.connect(.active)
        await until { !scene.selected.isEmpty }

        scene.press("Monthly, $9.99 per month")
        await until { scene.selected == ["Monthly, $9.99 per month"] }
        scene.press("Continue")
        await until { scene.texts.contains("Thank you. Your purchase is complete.") }
        #expect(till.sold == ["monthly"] && ends.all.isEmpty)

        scene.press("Continue")
        #expect(ends.all == [.purchased])
        scene.disconnect()
    }

    @Test("While the store is asked, a second tap buys nothing")
    func busy() async {
        till.isSlow = true
        let scene = show()
        scene.connect(.active)
        await until { !scene.selected.isEmpty }

        scene.press("Continue")
        scene.press("Continue")
        await until { till.isAsked && scene.labels.contains("Purchasing") }
        scene.press("Continue")
        scene.press("Restore purchases")
        till.answer()
        await until { scene.texts.contains("Thank you. Your purchase is complete.") }

        #expect(till.sold == ["yearly"] && till.restores == 0)
        scene.disconnect()
    }

    @Test(
        "A purchase that waits, was not wanted or failed is shown as such",
        arguments: [
            (.success(.pending), "Your purchase waits for approval. You get access as soon as it is approved."),
            (.failure(LandfallError(.notStarted)), "The purchase was not completed."),
        ] as [(Result<PaywallStore.Purchase, any Error>, String)])
    func otherEnds(result: Result<PaywallStore.Purchase, any Error>, text: String) async {
        till.purchase = result
        let scene = show()
        scene.connect(.active)
        await until { !scene.selected.isEmpty }

        scene.press("Continue")
        await until { scene.texts.contains(text) }

        scene.press("Close")
        #expect(ends.all.count == 1)
        scene.disconnect()
    }

    @Test("A cancelled purchase leaves the paywall as it was", arguments: [true, false])
    func cancelled(byError: Bool) async {
        till.purchase = byError ? .failure(CancellationError()) : .success(.cancelled)
        till.isSlow = true
        let scene = show()
        scene.connect(.active)
        await until { !scene.selected.isEmpty }
        let before = scene.texts

        scene.press("Continue")
        await until { till.isAsked && scene.labels.contains("Purchasing") }
        till.answer()
        await until { !scene.labels.contains("Purchasing") }

        #expect(scene.texts == before)
        scene.disconnect()
    }

    @Test(
        "Restoring says what it found",
        arguments: [
            (.success(true), "Your purchases are restored."), (.success(false), "There are no purchases to restore."),
            (.failure(LandfallError(.notStarted)), "Your purchases could not be restored."),
        ] as [(Result<Bool, any Error>, String)])
    func restored(result: Result<Bool, any Error>, text: String) async {
        till.restore = result
        let scene = show()
        scene.connect(.active)

        scene.press("Restore purchases")
        await until { scene.texts.contains(text) }

        #expect(till.restores == 1)
        scene.disconnect()
    }

    @Test("Products that did not load are loaded again by a button")
    func retry() async {
        till.products = .failure(LandfallError(.notStarted))
        let scene = show()
        scene.connect(.active)
        await until { scene.texts.contains("The prices could not be loaded.") }
        #expect(SimulatedLog.lines.contains { $0.category == "purchases" && $0.text.hasPrefix("LandfallPaywallView: The products of a paywall could") })
        till.products = Till().products

        scene.press("Try again")
        await until { scene.texts.contains("$60.00 per year") }

        #expect(till.loads == 2)
        scene.disconnect()
    }

    @Test("Without an end of the app's own, the view dismisses itself")
    func dismisses() {
        let scene = SimulatedScene(LandfallPaywallView(shown(), store: till.store))
        scene.connect(.active)

        scene.press("Close")

        #expect(scene.dismissals == 1)
        scene.disconnect()
    }

    @Test("A result without a paywall ends at once, and asks the store for nothing")
    func nothing() async {
        let scene = show(.preview(nil))

        scene.connect(.active)
        await scene.settle()

        #expect(ends.all == [.nothing] && till.loads == 0 && scene.texts.isEmpty)
        scene.disconnect()
    }

    @Test("The exposure counts once, and what could not be used is said once in the log and in explain()")
    func exposure() async {
        let lines = Locked<[LogLine]>([])
        let client = app.client { $0.log = { line in lines.withLock { $0.append(line) } } }
        let result = shown(["title": 7])
        let scene = SimulatedScene(LandfallPaywallView(result, store: till.store).landfallClient(client))

        scene.connect(.active)
        scene.appearAgain(.active)
        await app.fileHolds(.outbox, "summer")

        let said = "The remote config of the paywall 'summer' in 'en' has values that LandfallPaywallView does not use"
        #expect(lines.withLock { $0 }.count { $0.message.hasPrefix(said) && $0.message.contains("'title' is no text") } == 1)
        #expect(client.explain().setup.count { $0.hasPrefix(said) } == 1)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("The app's own style draws the same values, and its buttons do the same")
    func ownStyle() async {
        let scene = SimulatedScene(LandfallPaywallView(shown(), store: till.store) { ends.all.append($0) }.paywallStyle(Poster()))
        scene.connect(.active)
        await until { scene.texts.contains("yearly!") }

        scene.press("monthly")
        await until { scene.texts.contains("monthly!") }
        scene.press("Continue")
        await until { till.sold == ["monthly"] }

        scene.disconnect()
    }

    private struct Poster: PaywallStyle {
        func makeBody(configuration: Configuration) -> some View {
            VStack {
                Text(verbatim: configuration.paywall.isRightToLeft ? "right" : "left")
                ForEach(configuration.paywall.products) { product in
                    Button(action: { configuration.select(product) }) { Text(verbatim: product.id + (product.isSelected ? "!" : "")) }
                }
                Button(configuration.paywall.mainButton.title) { configuration.perform(configuration.paywall.mainButton.action) }
            }
        }
    }
}
#endif

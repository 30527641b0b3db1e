// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import LandfallTesting
import SwiftUI
import Testing

@testable import SampleApp

@Suite("Sample app: its paywall sells", .timeLimit(.minutes(1)))
@MainActor
struct SamplePurchaseTests {
    let clock = ManualClock()

    /// A paywall that sells one product, and what the scripted server and store know of it.
    func shop(_ person: ScriptedProducts.Person) -> (ScriptedServer, ScriptedProducts, LandfallClient) {
        let server = ScriptedServer(clock: clock)
        server.shows(
            "default", at: "onboarding", remoteConfig: ["title": "Unlock everything", "button": "Buy"], productIDs: ["com.example.app.yearly"])
        server.userIsOrganic()
        server.purchasesOpen("premium")
        let yearly = StoreProduct(
            id: "com.example.app.yearly", displayName: "Yearly", price: 39.99, currencyCode: "EUR", displayPrice: "39,99 €")
        let history = ScriptedTransactions()
        let store = ScriptedProducts([yearly], clock: clock, history: history)
        store.person = person
        let client = server.client(preparing: ["onboarding"]) {
            $0.products = store
            $0.transactions = history
        }
        client.start()
        return (server, store, client)
    }

    /// From the welcome to the paywall with its price.
    func offer(of client: LandfallClient) async throws -> SimulatedScene<some View> {
        let scene = SimulatedScene(RootView().landfallClient(client))
        scene.connect(.active)
        scene.press("Continue")
        try await clock.run { await wait(until: { scene.texts.contains("Yearly 39,99 €") }) }
        scene.appearAgain(.active)  // The stand-in calls onAppear only here.
        return scene
    }

    @Test("sells at the store's price; then the offer closes, home says so, and the store's transaction is finished")
    func buys() async throws {
        let (server, store, client) = shop(.buys)
        let scene = try await offer(of: client)

        scene.press("Buy")
        try await clock.run { await wait(until: { scene.texts.contains("Premium is open") }) }

        #expect(store.sheets.map(\.productID) == ["com.example.app.yearly"])
        try await clock.run { await store.waitForFinished() }
        try await clock.run { await server.waitForExposures() }
        #expect(server.purchases.count == 1)
        #expect(server.exposures == ["default"])
        scene.disconnect()
        await client.shutdown()
    }

    @Test(
        "keeps the offer, and says why, if nothing was bought",
        arguments: [
            (ScriptedProducts.Person.asksForApproval, "Somebody has to approve it. It opens then."),
            (.fails(.notAllowed), PurchaseError.notAllowed.description),
        ])
    func waits(person: ScriptedProducts.Person, text: String) async throws {
        let (_, _, client) = shop(person)
        let scene = try await offer(of: client)

        scene.press("Buy")
        try await clock.run { await wait(until: { scene.texts.contains(text) }) }

        #expect(scene.texts.contains("Yearly 39,99 €"))
        scene.disconnect()
        await client.shutdown()
    }

    @Test("restores what was bought before, or says that there is nothing", arguments: [true, false])
    func restores(hasBought: Bool) async throws {
        let (_, store, client) = shop(.buys)
        if hasBought { store.renew("com.example.app.yearly") }
        let scene = try await offer(of: client)

        scene.press("Restore purchases")
        try await clock.run {
            await wait(until: { scene.texts.contains(hasBought ? "Premium is open" : "There is nothing to restore.") })
        }

        #expect(client.profile?.access("premium").isActive == hasBought)
        scene.disconnect()
        await client.shutdown()
    }

    @Test("has the simulated store of docs/setting-up/simulator.md, whose code is type-checked")
    func simulatedStore() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: tests.appendingPathComponent("../../docs/setting-up/simulator.md"), encoding: .utf8)
        let file = try String(
            contentsOf: tests.appendingPathComponent("../../Examples/SampleApp/SampleApp/SimulatedAppStore.swift"), encoding: .utf8)

        #expect(file.contains("struct SimulatedAppStore"))
        #expect(page.contains("```swift\n" + file.dropFirst("// SPDX-License-Identifier: Apache-2.0\n".count) + "```"))
    }

    /// Returns once the condition is true, or the test's time is over.
    func wait(until condition: @MainActor () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Adapty
import Adjust
import Foundation
import Landfall
import Testing

/// The statics, so that this is the only suite that starts them.
@Suite("Both names share one client", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct SharedClientTests {
    @Test("Adjust uses Adapty's client; before that its calls pass links through, and a second start changes nothing")
    func shared() async throws {
        Adjust.appWillOpen(URL(string: "example://before")!)
        #expect(Adjust.lastDeeplink()?.absoluteString == "example://before")
        #expect(Adjust.client == nil)
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        // No server is there: the test needs no network.
        try await Adapty.activate(
            with: AdaptyConfiguration.builder(withAPIKey: "pk_demo").with(serverURL: URL(string: "http://127.0.0.1:9")!)
                .with(logLevel: .error).with(storageDirectory: folder).build())
        let client = try #require(Adapty.client)

        Adjust.start(with: client)
        Adjust.start(with: client)

        #expect(Adjust.client === client)
        let answered = Completions()
        let deeplink = try #require(ADJDeeplink(deeplink: URL(string: "example://summer-clothes")!))
        Adjust.processAndResolve(deeplink) { answered.call($0 ?? "nil") }
        Adjust.processDeeplink(deeplink.deeplink) { answered.call($0) }
        await answered.wait(2)
        #expect(answered.links == ["example://summer-clothes", "example://summer-clothes"])
        Adjust.disable()
        #expect(client.collection == .off)
        #expect(!Adjust.isEnabled())
        await client.shutdown()
    }
}

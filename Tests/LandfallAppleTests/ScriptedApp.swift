// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import LandfallTesting
import LandfallWire

/// An app whose server, files and time are scripted, and whose platform is set by a test.
struct ScriptedApp: Sendable {
    let clock = ManualClock()
    let server = ScriptedTransport()
    let storage = MemoryStorage()

    init() {
        server.on("POST", WirePath.firstOpen) { _ in ScriptedAnswer(body: ScriptedBody()) }
    }

    func client(_ change: (inout LandfallConfiguration) -> Void) -> LandfallClient {
        var configuration = LandfallConfiguration(
            sdkKey: "pk_test", server: URL(string: "https://api.example.com")!, preparing: ["onboarding"]
        )
        configuration.transport = server
        configuration.storage = storage
        configuration.time = clock.time
        configuration.log = { _ in }
        change(&configuration)
        return LandfallClient(configuration)
    }

    var firstOpens: [TransportRequest] { server.requests("POST", WirePath.firstOpen) }

    func waitForFirstOpen(count: Int = 1) async { await server.waitForRequests("POST", WirePath.firstOpen, count: count) }

    /// Gives every task that can run the chance to, those of the main actor too.
    func settle() async {
        await clock.pass(.zero)
        for _ in 0..<50 {
            await Task.yield()
            await MainActor.run {}
        }
    }

    /// Returns once the stored file satisfies the condition: files are written in the background.
    func fileHolds(_ name: StorageName, _ text: String) async {
        let prefix = name.rawValue.prefix { $0 != "." }
        func holds() -> Bool {
            storage.files.contains { $0.key.rawValue.hasPrefix(prefix) && String(decoding: $0.value, as: UTF8.self).contains(text) }
        }
        while !Task.isCancelled, !holds() { await Task.yield() }
    }
}

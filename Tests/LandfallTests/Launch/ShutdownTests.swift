// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A client that was shut down", .timeLimit(.minutes(1)))
struct ShutdownTests {
    let phone = Phone()

    @Test("accepts nothing and says so: another client may have the files")
    func acceptsNothing() async throws {
        try phone.streams(.becomesOrganic)
        let client = phone.linkApp()
        client.start()
        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))
        await client.shutdown()
        let files = phone.storage.files

        #expect(!client.receive(.scheme("beach")))
        #expect(!client.recordClick(.scheme("beach")))
        #expect(!client.claimDeferredLink("9QKZ7M2R"))
        client.record("trial_started")
        client.recordExposure(of: shown)
        #expect(throws: LandfallError(.shutDown)) { try client.setAttributes(["plan": "pro"]) }
        #expect(throws: LandfallError(.shutDown)) {
            try client.reportAttribution(source: AttributionSource("appsflyer"), status: .organic)
        }

        #expect(phone.storage.files == files)
        #expect(phone.log.warnings.count { $0.contains("was not accepted: this client was shut down") } == 5)
    }
}

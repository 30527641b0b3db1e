// SPDX-License-Identifier: Apache-2.0
import AdjustSdk
import Foundation
import Testing

/// The statics, before anything has started them.
@Suite("The async twins of module AdjustSdk", .timeLimit(.minutes(1)))
struct AsyncTwinTests {
    @Test("answer as their completions do")
    func answers() async throws {
        #expect(await Adjust.idfa() == nil)
        #expect(await Adjust.idfv() == nil)
        #expect(await Adjust.sdkVersion() == "landfall")
        #expect(await Adjust.adid(withTimeout: 0) == nil || Adjust.client != nil)
        let event = try #require(ADJEvent(eventToken: "without_a_transaction"))
        #expect(await Adjust.verifyAndTrackAppStorePurchase(event).verificationStatus == "not_verified")
        await #expect(throws: SkanNotHere.self) {
            try await Adjust.updateSkanConversionValue(1, coarseValue: nil, lockWindow: nil)
        }
        let wrapped = URL(string: "https://wrapped.example.com/a")!
        #expect(await ADJLinkResolution.resolveLink(with: wrapped, resolveUrlSuffixArray: []) == wrapped)
    }

    @Test("A value is a value outside of async code")
    func values() {
        let version: String? = Adjust.sdkVersion()

        #expect(version == "landfall")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Adjust
import Foundation
import Testing

@Suite("What a person has said about third parties", .timeLimit(.minutes(1)))
struct ThirdPartySharingTests {
    @Test("can be read as it was set, by partner and key")
    func read() throws {
        let sharing = try #require(ADJThirdPartySharing(isEnabled: true))

        sharing.addGranularOption("google_dma", key: "eea", value: "1")
        sharing.addGranularOption("google_dma", key: "ad_user_data", value: "0")
        sharing.addGranularOption("facebook", key: "country", value: "1")
        sharing.addPartnerSharingSetting("facebook", key: "all", value: false)

        #expect(sharing.granularOptions["google_dma"] as? [String: String] == ["eea": "1", "ad_user_data": "0"])
        #expect(sharing.granularOptions["facebook"] as? [String: String] == ["country": "1"])
        #expect(sharing.granularOptions.count == 2)
        #expect(sharing.partnerSharingSettings["facebook"] as? [String: Bool] == ["all": false])
        #expect(sharing.partnerSharingSettings.count == 1)
        #expect(sharing.enabled == true)
    }

    @Test("has the first generation's initialiser, and no answer is nil")
    func first() {
        #expect(ADJThirdPartySharing(isEnabledNumberBool: false)?.enabled == false)
        #expect(ADJThirdPartySharing(isEnabled: nil)?.enabled == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension AppleAdsAnswer {
    /// Apple's answer to an app in developer mode: fixed, and never a real user.
    static let developerMode: AppleAdsAnswer = {
        var answer = AppleAdsAnswer(attribution: true)
        answer.orgId = 1_234_567_890
        answer.campaignId = 1_234_567_890
        answer.conversionType = "Download"
        answer.claimType = "Click"
        answer.adGroupId = 1_234_567_890
        answer.countryOrRegion = "US"
        answer.keywordId = 123_222
        answer.adId = 542_317_136
        answer.clickDate = "2020-04-08T17:17Z"
        return answer
    }()

    /// An attributed install: the given fields, and for the others a tap on a search result. An empty value leaves a field out,
    /// as Apple does with `keywordId` under Search Match. nil if a number cannot be read.
    init?(ordered values: [String: String]) {
        func text(_ key: String, _ usual: String?) -> String? {
            guard let value = values[key] else { return usual }
            return value.isEmpty ? nil : value
        }
        func number(_ key: String, _ usual: Int64, into field: inout Int64?) -> Bool {
            guard let value = text(key, String(usual)) else { return true }
            field = Int64(value)
            return field != nil
        }

        self.init(attribution: true)
        guard number("orgId", 40_669_820, into: &orgId),
            number("campaignId", 542_370_539, into: &campaignId),
            number("adGroupId", 542_317_095, into: &adGroupId),
            number("keywordId", 87_675_432, into: &keywordId),
            number("adId", 542_317_136, into: &adId)
        else { return nil }
        conversionType = text("conversionType", "Download")
        claimType = text("claimType", "Click")
        countryOrRegion = text("countryOrRegion", "US")
        supplyPlacement = text("supplyPlacement", "APPSTORE_SEARCH_RESULTS")
        let isView = claimType == "Impression"
        clickDate = text("clickDate", isView ? nil : "2024-10-08T17:17Z")
        impressionDate = text("impressionDate", isView ? "2024-10-08T17:17Z" : nil)
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallRules

extension AudienceFacts {
    /// An iPhone in the United States, set to English, with version 2.10.0 of the app.
    static func sample(
        _ attribution: Attribution = .notAttributed, attributes: [String: AttributeValue] = [:],
        _ change: (inout DeviceFacts) -> Void = { _ in }
    ) -> AudienceFacts {
        var device = DeviceFacts()
        device.appVersion = "2.10.0"
        device.osVersion = "18.1"
        device.platform = "ios"
        device.locale = "en-US"
        change(&device)
        return AudienceFacts(attribution: attribution, device: device, attributes: attributes)
    }
}

extension Attribution {
    /// Apple's own sample, as its documentation shows it.
    static let appleSample: Attribution = {
        var answer = AppleAdsAnswer(attribution: true)
        answer.campaignId = 542_370_539
        answer.adGroupId = 542_317_095
        answer.keywordId = 87_675_432
        answer.adId = 542_317_136
        answer.claimType = "Click"
        answer.conversionType = "Download"
        answer.countryOrRegion = "US"
        var details = AttributionDetails(source: .appleAds, verified: true, attributedAtMilliseconds: 0)
        details.appleAds = answer
        return .attributed(details)
    }()
}

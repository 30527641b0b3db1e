// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// One statement about where an install came from. Facts are only ever added; ``AttributionPrecedence`` decides anew at each
/// read what they mean together.
package struct AttributionFact: Hashable, Sendable {
    /// Derived from what the fact is about (a token, an idempotency key), so that writing it twice stores one row.
    package let id: String
    package let source: AttributionSource
    package let status: AttributionClaim.Status
    /// True for a fact that the server found out itself.
    package var verified = false
    /// True for Apple's developer-mode answer.
    package var test = false
    /// The time of the statement by the server's clock: the time of arrival minus the claim's age. Unix milliseconds.
    package let saidAtMs: Int64
    /// When the server learned of it. Unix milliseconds.
    package let recordedAtMs: Int64
    package var channel: String?
    package var campaign: String?
    package var adGroup: String?
    package var adSet: String?
    package var creative: String?
    /// Apple's own fields; nil for other sources.
    package var appleAds: AppleAdsAnswer?
    /// The link's own fields; nil unless a click is the source.
    package var link: ClickedLink?

    package init(id: String, source: AttributionSource, status: AttributionClaim.Status, saidAtMs: Int64, recordedAtMs: Int64) {
        self.id = id
        self.source = source
        self.status = status
        self.saidAtMs = saidAtMs
        self.recordedAtMs = recordedAtMs
    }

    /// True for a link that was found by network address: all other facts of the server's own sources are verified.
    package var isGuessed: Bool { source == .link && !verified }

    /// The key by which reports and the console group campaigns: Apple's number, else the campaign's name.
    package var campaignKey: String? { appleAds?.campaignId.map { String($0) } ?? campaign }
    /// The same of ad groups.
    package var adGroupKey: String? { appleAds?.adGroupId.map { String($0) } ?? adGroup }
    /// Apple's number, else the `utm_term` of a link.
    package var keywordKey: String? { appleAds?.keywordId.map { String($0) } ?? link?.keyword }

    package var details: AttributionDetails {
        var details = AttributionDetails(source: source, verified: verified, test: test, attributedAtMilliseconds: recordedAtMs)
        details.channel = channel
        details.campaign = campaign
        details.adGroup = adGroup
        details.adSet = adSet
        details.creative = creative
        details.appleAds = appleAds
        if source == .link {
            details.link = AttributedLink(clickedAtMilliseconds: saidAtMs)
            details.link?.code = link?.code
            details.link?.tracker = link?.tracker
            details.link?.label = link?.label
        }
        return details
    }
}

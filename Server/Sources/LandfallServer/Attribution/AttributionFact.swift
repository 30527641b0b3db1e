// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// One statement about where an install came from. Facts are only ever added; ``AttributionPrecedence`` decides anew at each
/// read what they mean together.
struct AttributionFact: Hashable, Sendable {
    /// Derived from what the fact is about (a token, an idempotency key), so that writing it twice stores one row.
    let id: String
    let source: AttributionSource
    let status: AttributionClaim.Status
    /// True for a fact that the server found out itself.
    var verified = false
    /// True for Apple's developer-mode answer.
    var test = false
    /// The time of the statement by the server's clock: the time of arrival minus the claim's age. Unix milliseconds.
    let saidAtMs: Int64
    /// When the server learned of it. Unix milliseconds.
    let recordedAtMs: Int64
    var channel: String?
    var campaign: String?
    var adGroup: String?
    var adSet: String?
    var creative: String?
    /// Apple's own fields; nil for other sources.
    var appleAds: AppleAdsAnswer?
    /// The link's own fields; nil unless a click is the source.
    var link: ClickedLink?

    init(id: String, source: AttributionSource, status: AttributionClaim.Status, saidAtMs: Int64, recordedAtMs: Int64) {
        self.id = id
        self.source = source
        self.status = status
        self.saidAtMs = saidAtMs
        self.recordedAtMs = recordedAtMs
    }

    /// True for a link that was found by network address: all other facts of the server's own sources are verified.
    var isGuessed: Bool { source == .link && !verified }

    /// As reports and the console tell campaigns apart: Apple's by its number, others by their name.
    var campaignKey: String? { appleAds?.campaignId.map { String($0) } ?? campaign }

    var details: AttributionDetails {
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

// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The labels under which a link's clicks are counted.
package struct LinkLabels: Hashable, Sendable {
    package var tracker: String?
    package var campaign: String?
    package var adGroup: String?
    package var creative: String?
    package var label: String?
    package var channel: String?
    /// Only `utm_term` of a tapped link says it: links are not stored with it.
    package var keyword: String?

    package init(
        tracker: String? = nil, campaign: String? = nil, adGroup: String? = nil, creative: String? = nil, label: String? = nil,
        channel: String? = nil, keyword: String? = nil
    ) {
        self.tracker = tracker
        self.campaign = campaign
        self.adGroup = adGroup
        self.creative = creative
        self.label = label
        self.channel = channel
        self.keyword = keyword
    }

    package init() {}

    package var isEmpty: Bool { self == LinkLabels() }

    /// Takes missing labels from the other.
    package func completed(with other: LinkLabels) -> LinkLabels {
        LinkLabels(
            tracker: tracker ?? other.tracker, campaign: campaign ?? other.campaign, adGroup: adGroup ?? other.adGroup,
            creative: creative ?? other.creative, label: label ?? other.label, channel: channel ?? other.channel,
            keyword: keyword ?? other.keyword
        )
    }

    /// The labels as parameters of a link.
    package var trackingItems: [LinkQueryItem] {
        [
            ("lf_t", tracker), ("lf_campaign", campaign), ("lf_adgroup", adGroup), ("lf_creative", creative),
            ("lf_label", label), ("lf_channel", channel),
        ].compactMap { name, value in value.map { LinkQueryItem(name, $0) } }
    }
}

extension LinkLabels {
    /// The labels in a followed link.
    package init(_ parameters: LinkParameters) {
        let channels = parameters.others.filter { $0.key.utf8.count == 7 && $0.key.lowercased() == "channel" }
        self.init(
            tracker: parameters.tracker, campaign: parameters.campaign, adGroup: parameters.adGroup,
            creative: parameters.creative, label: parameters.label, channel: channels.max { $0.key < $1.key }?.value
        )
    }
}

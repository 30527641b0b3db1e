// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The labels under which a link's clicks are counted.
struct LinkLabels: Hashable, Sendable {
    var tracker: String?
    var campaign: String?
    var adGroup: String?
    var creative: String?
    var label: String?
    var channel: String?

    var isEmpty: Bool { self == LinkLabels() }

    /// Takes missing labels from the other.
    func completed(with other: LinkLabels) -> LinkLabels {
        LinkLabels(
            tracker: tracker ?? other.tracker, campaign: campaign ?? other.campaign, adGroup: adGroup ?? other.adGroup,
            creative: creative ?? other.creative, label: label ?? other.label, channel: channel ?? other.channel
        )
    }

    /// The labels as parameters of a link.
    var trackingItems: [LinkQueryItem] {
        [
            ("lf_t", tracker), ("lf_campaign", campaign), ("lf_adgroup", adGroup), ("lf_creative", creative),
            ("lf_label", label), ("lf_channel", channel),
        ].compactMap { name, value in value.map { LinkQueryItem(name, $0) } }
    }
}

extension LinkLabels {
    /// The labels in a followed link.
    init(_ parameters: LinkParameters) {
        let channels = parameters.others.filter { $0.key.utf8.count == 7 && $0.key.lowercased() == "channel" }
        self.init(
            tracker: parameters.tracker, campaign: parameters.campaign, adGroup: parameters.adGroup,
            creative: parameters.creative, label: parameters.label, channel: channels.max { $0.key < $1.key }?.value
        )
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a link's click adds to a fact beside the fields that every source has.
struct ClickedLink: Hashable, Sendable, Codable {
    /// Host and path of a stored link, for example `brandname.go.link/beach`; nil for a long link.
    var code: String?
    var tracker: String?
    var label: String?
    var windows: AttributionWindows
}

extension AttributionFact {
    /// True where both are clicks of the same link, whenever they were.
    func isOfSameLink(as other: AttributionFact) -> Bool {
        link?.code == other.link?.code && link?.tracker == other.link?.tracker && link?.label == other.link?.label
            && campaign == other.campaign && adGroup == other.adGroup && creative == other.creative
            && channel == other.channel
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The form of a link, and what is told of the link before it is made.
extension Words {
    var linkDraft: String { translate("As it will be") }
    var linkDraftShow: String { translate("Show it") }
    var linkDraftOpen: String {
        translate("What messengers show and what happens at a tap comes here as soon as destination and suffix can be used.")
    }
    var linkSuffixFree: String { translate("This address is free.") }
    var linkLike: String { translate("Next link with the same labels") }
    var linkShare: String { translate("Share the link") }

    var linkFoldLabels: String { translate("Campaign, channels and other labels") }
    var linkFoldAnalytics: String { translate("UTM parameters") }
    var linkFoldWays: String { translate("Where it leads") }
    var linkFoldTimes: String { translate("When it works") }
    var linkFoldTargets: String { translate("Other destinations, page of the store") }

    var linkAnalyticsHint: String {
        translate("They are written into the destination, for the web analytics there. A label that is left out has their value.")
    }
    /// - Parameter name: one of ``TaggedAddress``.
    func linkAnalytics(_ name: String) -> String {
        switch name {
        case "utm_source": translate("Source (utm_source)")
        case "utm_medium": translate("Medium (utm_medium)")
        case "utm_campaign": translate("Campaign (utm_campaign)")
        case "utm_term": translate("Keyword (utm_term)")
        default: translate("Content (utm_content)")
        }
    }
}

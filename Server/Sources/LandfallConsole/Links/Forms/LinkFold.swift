// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// A part of the form about a link, by what its fields are for. It is open where a field says something, or something is wrong with it.
enum LinkFold: String, CaseIterable, Sendable {
    case labels, analytics, ways, times, card, targets

    /// The part's words about what its fields say.
    var place: String { "said-\(rawValue)" }

    func title(_ words: Words) -> String {
        switch self {
        case .labels: words.linkFoldLabels
        case .analytics: words.linkFoldAnalytics
        case .ways: words.linkFoldWays
        case .times: words.linkFoldTimes
        case .card: words.linkPreview
        case .targets: words.linkFoldTargets
        }
    }

    /// Where problems of the part are told.
    var fields: [String] {
        switch self {
        case .labels: ["campaign", "adGroup", "creative", "label", "channel", "tags", "folder", "channels"]
        case .analytics: []
        case .ways: ["ios", "android", "desktop"]
        case .times: ["starts", "expires"]
        case .card: ["title"]
        case .targets: ["when", "ppid", "pt", "ct"]
        }
    }
}

extension LinkDraft {
    /// What the fields of a part say, in a few words; empty where they say nothing.
    func said(in fold: LinkFold, _ words: Words) -> String {
        let values: [String] =
            switch fold {
            case .labels: [campaign, adGroup, creative, label, channel, tags, folder] + Self.lines(channels)
            case .analytics: TaggedAddress.names.map { tag("\($0)") }
            case .ways:
                [(LinkTapOutcome.Device.ios, ios), (.android, android), (.desktop, desktop)].filter { !$0.1.isEmpty }.map {
                    words.linkDevice($0.0) + words.language.colon + $0.1
                } + (pasteboard ? [words.linkWayOn(.pasteboard)] : []) + (code ? [words.linkWayOn(.code)] : [])
            case .times: [starts.isEmpty ? "" : words.linkBegin(starts), expires.isEmpty ? "" : words.linkEnd(expires)]
            case .card: [title, description, image]
            case .targets: Self.lines(when) + [ppid, pt, ct]
            }
        return values.filter { !$0.isEmpty }.joined(separator: " · ").shortened
    }

    private static func lines(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map { String($0) } }
}

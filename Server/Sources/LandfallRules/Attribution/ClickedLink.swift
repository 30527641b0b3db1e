// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The fields of a link's click that other sources do not have.
package struct ClickedLink: Hashable, Sendable, Codable {
    /// Host and path of a stored link, for example `links.example.com/beach`; nil for a long link.
    package var code: String?
    package var tracker: String?
    package var label: String?
    package var keyword: String?
    package var windows: AttributionWindows
}

extension AttributionFact {
    /// A click that was reported by its authenticated install.
    /// - Parameters:
    ///   - code: the code of a stored link.
    ///   - attributes: false if it only tells which link it was.
    ///   - id: derived from what distinguishes this click from others.
    ///   - clickedAtMs: by the server's clock.
    /// - Returns: nil if there is nothing to store.
    package init?(
        _ labels: LinkLabels, code: String?, attributes: Bool, id: String, clickedAtMs: Int64, recordedAtMs: Int64,
        windows: AttributionWindows
    ) {
        guard attributes || code != nil else { return nil }
        self.init(
            id: id, source: .link, status: attributes ? .nonOrganic : .unknown, saidAtMs: clickedAtMs,
            recordedAtMs: recordedAtMs
        )
        verified = true
        campaign = Self.cut(labels.campaign)
        adGroup = Self.cut(labels.adGroup)
        creative = Self.cut(labels.creative)
        channel = Self.cut(labels.channel)
        link = ClickedLink(
            code: code, tracker: Self.cut(labels.tracker), label: Self.cut(labels.label), keyword: Self.cut(labels.keyword),
            windows: windows
        )
    }

    /// When its window is over: from then on `link.…` of an audience does not read it.
    package var countsUntilMs: Int64 { saidAtMs + (link?.windows.clickWindowMs ?? 0) + 1 }

    /// Other parties choose the names; a long one is cut, not refused.
    private static func cut(_ text: String?) -> String? { text.map { $0.cut(toBytes: Limits.attributionText) } }

    /// True if both are clicks of the same link, at any time.
    package func isOfSameLink(as other: AttributionFact) -> Bool {
        link?.code == other.link?.code && link?.tracker == other.link?.tracker && link?.label == other.link?.label
            && campaign == other.campaign && adGroup == other.adGroup && creative == other.creative
            && channel == other.channel && link?.keyword == other.link?.keyword
    }
}

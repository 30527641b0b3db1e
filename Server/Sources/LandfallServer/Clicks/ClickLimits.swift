// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// How long the parts of a stored click are, in bytes of UTF-8. What a visitor writes is cut to them, so that a click's row is
/// about 1 KiB at most, whatever its link says. What the team has stored itself stays whole.
enum ClickLimits {
    /// Of a campaign, a creative, …
    static let label = 100
    /// Of a path or host that no link is stored at.
    static let place = 128
    /// Of other tracking parameters: how many of them are kept, and how long their names and values are together.
    static let mostParameters = 8
    static let parameters = 200
    /// Of a link that waits for its install, as it was followed and where it leads: beyond it the visitor's query is left out.
    static let handedOver = 1_024

    /// The first of them by name that fit; one that does not fit is left out whole.
    static func kept(_ parameters: [String: String]) -> [String: String] {
        var kept: [String: String] = [:]
        var room = Self.parameters
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) where kept.count < mostParameters {
            let length = name.utf8.count + value.utf8.count
            guard length <= room else { continue }
            room -= length
            kept[name] = value
        }
        return kept
    }

    /// A path of which the store knows nothing else.
    static func cut(_ path: LinkPath) -> LinkPath {
        guard path.text.utf8.count > place else { return path }
        var bytes = path.text.utf8.prefix(place)
        // No half of a percent-encoded byte at the end.
        if let mark = bytes.suffix(2).firstIndex(of: UInt8(ascii: "%")) { bytes = bytes[..<mark] }
        return LinkPath(stored: String(Substring(bytes)))
    }
}

extension LinkLabels {
    /// As much of each as a click keeps: what the link was stored with is whole.
    func kept(on link: StoredLink?) -> LinkLabels { (link?.labels ?? LinkLabels()).completed(with: cut) }

    private var cut: LinkLabels {
        func cut(_ text: String?) -> String? { text.map { $0.cut(toBytes: ClickLimits.label) } }
        return LinkLabels(
            tracker: cut(tracker), campaign: cut(campaign), adGroup: cut(adGroup), creative: cut(creative), label: cut(label),
            channel: cut(channel)
        )
    }
}

extension FollowedLink {
    /// As it waits for its install: without what the visitor added where that is too long.
    var handedOver: (original: String, resolved: String) {
        let (original, resolved) = (address.text, resolved)
        guard original.utf8.count + resolved.utf8.count > ClickLimits.handedOver, let link = decision.link else {
            return (original, resolved)
        }
        return (link.address, link.destination)
    }
}

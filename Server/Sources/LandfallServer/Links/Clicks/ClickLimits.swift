// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The lengths of the parts of a stored click, in bytes of UTF-8. A visitor's texts are cut to them, so that a click's row is
/// at most about 1 KiB, whatever its link contains. Texts that the team has stored stay whole.
enum ClickLimits {
    /// A campaign, a creative, …
    static let label = 100
    /// A path or host that no link is stored at.
    static let place = 128
    /// Other tracking parameters: how many are kept, and the total length of their names and values.
    static let mostParameters = 8
    static let parameters = 200
    /// A deferred link, as followed and as resolved: above it the visitor's query is left out.
    static let handedOver = 1_024

    /// The first parameters by name that fit; one that does not fit is left out whole.
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

    /// A path that no link is stored at.
    static func cut(_ path: LinkPath) -> LinkPath {
        guard path.text.utf8.count > place else { return path }
        var bytes = path.text.utf8.prefix(place)
        // Half a percent-encoded byte at the end is removed.
        if let mark = bytes.suffix(2).firstIndex(of: UInt8(ascii: "%")) { bytes = bytes[..<mark] }
        return LinkPath(stored: String(Substring(bytes)))
    }
}

extension LinkLabels {
    /// As much of each label as a click keeps: labels of the stored link are whole.
    func kept(on link: StoredLink?) -> LinkLabels { (link?.labels ?? LinkLabels()).completed(with: cut) }

    private var cut: LinkLabels {
        func cut(_ text: String?) -> String? { text.map { $0.cut(toBytes: ClickLimits.label) } }
        return LinkLabels(
            tracker: cut(tracker), campaign: cut(campaign), adGroup: cut(adGroup), creative: cut(creative), label: cut(label),
            channel: cut(channel), keyword: cut(keyword)
        )
    }
}

extension FollowedLink {
    /// The deferred form: without the visitor's query if it is too long.
    var handedOver: (original: String, resolved: String) {
        let (original, resolved) = (address.text, resolved)
        guard original.utf8.count + resolved.utf8.count > ClickLimits.handedOver, let link = decision.link else {
            return (original, resolved)
        }
        return (link.address, link.destination)
    }
}

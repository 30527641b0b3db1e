// SPDX-License-Identifier: Apache-2.0

/// The tracking parameters of a link: `lf_…`, `adj_…` and `adjust_…` mean the same.
public struct LinkParameters: Hashable, Sendable {
    /// `lf_t`, `adj_t`, `adjust_t`, also `…_tracker`.
    public private(set) var tracker: String?
    public private(set) var campaign: String?
    public private(set) var adGroup: String?
    public private(set) var creative: String?
    public private(set) var label: String?
    /// Where the link leads in the app; wins over `redirect`.
    public private(set) var deepLink: String?
    /// The web address for platforms without the app.
    public private(set) var fallback: String?
    public private(set) var redirect: String?
    public private(set) var redirectMacOS: String?
    /// All other parameters with one of the prefixes, by their names without it.
    public private(set) var others: [String: String] = [:]

    /// True if the link names a tracker: then it is a valid link without being stored.
    public var hasTracker: Bool { tracker != nil }
    /// True if the link has no tracking parameters.
    public var isEmpty: Bool { self == LinkParameters() }

    public init() {}

    /// A parameter without a value is ignored. Of several with the same meaning, `lf_` wins over `adj_` and `adjust_`, and the
    /// first wins over later ones. A `+` in a label is a space, as forms write it; in an address it stays.
    /// - Throws: ``InvalidLink/Reason/invalidEncoding``.
    public init(_ link: LinkAddress) throws(InvalidLink) {
        guard let query = link.query else { return }
        var found: [(name: String, value: String, label: String)] = []
        for part in LinkQuery.parts(of: query) {
            let name = try PercentEncoding.decoded(part.name)
            guard let text = part.value else { continue }
            let value = try PercentEncoding.decoded(text)
            guard !value.isEmpty, LinkQueryItem.isTracking(name) else { continue }
            let isPlain = !text.utf8.contains(UInt8(ascii: "+"))
            found.append((name, value, isPlain ? value : try PercentEncoding.decoded(PercentEncoding.plusAsSpace(text))))
        }
        for prefix in ["lf_", "adj_", "adjust_"] {
            for item in found where Self.hasPrefix(item.name, prefix) {
                set(String(Substring(item.name.utf8.dropFirst(prefix.utf8.count))), item.value, item.label)
            }
        }
    }

    /// Compares letters without case, byte by byte, so that the characters after the prefix cannot hide it.
    static func hasPrefix(_ name: some StringProtocol, _ prefix: String) -> Bool {
        let start = name.utf8.prefix(prefix.utf8.count)
        return start.count == prefix.utf8.count
            && zip(start, prefix.utf8).allSatisfy { (65...90).contains($0) ? $0 | 0x20 == $1 : $0 == $1 }
    }

    private mutating func set(_ name: String, _ value: String, _ label: String) {
        switch name.lowercased() {
        case "": break
        case "t", "tracker": tracker = tracker ?? label
        case "campaign": campaign = campaign ?? label
        case "adgroup": adGroup = adGroup ?? label
        case "creative": creative = creative ?? label
        case "label": self.label = self.label ?? label
        case "deep_link", "deeplink": deepLink = deepLink ?? value
        case "fallback": fallback = fallback ?? value
        case "redirect": redirect = redirect ?? value
        case "redirect_macos": redirectMacOS = redirectMacOS ?? value
        default: others[name] = others[name] ?? label
        }
    }
}

extension LinkAddress {
    /// The deep link of the app in one of its parameters: it is the destination, and the rest of the link only carries it.
    /// - Returns: nil if there is none, or if it does not belong to the app.
    /// - Throws: ``InvalidLink/Reason/invalidEncoding``.
    public func carried(in domains: LinkDomains) throws(InvalidLink) -> LinkAddress? {
        guard let text = try LinkParameters(self).deepLink, let link = try? LinkAddress(text), domains.owns(link) else { return nil }
        return link
    }
}

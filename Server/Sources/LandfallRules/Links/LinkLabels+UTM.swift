// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The parameters of campaigns that web analytics write into links. They are part of the destination, so they stay in it.
package enum UTM {
    /// As they are written in the link, percent-encoded, with `&` between; nil without any.
    package static func query(of link: LinkAddress) -> String? {
        guard let query = link.query, hasMark(query) else { return nil }
        return link.query { names.contains($0.lowercased()) }
    }

    private static let names: Set = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]

    /// Most links have none: the query is read in parts only if it can have one.
    private static func hasMark(_ query: String) -> Bool {
        var last: UInt8 = 0
        for byte in query.utf8 {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "_") && last | 0x20 == UInt8(ascii: "m") { return true }
            last = byte
        }
        return false
    }
}

extension LinkLabels {
    /// `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content` as channel, ad group, campaign, keyword and
    /// creative. The first of several counts, a `+` is a space, and parameters without a value are ignored.
    package init(utm link: LinkAddress) {
        self.init()
        guard let query = UTM.query(of: link)?.replacing("+", with: "%20"), let carrier = try? LinkAddress("https://h/?" + query),
            let items = try? carrier.queryItems()
        else { return }
        for item in items {
            guard let value = item.value, !value.isEmpty else { continue }
            switch item.name.lowercased() {
            case "utm_source": channel = channel ?? value
            case "utm_medium": adGroup = adGroup ?? value
            case "utm_campaign": campaign = campaign ?? value
            case "utm_term": keyword = keyword ?? value
            case "utm_content": creative = creative ?? value
            default: break
            }
        }
    }

    /// The labels in a followed link: its tracking parameters, then `utm_…`.
    package init(_ link: LinkAddress, _ parameters: LinkParameters) {
        self = LinkLabels(parameters).completed(with: LinkLabels(utm: link))
    }
}

// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Which links a list has. An empty text asks nothing.
package struct LinkFilter: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case live
        /// It begins later.
        case scheduled
        case expired
        /// Links of the configuration only.
        case file
    }

    /// The longest text of a filter, in bytes.
    package static let longest = 500

    /// Occurs in the link's address or in its destination.
    package var query = ""
    package var host = ""
    package var campaign = ""
    /// One of the link's tags.
    package var tag = ""
    package var folder = ""
    package var state: State?
    /// The links of the configuration are in the list too.
    package var hasFile = true

    package init() {}

    package var isEmpty: Bool { [query, host, campaign, tag, folder].allSatisfy(\.isEmpty) && state == nil }
}

extension StoredLink {
    package func state(nowMs: Int64) -> LinkFilter.State { isExpired(nowMs: nowMs) ? .expired : isEarly(nowMs: nowMs) ? .scheduled : .live }
}

extension LinkPlace {
    /// The place of a link's address; nil for every other text.
    package init?(url text: String) {
        guard text.utf8.count <= LinkAddress.longest, text.hasPrefix("https://"), let address = try? LinkAddress(text),
            let host = address.host, let path = try? LinkPath(address)
        else { return nil }
        self.init(host: host, path: path)
    }
}

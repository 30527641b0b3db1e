// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension LinkAddress {
    /// - Returns: nil for a link that must not be followed, including its encoded parts.
    init?(receivedAs url: URL) { self.init(resolvedBy: url.absoluteString) }

    /// As ``init(receivedAs:)``, for an address from a server or another link.
    init?(resolvedBy text: String) {
        do {
            try self.init(text)
            try checkEncoding()
        } catch { return nil }
        guard URL(string: text) != nil else { return nil }
    }

    /// A stored link was made from a URL or checked as one.
    var url: URL { URL(string: text) ?? URL(fileURLWithPath: "/") }
}

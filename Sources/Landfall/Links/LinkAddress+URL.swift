// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension LinkAddress {
    /// - Returns: nil for what nobody should follow, what it holds encoded included.
    init?(receivedAs url: URL) { self.init(resolvedBy: url.absoluteString) }

    /// As ``init(receivedAs:)``, for what a server or another link says.
    init?(resolvedBy text: String) {
        do {
            try self.init(text)
            try checkEncoding()
        } catch { return nil }
        guard URL(string: text) != nil else { return nil }
    }

    /// A link that is kept was made from a URL or tried as one.
    var url: URL { URL(string: text) ?? URL(fileURLWithPath: "/") }
}

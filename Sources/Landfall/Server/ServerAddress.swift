// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension URL {
    /// Something can be sent there: the address has a host, and is of the web.
    var isOfServer: Bool {
        guard let scheme = scheme?.lowercased(), scheme == "https" || scheme == "http" else { return false }
        return host.map { !$0.isEmpty } ?? false
    }
}

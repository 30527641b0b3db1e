// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The names of the local machine.
package enum ThisMachine {
    /// True for `localhost` and for an address of the loopback network. An IPv6 address may be in brackets.
    package static func isNamed(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || ClientAddress(host)?.isLoopback == true
    }
}

extension URL {
    /// True for http to the local machine: the traffic does not leave it.
    package var isLocalHTTP: Bool { scheme == "http" && ThisMachine.isNamed(host() ?? "") }
}

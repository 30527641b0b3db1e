// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension URL {
    /// Something can be sent there: the address has a host, and is of the web.
    var isOfServer: Bool {
        guard let scheme = scheme?.lowercased(), scheme == "https" || scheme == "http" else { return false }
        return host.map { !$0.isEmpty } ?? false
    }
}

extension SetupTrap {
    static func noServer(_ address: URL) -> SetupTrap {
        SetupTrap(
            message:
                "Nothing can be sent: the server's address '\(address.absoluteString.cut(toBytes: 200))' does not begin with https:// and a "
                + "host. Set it to the address of your Landfall server, for example https://api.example.com.")
    }

    static func unknownServer(_ host: String) -> SetupTrap {
        SetupTrap(
            message:
                "Nothing has been sent: the server's name '\(host.cut(toBytes: 200))' cannot be resolved (DNS). Correct the address in "
                + "the configuration, or give the name a DNS record. If this device is offline, nothing is to be done.")
    }
}

// SPDX-License-Identifier: Apache-2.0
import NIOCore

extension Channel {
    /// True for a caller on this machine.
    var isFromLoopback: Bool {
        guard let address = remoteAddress?.ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}

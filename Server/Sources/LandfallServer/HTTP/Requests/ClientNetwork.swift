// SPDX-License-Identifier: Apache-2.0

/// The unit that address limits count: one connection to the internet. For IPv4 this is the address, for IPv6 the first 64
/// bits, because a device chooses the other 64 itself.
package struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt64
    private let isIPv4: Bool

    package init(of address: ClientAddress) {
        bits = address.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        isIPv4 = address.bytes.count == 4
    }

    /// Different networks have different bytes.
    package var bytes: [UInt8] { withUnsafeBytes(of: bits.bigEndian) { Array($0) } + [isIPv4 ? 4 : 6] }
}

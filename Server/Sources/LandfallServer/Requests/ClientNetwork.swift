// SPDX-License-Identifier: Apache-2.0

/// Whom a bound of addresses is about: one connection to the internet. Of IPv4 that is the address, of IPv6 its first
/// 64 bits, because a device chooses the other 64 itself.
struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt64
    private let isIPv4: Bool

    init(of address: ClientAddress) {
        bits = address.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        isIPv4 = address.bytes.count == 4
    }

    /// Different for different networks.
    var bytes: [UInt8] { withUnsafeBytes(of: bits.bigEndian) { Array($0) } + [isIPv4 ? 4 : 6] }
}

// SPDX-License-Identifier: Apache-2.0

/// Whom a bound of addresses is about: an IPv4 address, or of IPv6 the 64 bits that one connection to the internet has, as its
/// devices choose the others themselves.
struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt64
    private let isIPv4: Bool

    init(of address: ClientAddress) {
        bits = address.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        isIPv4 = address.bytes.count == 4
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// The location that an address stands for, the same for a click and for the install that asks for it.
struct AddressPlace: Hashable, Sendable {
    let address: ClientAddress
    let windowMs: Int64

    /// - Returns: nil if addresses are not matched, or this address does not identify a place.
    init?(_ address: ClientAddress?, _ matching: AddressMatching?) {
        guard let matching, let address, !address.isNobodys else { return nil }
        self.address = address
        windowMs = matching.windowMs
    }
}

extension ClientAddress {
    /// True for addresses that are not one place on the internet: loopback, private, link-local and carrier NAT addresses. A
    /// caller with such an address came through a proxy that is not trusted.
    var isNobodys: Bool {
        guard bytes.count == 16 else {
            switch (bytes[0], bytes[1]) {
            case (0, _), (10, _), (127, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168): return true
            default: return false
            }
        }
        let isUnspecifiedOrLoopback = bytes.prefix(15).allSatisfy { $0 == 0 } && bytes[15] <= 1
        return isUnspecifiedOrLoopback || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Finds clicks by network address. This is a guess, and fingerprinting in Apple's terms: only if the team enables it.
struct AddressMatching: Hashable, Sendable {
    /// At least the life of a key, at most a day.
    static let minutes: ClosedRange<Int64> = 10...1440

    /// How long a click waits for its install.
    var windowMinutes: Int64 = 30

    var windowMs: Int64 { windowMinutes * 60_000 }
}

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

extension ConfigurationReader {
    mutating func addressMatching(_ node: ConfigurationNode) -> AddressMatching? {
        let fields = fields(node, of: "'deferredLinks'", optional: ["byAddress", "windowMinutes"])
        let isOn = flag(fields?["byAddress"], "'byAddress'") ?? false
        var matching = AddressMatching()
        if let node = fields?["windowMinutes"], let value = json(node) {
            let range = AddressMatching.minutes
            if case .integer(let count) = value, range.contains(count) {
                matching.windowMinutes = count
            } else {
                note(
                    node.place,
                    "'windowMinutes' is not a number of minutes. "
                        + "Write a whole number from \(range.lowerBound) to \(range.upperBound)."
                )
            }
        }
        return isOn ? matching : nil
    }
}

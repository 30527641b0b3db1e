// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Finds clicks by network address. This is a guess, and fingerprinting in Apple's terms: only if the team enables it.
package struct AddressMatching: Hashable, Sendable {
    /// At least the life of a key, at most a day.
    static let minutes: ClosedRange<Int64> = 10...1440

    /// How long a click waits for its install.
    package var windowMinutes: Int64 = 30

    package var windowMs: Int64 { windowMinutes * 60_000 }
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

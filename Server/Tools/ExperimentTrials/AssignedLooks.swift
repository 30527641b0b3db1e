// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// Units as they come to an experiment, assigned by the published draw: how many of each look went to the variation.
struct AssignedLooks: Sendable {
    static let unitsPerLook = 100

    /// For each look; the rest of its units went to the control.
    let variation: [Int]

    /// - Parameters:
    ///   - salt: of an experiment and its epoch, such as `trial-7#1`.
    ///   - share: the variation's share of the buckets.
    init(salt: String, looks: Int, share: Double = 0.5) {
        let first = Int((1 - share) * Double(Draw.bucketCount))
        variation = (0..<looks).map { look in
            (0..<Self.unitsPerLook).count { unit in
                Draw(namespace: "experiment", salt: salt, unit: Self.unit(look * Self.unitsPerLook + unit)).bucket >= first
            }
        }
    }

    /// An install's id. Ids of successive numbers differ only in their last digits.
    private static func unit(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "0190a5c0-7e1b-7c3a-9f00-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }
}

// SPDX-License-Identifier: Apache-2.0

extension SimulatedProduct {
    /// The id of a product whose life is drawn by the seed: every kind of purchase and every change occurs, each with its own chance.
    package static func drawnID(_ seed: UInt64) -> String {
        var numbers = SeededNumbers(seed)
        var keys: [String] = []
        func add(_ key: String, _ share: Double, _ value: (inout SeededNumbers) -> String) -> Bool {
            guard numbers.isLikely(share) else { return false }
            keys.append("\(key)=\(value(&numbers))")
            return true
        }
        func days(_ range: ClosedRange<Int>) -> (inout SeededNumbers) -> String { { "\(Int.random(in: range, using: &$0))d" } }
        func one(of words: String...) -> (inout SeededNumbers) -> String { { words.randomElement(using: &$0) ?? "" } }

        _ = add("environment", 0.2, one(of: "Sandbox", "Sandbox", "none"))
        _ = add("priced", 0.05, one(of: "0"))
        if add("refund", 0.15, days(1...80)) {
            _ = add("refundForm", 0.5, one(of: "full", "prorated", "old"))
            _ = add("reversed", 0.2, days(1...20))
        }
        _ = add("consumption", 0.05, days(1...80))
        _ = add("declined", 0.05, days(1...80))
        if add("type", 0.15, one(of: "consumable", "nonconsumable", "nonrenewing")) { return "sim." + keys.joined(separator: "&") }

        _ = add("period", 0.5, one(of: "1w", "1mo", "1y"))
        _ = add("renewals", 0.7) { "\(Int.random(in: 0...8, using: &$0) + 2)" }
        if !add("trial", 0.4, one(of: "3d", "7d", "1mo")), !add("intro", 0.2, one(of: "1w", "1mo")) {
            _ = add("offer", 0.2, one(of: "promotional", "code", "winback"))
        }
        if add("fail", 0.25, one(of: "1", "2")) {
            if add("grace", 0.6, one(of: "3d", "16d", "28d")) { _ = add("graceDate", 0.1, one(of: "0")) }
            _ = add("recover", 0.7, one(of: "never", "2d", "10d", "40d"))
        }
        _ = add("withdrawn", 0.03, one(of: "1", "2"))
        if add("cancel", 0.3, days(1...120)) { _ = add("resume", 0.4, days(1...120)) }
        _ = add("resubscribe", 0.2, days(1...90))
        let isUpgraded = add("upgrade", 0.1, days(1...60))
        let isDowngraded = add("downgrade", 0.1, days(1...60))
        if isDowngraded { _ = add("keep", 0.3, days(1...60)) }
        if isUpgraded || isDowngraded { _ = add("to", 0.5, one(of: "sim.other")) }
        _ = add("redeem", 0.05, days(1...60))
        if add("increase", 0.08, days(1...60)) { _ = add("accept", 0.5, days(1...90)) }
        _ = add("extend", 0.05, days(1...60))
        if add("family", 0.08, one(of: "1")) { _ = add("revoke", 0.5, days(1...90)) }
        if add("seats", 0.06, one(of: "3", "8")) {
            _ = add("addSeats", 0.5, days(1...60))
            _ = add("refundSeats", 0.4, days(1...60))
            _ = add("unclaim", 0.3, days(1...60))
        }
        return "sim." + keys.joined(separator: "&")
    }
}

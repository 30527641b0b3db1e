// SPDX-License-Identifier: Apache-2.0

/// What a keyword cost and brought on a day in a country, as Apple says it on a later day: the newest days grow for some days more.
struct SimulatedSpend: Hashable, Sendable {
    var cents: Int64 = 0
    var impressions: Int64 = 0
    var taps: Int64 = 0
    var installs: Int64 = 0

    var isNothing: Bool { self == SimulatedSpend() }

    /// In percent, by the days since: what Apple knows of a day.
    private static let known: [Int64] = [60, 85, 95]

    init() {}

    /// - Parameters:
    ///   - day: since 1970, UTC.
    ///   - today: the day on which Apple is asked.
    init(seed: UInt64, keyword: Int64, country: Int, day: Int, today: Int) {
        guard day <= today else { return }
        let mixed = UInt64(bitPattern: keyword) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(day) &* 0xBF58_476D_1CE4_E5B9 ^ UInt64(country) &* 0x94D0_49BB_1331_11EB
        var chance = SeededNumbers(seed &+ mixed)
        guard !chance.isLikely(0.15) else { return }
        let taps = Int64(chance.next() % 40) + 1, price = Int64(chance.next() % 150) + 20
        let share = today - day < Self.known.count ? Self.known[today - day] : 100
        self.taps = taps * share / 100
        cents = self.taps * price
        impressions = self.taps * 12
        installs = self.taps / 3
    }

    static func + (left: SimulatedSpend, right: SimulatedSpend) -> SimulatedSpend {
        var sum = left
        sum.cents += right.cents
        sum.impressions += right.impressions
        sum.taps += right.taps
        sum.installs += right.installs
        return sum
    }
}
